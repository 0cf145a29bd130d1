//! The thread "gpu-wait": waits for submitted work in place of the main thread, reads captures back, and wakes the loop.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use base::Problem;

use super::Wake;
use crate::capture::{CaptureTicket, FinishedCapture, Picture};

/// One frame and the captures that may be pending at once fit, so sending never blocks.
const QUEUE: usize = 16;

/// What the thread waits for.
pub(crate) enum Job {
    /// A frame for the window.
    Frame(wgpu::SubmissionIndex),
    /// A picture that lies in `buffer` afterwards, rows padded to `row_bytes`.
    Capture {
        index: wgpu::SubmissionIndex,
        ticket: CaptureTicket,
        buffer: wgpu::Buffer,
        row_bytes: u32,
        size: [u32; 2],
    },
}

/// What is done and not yet taken. A std mutex: nobody waits while holding it.
#[derive(Default)]
struct Done {
    frames: u64,
    captures: Vec<FinishedCapture>,
}

/// The main thread's side.
pub(crate) struct Waiter {
    jobs: Option<SyncSender<Job>>,
    done: Arc<Mutex<Done>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiter {
    pub fn start(device: wgpu::Device, wake: Wake) -> std::io::Result<Self> {
        let (sender, receiver) = sync_channel(QUEUE);
        let done = Arc::new(Mutex::new(Done::default()));
        let shared = done.clone();
        let thread = Builder::new()
            .name("gpu-wait".to_owned())
            .spawn(move || work(&device, &receiver, &shared, &wake))?;
        Ok(Self { jobs: Some(sender), done, thread: Some(thread) })
    }

    /// Hands a job over; false where the thread has too much to do already or is gone.
    pub fn send(&self, job: Job) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.try_send(job).is_ok())
    }

    /// Frames done so far.
    pub fn frames_done(&self) -> u64 {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).frames
    }

    /// Captures done since the last call.
    pub fn take_captures(&self) -> Vec<FinishedCapture> {
        std::mem::take(&mut self.done.lock().unwrap_or_else(PoisonError::into_inner).captures)
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread `gpu-wait` panicked");
        }
    }
}

fn work(device: &wgpu::Device, jobs: &Receiver<Job>, done: &Mutex<Done>, wake: &Wake) {
    while let Ok(job) = jobs.recv() {
        match job {
            Job::Frame(index) => {
                wait(device, index);
                done.lock().unwrap_or_else(PoisonError::into_inner).frames += 1;
            }
            Job::Capture { index, ticket, buffer, row_bytes, size } => {
                let picture = read_back(device, index, &buffer, row_bytes, size);
                done.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .captures
                    .push(FinishedCapture { ticket, picture });
            }
        }
        wake();
    }
}

fn wait(device: &wgpu::Device, index: wgpu::SubmissionIndex) {
    if let Err(error) = device.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: None }) {
        tracing::error!("waiting for the graphics card: {error}");
    }
}

/// How long the news of a finished picture may take.
const NEWS: std::time::Duration = std::time::Duration::from_secs(10);

pub(crate) fn read_back(
    device: &wgpu::Device,
    index: wgpu::SubmissionIndex,
    buffer: &wgpu::Buffer,
    row_bytes: u32,
    [width, height]: [u32; 2],
) -> Result<Picture, Problem> {
    let lost = |reason: String| Problem::new("capture_failed", format!("the picture was lost: {reason}"));
    let (sender, receiver) = sync_channel(1);
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver lives until the result is there, or nobody wants it any more.
        let _ = sender.try_send(result);
    });
    wait(device, index);
    // Another thread that looks after the device may have taken the news and not passed it on yet.
    receiver
        .recv_timeout(NEWS)
        .map_err(|_| lost("the device does not answer; take it again".to_owned()))?
        .map_err(|e| lost(e.to_string()))?;
    let mapped = buffer.get_mapped_range(..).map_err(|error| lost(error.to_string()))?;
    let row = width as usize * 4;
    let mut rgba = Vec::with_capacity(row * height as usize);
    for line in mapped.chunks(row_bytes as usize).take(height as usize) {
        rgba.extend_from_slice(line.get(..row).unwrap_or(line));
    }
    Ok(Picture { width, height, rgba })
}
