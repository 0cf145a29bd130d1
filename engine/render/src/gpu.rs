//! The graphics card, or what stands in for it: instance, adapter, device, queue, and the thread that waits for it.

mod waiter;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use base::Problem;

use crate::FrameSurface;
pub(crate) use waiter::{Job, Waiter, read_back};

/// Called on the "gpu-wait" thread whenever a frame or a capture is done. Must not block.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// How to open the graphics card.
pub struct GpuOptions {
    /// Called when work is done, to wake the main loop.
    pub wake: Wake,
    /// Take a software adapter even where a card is there: pictures are then the same on every machine.
    pub prefer_software: bool,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self { wake: Arc::new(|| {}), prefer_software: false }
    }
}

/// An open graphics device. Dropping the last one ends and joins its waiting thread.
pub struct Gpu {
    pub(crate) waiter: Waiter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) adapter: wgpu::Adapter,
    info: wgpu::AdapterInfo,
}

/// Native drivers first; OpenGL only where there is none of them.
const BACKENDS: [wgpu::Backends; 2] = [wgpu::Backends::PRIMARY, wgpu::Backends::GL];

impl Gpu {
    /// Opens a device for pictures off screen.
    pub fn new(options: GpuOptions) -> Result<Arc<Self>, Problem> {
        let mut reason = String::new();
        for backends in BACKENDS {
            let instance = instance(backends);
            match block_on(instance.request_adapter(&request(&options, None))) {
                Ok(adapter) => return Self::open(adapter, options.wake).map(Arc::new),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(no_gpu(&reason))
    }

    /// Opens a device that can draw into a window of so many pixels, and the window's surface.
    pub fn with_window<W>(
        options: GpuOptions,
        window: Arc<W>,
        size: [u32; 2],
    ) -> Result<(Arc<Self>, FrameSurface), Problem>
    where
        Arc<W>: Into<wgpu::SurfaceTarget<'static>>,
    {
        let mut reason = String::new();
        for backends in BACKENDS {
            let instance = instance(backends);
            let surface = match instance.create_surface(window.clone()) {
                Ok(surface) => surface,
                Err(error) => {
                    reason = error.to_string();
                    continue;
                }
            };
            match block_on(instance.request_adapter(&request(&options, Some(&surface)))) {
                Ok(adapter) => {
                    let gpu = Arc::new(Self::open(adapter, options.wake)?);
                    let frames = FrameSurface::new(gpu.clone(), surface, size)?;
                    return Ok((gpu, frames));
                }
                Err(error) => reason = error.to_string(),
            }
        }
        Err(no_gpu(&reason))
    }

    fn open(adapter: wgpu::Adapter, wake: Wake) -> Result<Self, Problem> {
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("skywalker"),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) =
            block_on(adapter.request_device(&descriptor)).map_err(|error| no_gpu(&error.to_string()))?;
        device.on_uncaptured_error(Arc::new(|error| tracing::error!("graphics: {error}")));
        tracing::info!("graphics on {} ({:?})", info.name, info.backend);
        let waiter = Waiter::start(device.clone(), wake)
            .map_err(|error| no_gpu(&format!("its thread cannot be started: {error}")))?;
        Ok(Self { waiter, device, queue, adapter, info })
    }

    /// What the adapter calls itself.
    pub fn adapter_name(&self) -> &str {
        &self.info.name
    }

    /// Whether the processor does the work of a graphics card.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}

fn instance(backends: wgpu::Backends) -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

fn request<'a, 's>(
    options: &GpuOptions,
    surface: Option<&'a wgpu::Surface<'s>>,
) -> wgpu::RequestAdapterOptions<'a, 's> {
    wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        force_fallback_adapter: options.prefer_software,
        compatible_surface: surface,
        ..wgpu::RequestAdapterOptions::default()
    }
}

fn no_gpu(reason: &str) -> Problem {
    Problem::new("no_gpu", format!("there is no graphics driver that can draw: {reason}")).hint(
        "install a Vulkan driver; without a graphics card, Debian's `mesa-vulkan-drivers` draws in software",
    )
}

/// Waits for wgpu's futures, which are ready at once on every native platform.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}
