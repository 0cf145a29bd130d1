// The TextMate grammar in the engine of VS Code: pinned pieces of text, and every script that the project has.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.resolve(__dirname, "../../..");
const home = path.join(root, "docs/editors/vscode");

async function load() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(home, "wander.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  return registry.loadGrammar("source.wander");
}

const loaded = load();

/** The tokens of a text: what is written, and its scopes without the language's own. */
async function tokens(text) {
  const grammar = await loaded;
  const found = [];
  let stack = textmate.INITIAL;
  for (const line of text.split(/\r?\n/)) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      const written = line.slice(token.startIndex, token.endIndex);
      if (written.trim() !== "") {
        const scopes = token.scopes.slice(1).map((scope) => scope.replace(/\.wander$/, ""));
        found.push([written.trim(), scopes]);
      }
    }
  }
  return { found, open: stack.depth };
}

/** The innermost scope of each thing that is written, beside it. */
async function shown(text) {
  const { found } = await tokens(text);
  return found.map(([written, scopes]) => `${written} ${scopes[scopes.length - 1] ?? "-"}`);
}

/** Pieces of text, and the tokens that must be among theirs, in order. */
const PIECES = [
  ["let x = 1_000 + 2.5e-3 + 0xff", ["let storage.type.let", "x variable.other.declaration", "= keyword.operator.assignment",
    "1_000 constant.numeric", "+ keyword.operator.arithmetic", "2.5e-3 constant.numeric", "0xff constant.numeric.hex"]],
  ["for i in 0..10", ["for keyword.control", "i variable.other", "in keyword.operator.word", "0 constant.numeric",
    ".. keyword.operator.range", "10 constant.numeric"]],
  ["1..=6", ["1 constant.numeric", "..= keyword.operator.range", "6 constant.numeric"]],
  ["[...a, ...b]", ["... keyword.operator.spread", "a variable.other", "... keyword.operator.spread"]],
  ["prop speed = 3.5 in 0..20 --- how fast", ["prop storage.modifier.prop", "speed variable.other.property",
    "--- punctuation.definition.comment", "how fast comment.line.documentation"]],
  ["x = 1 -- why", ["-- punctuation.definition.comment", "why comment.line.double-dash"]],
  ["use \"lib/steering\" as st", ["use keyword.control.import", "lib/steering string.quoted.double", "as keyword.control.import",
    "st entity.name.namespace"]],
  ["let as = use_it", ["as variable.other.declaration", "use_it variable.other"]],
  ["on collide(other, hit)", ["on keyword.declaration.handler", "collide entity.name.function.handler", "other variable.other"]],
  ["fn step(a, b = 2) => a", ["fn storage.type.function", "step entity.name.function", "a variable.other",
    "=> storage.type.function.arrow"]],
  ["l.map(fn(x) => x)", ["map entity.name.function.member", "fn storage.type.function"]],
  ["s.match(p) + args.end", ["match entity.name.function.member", "end variable.other.member"]],
  ["a?.b?[0] ?? nil", ["?. punctuation.accessor", "b variable.other.member", "?[ punctuation.section.brackets",
    "?? keyword.operator.nil", "nil constant.language"]],
  ["{on: true, end: 1, name, [k]: 2}", ["{ punctuation.section.braces.begin", "on variable.other.key", "true constant.language",
    "end variable.other.key", "name variable.other", "} punctuation.section.braces.end"]],
  ["math.sin(time.now) + math", ["math support.class.area", "sin entity.name.function.member", "time support.class.area",
    "now variable.other.member", "math variable.other"]],
  ["random()", ["random entity.name.function.call"]],
  ["self.pos.x0y", ["self variable.language.self", "pos variable.other.member", "x0y variable.other.member"]],
  ["#f80 + #ff8800 + #ff880080", ["#f80 constant.other.color", "#ff8800 constant.other.color", "#ff880080 constant.other.color"]],
  ["#ff88 + #ff880", ["#ff88 constant.other.color", "#ff880 invalid.illegal.color"]],
  ["\"a\\n\\u{1F600}\\q\"", ["\\n constant.character.escape", "\\u{1F600} constant.character.escape", "\\q invalid.illegal.escape"]],
  ["'it {x}'", ["it {x} string.quoted.single"]],
  ["\"\"\"a \\n {b} \"c\"\n  on d\"\"\" + 1", ["a \\n {b} \"c\" string.quoted.triple", "on d string.quoted.triple",
    "1 constant.numeric"]],
  ["f\"hp {e.hp} of {max:.1}\"", ["f storage.type.string", "hp string.interpolated", "{ punctuation.section.embedded.begin",
    "e variable.other", "hp variable.other.member", "} punctuation.section.embedded.end", "max variable.other",
    ":.1 constant.other.format", "} punctuation.section.embedded.end", "\" punctuation.definition.string.end"]],
  ["f\"{{x}} {f(\"a}\", {b: [1]})} end\" + if", ["{{ constant.character.escape", "}} constant.character.escape",
    "f entity.name.function.call", "a} string.quoted.double", "b variable.other.key", "1 constant.numeric",
    "end string.interpolated", "if keyword.control"]],
  ["f'{f\"{x}\"}' + 1", ["f storage.type.string", "f storage.type.string", "x variable.other", "1 constant.numeric"]],
  ["a //= 2 // 3", ["//= keyword.operator.assignment", "// keyword.operator.arithmetic"]],
  ["not a == b and c not in d", ["not keyword.operator.word", "== keyword.operator.comparison", "and keyword.operator.word",
    "not keyword.operator.word", "in keyword.operator.word"]],
  ["const MAX_HP = 100\nprint(MAX_HP)", ["MAX_HP variable.other.constant", "print entity.name.function.call",
    "MAX_HP variable.other.constant"]],
  ["ending + format + onto", ["ending variable.other", "format variable.other", "onto variable.other"]],
];

for (const [text, wanted] of PIECES) {
  test(`pieces: ${text.split("\n")[0]}`, async () => {
    const found = await shown(text);
    let at = 0;
    for (const token of wanted) {
      const next = found.indexOf(token, at);
      assert.ok(next >= 0, `${token} is not behind ${found.slice(0, at).join(" | ")} in ${found.join(" | ")}`);
      at = next + 1;
    }
  });
}

test("a string that is not closed ends with its line", async () => {
  for (const text of ["let x = \"a", "let x = 'a", "let x = f\"a {b", "let x = f'{g(\"a"]) {
    const found = await shown(`${text}\nend`);
    assert.strictEqual(found[found.length - 1], "end keyword.control", text);
  }
});

function scripts(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) return scripts(inner);
    return entry.name.endsWith(".wander") ? [inner] : [];
  });
}

for (const folder of ["assets/games/lantern-keep/scripts", "tests/cases/wander/ok"]) {
  test(`everything in ${folder} has a meaning`, async () => {
    const files = scripts(path.join(root, folder));
    assert.ok(files.length > 5);
    for (const file of files) {
      const text = fs.readFileSync(file, "utf8");
      const { found, open } = await tokens(text);
      const bare = found.filter(([, scopes]) => scopes.length === 0 || scopes.some((scope) => scope.startsWith("invalid")));
      assert.deepStrictEqual(bare, [], file);
      assert.strictEqual(open, 1, `${file} ends inside of something`);
    }
  });
}

test("every keyword of the language is one of the grammar", async () => {
  const source = fs.readFileSync(path.join(root, "engine/wander/src/token.rs"), "utf8");
  const list = source.split("words! {")[1].split("}")[0];
  const words = [...list.matchAll(/"(\w+)"/g)].map((match) => match[1]);
  assert.ok(words.length > 25);
  for (const word of words) {
    const [token] = await shown(word);
    assert.match(token, / (keyword|storage|constant\.language|variable\.language)/, word);
  }
});

test("the extension's own files are there", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(home, "package.json"), "utf8"));
  const { languages, grammars } = manifest.contributes;
  for (const file of [languages[0].configuration, grammars[0].path]) {
    JSON.parse(fs.readFileSync(path.join(home, file), "utf8"));
  }
  const rules = JSON.parse(fs.readFileSync(path.join(home, languages[0].configuration), "utf8")).indentationRules;
  const more = new RegExp(rules.increaseIndentPattern);
  for (const line of ["fn f()", "on start()", "  if x then", "else", "spawn(fn()", "for i in l"]) {
    assert.match(line, more);
  }
  for (const line of ["if x then y() end", "fn f() => 1", "-- if x", "let x = 1", "end"]) {
    assert.doesNotMatch(line, more);
  }
});
