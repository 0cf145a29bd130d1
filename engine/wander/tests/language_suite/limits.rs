//! No program can hang the machine, exhaust memory or overflow a stack.

use wander::{Kind, Machine, Value};

use super::world::{Thing, World, compile, environment, id, run};

#[test]
fn each_limit_ends_the_program_with_its_code() {
    let nested = format!("return {}1{}", "[".repeat(5000), "]".repeat(5000));
    let chain = format!("let r = {{}}\nreturn r{}", ".a".repeat(5000));
    let long = format!("return 1{}", " + 1".repeat(60000));
    let sum = format!("return 1{}", " + 1".repeat(200));
    for (code, expected) in [
        ("while true\nend", "E501"),
        ("fn f(n) => f(n + 1)\nreturn f(0)", "E504"),
        (
            "let l = []\nwhile true\n  l.push(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" + l.length)\nend",
            "E50",
        ),
        ("let s = \"x\"\nwhile true\n  s = s + s\nend", "E50"),
        ("let l = [1]\nl.push(l)\nreturn l", "E506"),
        ("return \"x\".repeat(100000000)", "E502"),
        ("return list.of(100000000, 0)", "E502"),
        ("for i in 0..1000000\n  spawn(fn() => wait(1))\nend", "E507"),
        (&nested, "E506"),
        (&chain, "E506"),
        (&long, "E506"),
    ] {
        let result = run(code);
        let head: String = result.chars().take(60).collect();
        assert!(result.starts_with(expected), "{} gave {head}", code.chars().take(60).collect::<String>());
    }
    assert_eq!(run(&sum), "201");
}

#[test]
fn limits_cannot_be_caught() {
    let result = run("try\n  while true\n  end\ncatch e\n  return \"caught\"\nend");
    assert!(result.starts_with("E501"), "{result}");
}

#[test]
fn a_list_that_contains_itself_prints_and_compares() {
    assert_eq!(
        run("let a = [1]\na.push(a)\nlet b = [1]\nb.push(b)\nreturn [text(a).length > 3, a == b]"),
        "[true,true]"
    );
}

#[test]
fn the_budget_of_the_call_is_what_its_error_names() {
    let program = compile(Kind::Tool, "let n = 0\nfn run(args)\n  while true\n  end\nend").unwrap();
    let mut machine = Machine::new(environment(), 7, 60.0);
    for budget in [5_000, 300_000] {
        let mut fuel = budget;
        let fault = machine
            .run_function(&program, "run", &[Value::Nil], &mut World::default(), &mut fuel)
            .unwrap_err();
        assert!(
            fault.line().starts_with(&format!("E501 more than {budget} instructions")),
            "{}",
            fault.line()
        );
    }
}

/// Two entities, the first of which keeps all the memory that it can get.
#[test]
fn a_script_that_holds_all_memory_fails_and_the_others_go_on() {
    let source = "
let kept = []
let n = 0
on update(dt)
  while self.name == \"Hog\"
    kept.push(list.of(500, {of: n}))
  end
  let parts = []
  for i in 0..100
    parts.push({number: i, name: f\"part {i}\"})
  end
  n += parts.map(fn(part) => part.number).length
end
";
    let mut world = World::default();
    let mut machine = Machine::new(environment(), 7, 60.0);
    let program = compile(Kind::Entity, source).unwrap();
    for (number, name) in [(1, "Hog"), (2, "Ann"), (3, "Bob")] {
        world.things.insert(number, Thing { name: name.into(), ..Thing::default() });
        machine.attach(&program, id(number), &[], &mut world);
    }
    const TICKS: u32 = 60;
    for tick in 1..=TICKS {
        machine.resume(u64::from(tick), &mut world);
        machine.handle_all("update", &[Value::Number(1.0 / 60.0)], &mut world);
    }
    let reports = machine.take_reports();
    assert!(!reports.is_empty(), "nothing failed");
    for report in reports {
        assert_eq!(
            (report.owner, report.fault.code.as_str()),
            (Some(id(1)), "E502"),
            "{}",
            report.fault.line()
        );
    }
    for number in [2, 3] {
        let Some(Value::Number(n)) = machine.variable(id(number), "n") else { panic!("no n") };
        assert_eq!(n, f64::from(TICKS) * 100.0);
    }
    // Without the hog there is room for everybody again.
    machine.detach(id(1));
    machine.resume(100, &mut world);
    machine.handle_all("update", &[Value::Number(1.0 / 60.0)], &mut world);
    assert!(machine.take_reports().is_empty());
}

#[test]
fn a_task_that_dropped_what_it_took_leaves_room_for_the_next() {
    let source = "
fn run(args)
  let l = []
  while args.much
    l.push(list.of(10000, 0))
  end
  return list.of(1000, 1).sum()
end";
    let program = compile(Kind::Tool, source).unwrap();
    let mut world = World::default();
    let mut machine = Machine::new(environment(), 7, 60.0);
    for _ in 0..3 {
        for (much, expected) in [(true, "E502"), (false, "1000")] {
            let arguments = machine.heap.record([("much", Value::Bool(much))]);
            let mut fuel = 100_000_000;
            let result = match machine.run_function(&program, "run", &[arguments], &mut world, &mut fuel) {
                Ok(value) => machine.result_to_json(value, 100).unwrap().to_string(),
                Err(fault) => fault.code,
            };
            assert_eq!(result, expected);
        }
    }
}
