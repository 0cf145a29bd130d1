//! Several messages in one line, which only 2025-03-26 has: their answers go out as one line too, when the last is
//! there.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::outbox::Outbox;

/// How a request came, and so how its answer goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In a line of its own.
    Alone,
    /// In this batch.
    Batch(u64),
}

#[derive(Debug)]
struct Batch {
    /// Answers still to come.
    left: usize,
    answers: Vec<Value>,
}

/// The batches that are not answered yet.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    open: BTreeMap<u64, Batch>,
    next: u64,
}

impl Batches {
    /// A new batch, held open by one answer that is to be forgotten when it is read.
    pub(crate) fn open(&mut self) -> u64 {
        self.next += 1;
        self.open.insert(self.next, Batch { left: 1, answers: Vec::new() });
        self.next
    }

    /// One more answer will come.
    pub(crate) fn expect(&mut self, origin: Origin) {
        if let Origin::Batch(id) = origin
            && let Some(batch) = self.open.get_mut(&id)
        {
            batch.left += 1;
        }
    }

    /// An answer is there.
    pub(crate) fn give(&mut self, id: u64, message: Value, out: &mut Outbox) {
        if let Some(batch) = self.open.get_mut(&id) {
            batch.answers.push(message);
        }
        self.forget(id, out);
    }

    /// One answer fewer will come.
    pub(crate) fn forget(&mut self, id: u64, out: &mut Outbox) {
        let Some(batch) = self.open.get_mut(&id) else { return };
        batch.left = batch.left.saturating_sub(1);
        if batch.left > 0 {
            return;
        }
        // A batch of notifications is not answered at all.
        if let Some(batch) = self.open.remove(&id).filter(|batch| !batch.answers.is_empty()) {
            out.message(&Value::Array(batch.answers));
        }
    }
}
