//! A few named threads for slow work that needs no engine: decoding, encoding.

use std::thread::JoinHandle;

use crossbeam::channel::{Sender, bounded};

type Job = Box<dyn FnOnce() + Send>;

/// Jobs waiting at most; past that the caller runs the job itself.
const QUEUE: usize = 64;

/// The threads. Dropping it finishes what is queued and joins them.
pub struct Workers {
    sender: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// So many threads, named `work-1`, `work-2` and so on. None where the system gives none; jobs then run at once.
    pub fn new(count: usize) -> Self {
        let (sender, receiver) = bounded::<Job>(QUEUE);
        let threads = (1..=count)
            .filter_map(|number| {
                let receiver = receiver.clone();
                std::thread::Builder::new()
                    .name(format!("work-{number}"))
                    .spawn(move || {
                        for job in receiver {
                            // A job that panics must not take the thread with it; its waiter notices by itself.
                            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                        }
                    })
                    .ok()
            })
            .collect();
        Self { sender: Some(sender), threads }
    }

    /// Runs a job on one of the threads.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        let job: Job = Box::new(job);
        match &self.sender {
            Some(sender) if !self.threads.is_empty() => {
                if let Err(refused) = sender.try_send(job) {
                    (refused.into_inner())();
                }
            }
            _ => job(),
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.sender = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_does_not_stop_the_next() {
        let workers = Workers::new(1);
        let (sender, receiver) = bounded(1);
        workers.run(|| panic!("this test's own"));
        workers.run(move || {
            let _ = sender.send(7);
        });
        assert_eq!(receiver.recv(), Ok(7));
    }
}
