//! Wander among its peers: an engine of their harness, whose world of entities it reads and sets. Always metered: there is
//! no other mode. Built by `run` beside this file, in a copy of the harness.
#![allow(missing_docs, clippy::all, reason = "as small as the harness's other engines")]
use std::sync::Arc;
use base::EntityId;
use wander::environment::{Environment, HostFunction, HostProperty, Kind};
use wander::{Acts, Answer, CallContext, Fault, Heap, Host, Machine, Outcome, Value};
use wbench::{w, V3};

struct World;
fn index(e: EntityId) -> usize { e.get() as usize - 1 }
fn vec3(v: V3) -> Value { Value::Vec3([v.x as f32, v.y as f32, v.z as f32]) }
impl Host for World {
    fn is_alive(&self, e: EntityId) -> bool { index(e) < wbench::N_ENTS }
    fn get(&mut self, _: &mut Heap, e: EntityId, p: u16) -> Outcome<Value> {
        let i = index(e);
        Ok(w(|w| match p { 0 => vec3(w.pos[i]), 1 => vec3(w.vel[i]), 2 => Value::Number(w.pos[i].x), _ => Value::Number(w.hp[i]) }))
    }
    fn set(&mut self, _: &mut Heap, e: EntityId, p: u16, v: &Value) -> Outcome<()> {
        let i = index(e);
        w(|w| match (p, *v) {
            (0, Value::Vec3(v)) => w.pos[i] = V3::new(v[0] as f64, v[1] as f64, v[2] as f64),
            (2, Value::Number(x)) => w.pos[i].x = x,
            (3, Value::Number(x)) => w.hp[i] = x,
            _ => panic!("wrong type"),
        });
        Ok(())
    }
    fn get_variable(&mut self, _: &mut Heap, e: EntityId, name: &str) -> Outcome<Option<Value>> {
        Ok(Some(Value::Number(w(|w| w.var(index(e), name)))))
    }
    fn set_variable(&mut self, _: &mut Heap, e: EntityId, name: &str, v: Value) -> Outcome<bool> {
        let Value::Number(x) = v else { panic!() };
        w(|w| w.set_var(index(e), name, x));
        Ok(true)
    }
    fn knows_variable(&self, _: &str) -> bool { true }
    fn call(&mut self, c: &mut CallContext<'_>, f: u16, a: &[Value]) -> Outcome<Answer> {
        let place = |v: Value| match v { Value::Vec3(p) => p, Value::Entity(e) => { let p = w(|w| w.pos[index(e)]); [p.x as f32, p.y as f32, p.z as f32] } _ => [0.0; 3] };
        match f {
            0 => { let all = (1..=wbench::N_ENTS as u32).map(|i| Value::Entity(EntityId::new(i).unwrap())).collect(); Ok(Answer::Value(c.heap.list(all))) }
            1 => { let (p, q) = (place(a[0]), place(a[1])); let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                   Ok(Answer::Value(Value::Number((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() as f64))) }
            _ => Err(Fault::new("E216", "none")),
        }
    }
    fn entity_name(&self, e: EntityId) -> String { e.to_string() }
}
fn environment() -> Arc<Environment> {
    let f = |name, n| HostFunction { area: "", name, arity: (n, n), acts: Acts::Reads, property: false, doc: "" };
    let p = |name, writable| HostProperty { name, writable, doc: "" };
    Arc::new(Environment { functions: vec![f("find_all", 1)], methods: vec![], properties: vec![p("pos", true), p("vel", false), p("x", true), p("hp", true)], handlers: vec![] })
}
struct W { env: Arc<Environment>, machine: Machine, program: Option<Arc<wander::Program>> }
impl wbench::Engine for W {
    const LANG: &'static str = "wander";
    fn new(_: &str) -> Self {
        let env = environment();
        let mut machine = Machine::new(env.clone(), 1, 60.0);
        machine.instructions = 10_000_000_000;
        W { env, machine, program: None }
    }
    fn load(&mut self, src: &str) {
        let read = |_: &str| None;
        let mut loader = wander::Loader::new(&self.env, &read);
        let program = loader.compile(Kind::Module, "main.wander", src);
        let Some(program) = program else { panic!("{}", loader.findings[0].render()) };
        self.program = Some(program);
    }
    fn run(&mut self) -> f64 {
        let program = self.program.clone().unwrap();
        let mut fuel = i64::MAX / 2;
        let r = self.machine.run_function(&program, "main", &[], &mut World, &mut fuel).unwrap_or_else(|f| panic!("{f:?}"));
        match r { Value::Number(n) => n, _ => f64::NAN }
    }
    fn call_empty(&mut self, n: usize) {
        let program = self.program.clone().unwrap();
        let mut fuel = i64::MAX / 2;
        let empty = self.machine.function(&program, "empty", &mut World, &mut fuel).unwrap();
        for _ in 0..n { std::hint::black_box(self.machine.call(empty, &[Value::Number(1.0)], &mut World, &mut fuel)).unwrap(); }
    }
    fn compile(&mut self, src: &str) {
        let read = |_: &str| None;
        let mut loader = wander::Loader::new(&self.env, &read);
        std::hint::black_box(loader.compile(Kind::Module, "big.wander", src)).unwrap();
    }
}
fn main() { wbench::main::<W>("wander") }
