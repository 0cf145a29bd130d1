//! Errors of tasks on their way to the log. An error that comes again and again is told once, and then each time that
//! it happened ten times as often.

use std::collections::BTreeMap;

use base::EntityId;
use xxhash_rust::xxh3::Xxh3;

use super::Machine;
use crate::fault::Fault;

/// An error of a task, for the log.
#[derive(Debug, Clone)]
pub struct Report {
    /// The entity whose script failed.
    pub owner: Option<EntityId>,
    /// What happened, with its trace.
    pub fault: Box<Fault>,
    /// How often it happened so far: 1 the first time, then 10, 100 and so on.
    pub times: u32,
}

/// Different errors that are remembered; past it all are forgotten and told anew.
const MOST_TOLD: usize = 1_000;

/// Bytes of an error's message in the log; what is longer is cut.
const MOST_MESSAGE: usize = 4 * 1024;

/// How often each error happened, by its owner and by what was said of it and where.
pub(super) type Told = BTreeMap<(Option<EntityId>, u64), u32>;

impl Machine {
    /// Puts an error on its way to the log, unless it was told lately.
    pub(super) fn report(&mut self, owner: Option<EntityId>, mut fault: Box<Fault>) {
        if fault.message.len() > MOST_MESSAGE {
            fault.message.truncate(fault.message.floor_char_boundary(MOST_MESSAGE));
            fault.message.push('…');
        }
        let mut hash = Xxh3::new();
        hash.update(fault.line().as_bytes());
        let key = (owner, hash.digest());
        if self.told.len() >= MOST_TOLD && !self.told.contains_key(&key) {
            self.told.clear();
        }
        let times = self.told.entry(key).or_default();
        *times = times.saturating_add(1);
        let times = *times;
        if is_power_of_ten(times) {
            self.reports.push(Report { owner, fault, times });
        }
    }

    /// Errors since this was last asked.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// An entity whose script is taken away or changed may fail anew.
    pub(super) fn forget_told(&mut self, owner: EntityId) {
        self.told.retain(|(of, _), _| *of != Some(owner));
    }
}

fn is_power_of_ten(mut number: u32) -> bool {
    while number >= 10 && number.is_multiple_of(10) {
        number /= 10;
    }
    number == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_at_powers_of_ten() {
        let told: Vec<u32> = (1..=2_000).filter(|times| is_power_of_ten(*times)).collect();
        assert_eq!(told, [1, 10, 100, 1_000]);
    }
}
