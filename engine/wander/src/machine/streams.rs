//! Random numbers: a stream for each entity and one for the world, and more of them by name.

use std::collections::BTreeMap;

use base::EntityId;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use super::Machine;
use crate::fault::{Fault, Outcome};
use crate::random::Pcg32;
use crate::value::StreamId;

/// Streams by name that an entity, or the world, has at most; past it is E507.
const MOST_NAMED: usize = 64;

/// Longest name of a stream, bytes.
const MOST_NAME: usize = 100;

/// The streams that scripts asked for by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct NamedStreams {
    /// By owner (0 is the world) and name.
    by_name: BTreeMap<(u32, String), StreamId>,
    streams: BTreeMap<StreamId, Pcg32>,
    next: u32,
}

/// What makes a named stream start where it does: whose it is and its name.
fn key(owner: u32, name: &str) -> Vec<u8> {
    [&owner.to_le_bytes()[..], name.as_bytes()].concat()
}

impl Machine {
    /// The random numbers of an entity, or of the world for none.
    pub fn random(&mut self, owner: Option<EntityId>) -> &mut Pcg32 {
        let stream = owner.map_or(0, EntityId::get);
        let seed = self.seed;
        self.random.entry(stream).or_insert_with(|| Pcg32::new(seed, u64::from(stream)))
    }

    /// The stream of a name, of an entity or of the world. It follows from the machine's seed, its owner and its name
    /// alone, and shares nothing with the others.
    pub(crate) fn named_stream(&mut self, owner: Option<EntityId>, name: &str) -> Outcome<StreamId> {
        let owner = owner.map_or(0, EntityId::get);
        if let Some(id) = self.named.by_name.get(&(owner, name.to_owned())) {
            return Ok(*id);
        }
        if name.len() > MOST_NAME {
            return Err(Fault::new("E508", format!("the name of a stream has at most {MOST_NAME} bytes")));
        }
        let first = (owner, String::new());
        let count = self.named.by_name.range(first..).take_while(|((other, _), _)| *other == owner).count();
        if count >= MOST_NAMED {
            return Err(Fault::new(
                "E507",
                format!("there are {MOST_NAMED} streams of random numbers already"),
            )
            .hint("name a stream for what it decides, not for each time"));
        }
        let key = key(owner, name);
        let random = Pcg32::new(xxh3_64_with_seed(&key, self.seed), xxh3_64(&key));
        let id = StreamId(self.named.next);
        self.named.next += 1;
        self.named.by_name.insert((owner, name.to_owned()), id);
        self.named.streams.insert(id, random);
        Ok(id)
    }

    /// The random numbers of a named stream.
    pub(crate) fn stream(&mut self, id: StreamId) -> Outcome<&mut Pcg32> {
        self.named.streams.get_mut(&id).ok_or_else(|| {
            Fault::new("E215", "the entity whose stream of random numbers this was is destroyed")
        })
    }
}

impl NamedStreams {
    /// Takes away the streams of an entity that goes.
    pub(super) fn forget(&mut self, owner: EntityId) {
        let owner = owner.get();
        let streams = &mut self.streams;
        self.by_name.retain(|(other, _), id| {
            if *other == owner {
                streams.remove(id);
            }
            *other != owner
        });
    }

    pub(super) fn hash_into(&self, out: &mut Xxh3) {
        out.update(&self.next.to_le_bytes());
        for ((owner, name), id) in &self.by_name {
            out.update(format!("{owner} {name:?} {id:?} {:?}", self.streams.get(id)).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::environment::Environment;

    fn machine(seed: u64) -> Machine {
        Machine::new(Arc::new(Environment::default()), seed, 60.0)
    }

    fn hash(machine: &Machine) -> u64 {
        let mut out = Xxh3::new();
        machine.hash_into(&mut out);
        out.digest()
    }

    fn drawn(machine: &mut Machine, owner: Option<EntityId>, name: &str) -> [u32; 3] {
        let id = machine.named_stream(owner, name).unwrap();
        [(); 3].map(|()| machine.stream(id).unwrap().next_u32())
    }

    #[test]
    fn a_stream_follows_from_seed_owner_and_name_alone() {
        let one = EntityId::new(1);
        let mut machines = [machine(7), machine(7), machine(8)];
        let loot = drawn(&mut machines[0], one, "loot");
        drawn(&mut machines[1], None, "weather");
        machines[1].random(one).next_u32();
        assert_eq!(drawn(&mut machines[1], one, "loot"), loot, "whatever was asked for before");
        assert_ne!(drawn(&mut machines[2], one, "loot"), loot, "another seed");
        assert_ne!(drawn(&mut machines[0], EntityId::new(2), "loot"), loot, "another entity");
        assert_ne!(drawn(&mut machines[0], one, "luck"), loot, "another name");
    }

    #[test]
    fn streams_are_part_of_a_snapshot_and_of_the_hash() {
        let mut first = machine(7);
        drawn(&mut first, None, "loot");
        let mut second = first.clone();
        assert_eq!(hash(&first), hash(&second));
        let after = drawn(&mut first, None, "loot");
        assert_ne!(hash(&first), hash(&second), "a number was drawn");
        assert_eq!(drawn(&mut second, None, "loot"), after);
        assert_eq!(hash(&first), hash(&second));
    }

    #[test]
    fn streams_go_with_their_entity() {
        let one = EntityId::new(1).unwrap();
        let mut machine = machine(7);
        let id = machine.named_stream(Some(one), "loot").unwrap();
        machine.detach(one);
        assert_eq!(machine.stream(id).unwrap_err().code, "E215");
    }
}
