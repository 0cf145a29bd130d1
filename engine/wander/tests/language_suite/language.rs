//! What programs compute.

use serde_json::json;

use super::world::{Thing, World, run, run_with};

/// Each line's result, by section of the language's guide.
#[test]
fn expressions_give_what_the_guide_says() {
    for (code, expected) in [
        ("return 7 // 2", "3"),
        ("return -7 // 2", "-4"),
        ("return -7 % 3", "2"),
        ("return -2 ** 2", "-4"),
        ("return 2 ** 3 ** 2", "512"),
        ("return 1 / 4", "0.25"),
        ("return not 1 == 2", "true"),
        ("return nil ?? 0 > 5", "false"),
        ("return \"Score: \" + 5", "\"Score: 5\""),
        ("return [1, 2] + [3]", "[1,2,3]"),
        ("return [1, 2, 4] == [1, 2, 4]", "true"),
        ("return {a: 1} == {a: 1}", "true"),
        ("return if 0 then \"yes\" else \"no\"", "\"yes\""),
        ("return (1, 2, 3) * 2 + (1, 0, 0)", "[3,4,6]"),
        ("return (3, 4).length", "5"),
        ("return (1, 2, 3).xz", "[1,3]"),
        ("return (1, 2).x0y", "[1,0,2]"),
        ("return #ff8800.g", "0.5333333611488342"),
        ("return #f80", "\"#ff8800\""),
        ("return 3 in 1..=3", "true"),
        ("return \"b\" not in [\"a\"]", "true"),
        ("return [10, 20, 30][-1]", "30"),
        ("return [10, 20, 30, 40][1..3]", "[20,30]"),
        ("return [1].get(5, 9)", "9"),
        ("return {a: 1, ...{b: 2}}.keys()", "[\"a\",\"b\"]"),
        ("let r = {a: {b: 2}}\nreturn r?.a?.b", "2"),
        ("let r = {}\nreturn r.a?.b.c", "null"),
        ("let r = {}\nreturn r.a?.f(1)", "null"),
        ("let n = 3\nreturn f\"{n} of {n * 2:.1} {{x}}\"", "\"3 of 6.0 {x}\""),
        ("return \"a,b\".split(\",\").map(fn(x) => x.upper())", "[\"A\",\"B\"]"),
        ("return [3, 1, 2].sorted()", "[1,2,3]"),
        ("return [\"bb\", \"a\"].sort(fn(x) => x.length)", "[\"a\",\"bb\"]"),
        ("return [1, 2, 3].reduce(0, fn(a, b) => a + b)", "6"),
        ("return math.sin(90)", "1"),
        ("return round(math.atan2(1, 1))", "45"),
        ("return max(1, 5, 3)", "5"),
        ("return (0.1, 0.2)", "[0.1,0.2]"),
        ("return type(1..2)", "\"range\""),
        ("let l = []\nfor i in (0..10).by(3)\n  l.push(i)\nend\nreturn l", "[0,3,6,9]"),
        ("let t = 0\nfor k, v in {a: 1, b: 2}\n  t += v\nend\nreturn t", "3"),
        ("let t = \"\"\nfor i, x in [5, 6]\n  t += i + \":\" + x + \" \"\nend\nreturn t", "\"0:5 1:6 \""),
        ("let v = (1, 2, 3)\nv.y += 5\nreturn v", "[1,7,3]"),
        ("let r = {list: [(1, 2, 3)]}\nr.list[0].x = 9\nreturn r.list[0]", "[9,2,3]"),
        ("let r = {v: (1, 2, 3)}\nr.v.z *= 2\nreturn r.v", "[1,2,6]"),
        ("let n = nil\nn ??= 4\nn ??= 5\nreturn n", "4"),
        ("let fs = []\nfor i in 0..3\n  fs.push(fn() => i)\nend\nreturn fs.map(fn(f) => f())", "[0,1,2]"),
        ("let n = 0\nfn add(x)\n  n += x\nend\nadd(2)\nadd(3)\nreturn n", "5"),
        ("fn f(a, b = a * 2) => a + b\nreturn f(1) + f(1, 1)", "5"),
        ("fn fib(n) => if n < 2 then n else fib(n - 1) + fib(n - 2)\nreturn fib(15)", "610"),
        (
            "match 3\n  case 1, 2 then return \"low\"\n  case 3..5 then return \"mid\"\n  else return \"no\"\nend",
            "\"mid\"",
        ),
        ("try\n  error(\"boom\")\ncatch e\n  return e.message\nend", "\"boom\""),
        ("try\n  let x = nil\n  return x.y\ncatch e\n  return e.code\nend", "\"E301\""),
        (
            "for i in 0..5\n  try\n    if i == 2 then break end\n  catch e\n    return 1\n  end\nend\ntry\n  error(\"x\")\ncatch e\n  return 7\nend",
            "7",
        ),
        ("let i = 0\nwhile true\n  i += 1\n  if i < 5 then continue end\n  return i\nend", "5"),
        ("let s = \"\"\nfor c in \"añ\"\n  s = c + s\nend\nreturn s", "\"ña\""),
        ("return [1, 2]\n  .map(fn(x)\n    let y = x * 2\n    return y\n  end)\n  .sum()", "6"),
        ("return random.int(1, 1)", "1"),
        ("let a = [1]\nlet b = copy(a)\nb.push(2)\nreturn [a.length, b.length, same(a, a)]", "[1,2,true]"),
    ] {
        assert_eq!(run(code), expected, "{code}");
    }
}

#[test]
fn errors_say_what_to_write_instead() {
    for (code, expected) in [
        (
            "return 1 / 0",
            "E306 1 is divided by zero (check the divisor first: `if n != 0 then …`) · scripts/test.wander:2:8",
        ),
        (
            "return [1, 2][2]",
            "E303 index 2 is out of range: there are 2 elements, 0 to 1 (`l.get(i, default)`, `l.first` and `l.last` give nil instead) · scripts/test.wander:2:8",
        ),
        (
            "return 1 < \"a\"",
            "E302 `1 < \"a\"` compares a number with a string (two numbers or two strings can be compared) · scripts/test.wander:2:8",
        ),
        (
            "let x = nil\nreturn x + 1",
            "E301 `x` is nil, so it cannot stand on the left of `+` (give it a default: `value ?? 0`) · scripts/test.wander:3:8",
        ),
        (
            "return [1].pusj(2)",
            "E216 a list has no method `pusj` (did you mean `push`?) · scripts/test.wander:2:8",
        ),
        (
            "return (1, 2) + (1, 2, 3)",
            "E305 a vector of 2 and one of 3 do not go together (make them the same size, such as `v.x0y` for a flat one) · scripts/test.wander:2:8",
        ),
        ("return sqrt(-1)", "E307 -1 has no square root · scripts/test.wander:2:8"),
        (
            "return fn() => 1",
            "E320 a function cannot be handed out of the script (return numbers, strings, lists and records) · scripts/test.wander:2:1",
        ),
    ] {
        assert_eq!(run(code), expected, "{code}");
    }
}

const ENEMIES_NEAR: &str = r#"fn run(args)
  let c = (0, 0, 0)
  if args.center then c = args.center end
  let out = []
  for e in find_all("enemy")
    if distance(e, c) <= args.radius then out.push({id: e.id, name: e.name, hp: e.hp}) end
  end
  return {count: out.length, enemies: out}
end"#;

#[test]
fn the_tool_that_finds_enemies_gives_the_promised_shape() {
    let mut world = World::default();
    for (number, x, tag) in [(1, 3.0, "enemy"), (2, 30.0, "enemy"), (3, 1.0, "lamp")] {
        let vars = [("hp".to_owned(), 2.0)].into();
        world
            .things
            .insert(number, Thing { name: format!("T{number}"), tag: tag.into(), pos: [x, 0.0, 0.0], vars });
    }
    let near = run_with(ENEMIES_NEAR, &json!({"radius": 5}), &mut world).unwrap();
    assert_eq!(near, json!({"count": 1, "enemies": [{"id": 1, "name": "T1", "hp": 2}]}));
    let there = run_with(ENEMIES_NEAR, &json!({"radius": 5, "center": [30, 0, 0]}), &mut world).unwrap();
    assert_eq!(there, json!({"count": 1, "enemies": [{"id": 2, "name": "T2", "hp": 2}]}));
    let error = run_with(ENEMIES_NEAR, &json!({}), &mut world).unwrap_err();
    assert!(error.starts_with("E302 `distance(e, c) <= args.radius` compares a number with nil"), "{error}");
}
