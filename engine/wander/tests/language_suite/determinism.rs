//! The same script, inputs and seed give the same bits: in every build, on every thread, and from every copy of a world
//! whose tasks are asleep.

use wander::{Kind, Machine, Value};
use xxhash_rust::xxh3::Xxh3;

use super::world::{Thing, World, compile, environment, id};

/// Every entity has five tasks that sleep in different ways, uses every kind of number work and of random numbers, and
/// keeps what it finds in lists, records, closures and its position.
const BUSY: &str = r#"
let heard = 0
let seen = []
let memory = {first: nil, sums: {}}
let ready = false

fn mix(n, t)
  let angle = n * 37.7 + t
  let v = (math.sin(angle), math.cos(angle), math.tan(angle / 7))
  let p = math.pow(abs(v.x) + 0.1, 1.7) + math.exp(v.y) - math.log(2 + v.x)
  return v.normalized * p + (math.atan2(v.y, v.x), sqrt(abs(p)), angle % 11.3) / 90
end

on start()
  let n = self.id
  let counter = 0
  let next = fn() => counter
  memory.first = fn(by)
    counter += by
    return next()
  end
  spawn(fn()
    for turn in 0..1000
      wait_frames(1 + (n + turn) % 4)
      self.pos = self.pos * 0.75 + mix(n, turn + random())
    end
  end)
  spawn(fn()
    while true
      let bell = wait_event("bell")
      heard += bell.strength
      memory.sums[f"k{bell.strength}"] = heard
    end
  end)
  spawn(fn()
    wait_until(fn() => heard > 6)
    ready = true
    seen.push(random.int(1, 1000))
  end)
  let slow = spawn(fn()
    wait(random.float(0.2, 1.5))
    return random.choice(["a", "b", "c"]) + text(n / 3)
  end)
  let told = wait_for(slow)
  seen.push(told)
  print(f"{n}: {told} {memory.first(n)} {self.pos.x:.3}")
  while true
    wait(0.25)
    seen = seen.map(fn(x) => if type(x) == "number" then x * 1.0001 else x)
    if n % 10 == 0 then emit("bell", {strength: random.int(1, 3)}) end
  end
end

on update(dt)
  if seen.length > 6 then seen.remove_at(0) end
  seen.push(self.pos.length * dt)
  if ready and random.chance(0.05) then
    print(f"{self.id} {seen.sum_of()} {memory.sums}")
  end
end
"#;

const ENTITIES: u32 = 100;
const TICKS: u64 = 150;

struct Run {
    machine: Machine,
    world: World,
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Self { machine: self.machine.clone(), world: self.world.clone() }
    }
}

impl Run {
    fn new() -> Self {
        let source = BUSY.replace("seen.sum_of()", "seen.filter(fn(x) => type(x) == \"number\").sum()");
        let mut world = World::default();
        let mut machine = Machine::new(environment(), 11, 60.0);
        let program = compile(Kind::Entity, &source).unwrap_or_else(|text| panic!("{text}"));
        for number in 1..=ENTITIES {
            world.things.insert(number, Thing { name: format!("Thing {number}"), ..Thing::default() });
        }
        for number in 1..=ENTITIES {
            machine.attach(&program, id(number), &[], &mut world);
            machine.handle(id(number), "start", &[], &mut world);
        }
        Self { machine, world }
    }

    fn tick(&mut self, tick: u64) {
        self.machine.deliver(&mut self.world);
        self.machine.resume(tick, &mut self.world);
        self.machine.handle_all("update", &[Value::Number(1.0 / 60.0)], &mut self.world);
    }

    fn go(mut self, from: u64) -> Self {
        for tick in from..=TICKS {
            self.tick(tick);
        }
        self
    }

    fn hash(&self) -> u128 {
        let mut hasher = Xxh3::new();
        self.machine.hash_into(&mut hasher);
        hasher.update(format!("{:?}", self.world).as_bytes());
        hasher.digest128()
    }

    /// A digest of what scripts said and of the bits of where everything is: it knows nothing of the machine's insides.
    fn seen_from_outside(&self) -> String {
        let mut hasher = Xxh3::new();
        for line in &self.world.said {
            hasher.update(line.as_bytes());
        }
        for thing in self.world.things.values() {
            thing.pos.iter().for_each(|part| hasher.update(&part.to_bits().to_le_bytes()));
        }
        format!("{:032x}", hasher.digest128())
    }
}

/// What the run gives, on every machine and in every build. It changes where the language or its random numbers do.
const EXPECTED: &str = "d0185ff0964c670a21345ea17cbd94f8";

/// Does it on a thread of its own.
fn elsewhere(work: impl FnOnce() -> Run + Send + 'static) -> std::thread::JoinHandle<Run> {
    std::thread::Builder::new().name("elsewhere".to_owned()).spawn(work).unwrap()
}

#[test]
fn every_build_and_every_thread_gives_the_same_bits() {
    let runs: Vec<_> = (0..4).map(|_| elsewhere(|| Run::new().go(1))).collect();
    let runs: Vec<Run> = runs.into_iter().map(|thread| thread.join().unwrap()).collect();
    let reports = runs[0].machine.clone().take_reports();
    assert!(reports.is_empty(), "{:?}", reports[0]);
    assert!(runs[0].world.said.len() > 200, "{}", runs[0].world.said.len());
    for run in &runs {
        assert_eq!(run.seen_from_outside(), EXPECTED);
        assert_eq!(run.hash(), runs[0].hash());
    }
}

#[test]
fn a_copy_taken_at_any_tick_goes_on_like_the_original() {
    let original = Run::new().go(1);
    let mut run = Run::new();
    for tick in 1..=TICKS {
        run.tick(tick);
        // Around the first wakings, when most tasks are asleep at once, and then now and again.
        if [2, 5, 11, 60, 130].contains(&tick) {
            assert!(run.machine.task_count() > 100, "{}", run.machine.task_count());
            let copy = run.clone();
            assert_eq!(copy.hash(), run.hash(), "tick {tick}");
            // It goes on elsewhere, and a copy of the copy as well.
            let twice = copy.clone();
            let there = elsewhere(move || copy.go(tick + 1)).join().unwrap();
            assert_eq!(there.hash(), original.hash(), "from tick {tick}");
            assert_eq!(twice.go(tick + 1).hash(), original.hash(), "from tick {tick}, twice");
        }
    }
    assert_eq!(run.hash(), original.hash());
}
