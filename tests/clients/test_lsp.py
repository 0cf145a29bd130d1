"""A real client of the Language Server Protocol against `skywalker lsp`, on the sample game's scripts."""

import asyncio
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import client_capabilities, make_test_lsp_client

PROGRAMS = pathlib.Path(os.environ["SKYWALKER_PROGRAMS"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
GAME = ROOT / "assets/games/lantern-keep"


def marked(text):
    """The text without its `$`, and the position where that stood, in UTF-16."""
    before = text.split("$", 1)[0]
    line = before.count("\n")
    column = len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2
    return text.replace("$", "", 1), types.Position(line, column)


def applied(text, edits):
    """A text after edits, which count UTF-16 and do not overlap."""
    starts = [0]
    for at, letter in enumerate(text):
        if letter == "\n":
            starts.append(at + 1)

    def offset(position):
        at, left = starts[position.line], position.character
        while left > 0:
            left -= len(text[at].encode("utf-16-le")) // 2
            at += 1
        return at

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


class Editor(unittest.IsolatedAsyncioTestCase):
    """An editor with a copy of the sample game, in a folder whose name needs care."""

    async def asyncSetUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sky"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.game = self.folder / "my gäme #1"
        shutil.copytree(GAME, self.game)
        await self.start(client_capabilities("visual-studio-code"))

    async def start(self, capabilities, **options):
        asyncio.get_running_loop().set_debug(False)
        self.client = make_test_lsp_client()
        self.registered = []

        @self.client.feature("client/registerCapability")
        def register(params):
            self.registered.extend(params.registrations)

        await self.client.start_io(str(PROGRAMS / "skywalker"), "lsp", cwd=ROOT)
        self.found = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities, root_uri=self.game.as_uri(), initialization_options=options or None
            )
        )

    async def asyncTearDown(self):
        await self.client.shutdown_session()
        await self.client.stop()

    def path(self, name):
        return self.game / "scripts" / name

    def uri(self, name):
        return self.path(name).as_uri()

    def text_of(self, name):
        return self.path(name).read_bytes().decode()

    def open(self, name, text=None, uri=None):
        text = self.text_of(name) if text is None else text
        item = types.TextDocumentItem(uri or self.uri(name), "wander", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(item.uri)

    def change(self, document, version, text, span=None):
        change = (
            types.TextDocumentContentChangeWholeDocument(text)
            if span is None
            else types.TextDocumentContentChangePartial(types.Range(*(types.Position(*at) for at in span)), text)
        )
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, document.uri), [change])
        )

    async def findings(self, document, wanted):
        """The findings of a document once they have these codes."""
        for _ in range(200):
            found = self.client.diagnostics.get(document.uri)
            if found is not None and [one.code for one in found] == wanted:
                return found
            await asyncio.sleep(0.02)
        self.fail(f"wanted {wanted}, found {self.client.diagnostics.get(document.uri)}")

    def at(self, name, text):
        """Opens a script with this text; the place of the `$` in it."""
        text, position = marked(text)
        document = self.open(name, text)
        return document, position

    def in_file(self, name, part):
        """A script of the game as it is: the place of the `$` within a part of its text."""
        whole = self.text_of(name)
        self.assertIn(part.replace("$", ""), whole)
        return self.at(name, whole.replace(part.replace("$", ""), part, 1))

    async def hover(self, place):
        result = await self.client.text_document_hover_async(types.HoverParams(*place))
        return result.contents.value if result else ""

    async def completions(self, place):
        result = await self.client.text_document_completion_async(types.CompletionParams(*place))
        items = result.items if hasattr(result, "items") else result
        return {item.label: item for item in items}

    async def definition(self, place):
        result = await self.client.text_document_definition_async(types.DefinitionParams(*place))
        return [(pathlib.Path(one.uri).name, one.range.start.line) for one in result or []]

    async def references(self, place):
        params = types.ReferenceParams(types.ReferenceContext(True), *place)
        result = await self.client.text_document_references_async(params)
        return [(pathlib.Path(one.uri).name, one.range.start.line) for one in result or []]

    async def rename(self, place, name):
        """Every changed file's text by its name."""
        document, position = place
        result = await self.client.text_document_rename_async(types.RenameParams(document, position, name))
        changed = {}
        for uri, edits in result.changes.items():
            file = pathlib.Path(uri).name
            folder = "lib/" if uri.endswith("/lib/" + file) else ""
            changed[file] = applied(self.text_of(folder + file), edits)
        return changed

    async def refused(self, place, name):
        with self.assertRaises(JsonRpcException) as caught:
            await self.rename(place, name)
        return caught.exception.message

    async def test_every_script_of_the_game_is_fine(self):
        names = [path.relative_to(self.game / "scripts").as_posix() for path in self.path("").rglob("*.wander")]
        self.assertGreater(len(names), 5)
        for document in [self.open(name) for name in names]:
            await self.findings(document, [])

    async def test_findings_are_of_the_text_that_is_not_saved(self):
        document = self.open("blade.wander", "prop rate = 3\non update(dt)\n  self.rot.y += ratee * dt\n  lett()\nend\n")
        first, second = await self.findings(document, ["E201", "E201"])
        self.assertEqual(first.severity, types.DiagnosticSeverity.Error)
        self.assertEqual(first.source, "wander")
        self.assertIn("unknown name `ratee`\ndid you mean `rate`?", first.message)
        self.assertEqual((first.range.start, first.range.end), (types.Position(2, 16), types.Position(2, 21)))
        # The name that was meant, and what the code means.
        (related,) = first.related_information
        self.assertEqual(related.location.uri, document.uri)
        self.assertEqual(related.location.range.start, types.Position(0, 5))
        page = pathlib.Path(first.code_description.href.removeprefix("file://"))
        self.assertTrue(page.is_file() and page.name == "E201.md", page)
        # Mended, and broken again by a change of a part.
        self.change(document, 2, self.text_of("blade.wander"))
        await self.findings(document, [])
        self.change(document, 3, "on start()\n  let unused = 1\nend\n", ((1, 0), (1, 0)))
        (unused,) = await self.findings(document, ["W203"])
        self.assertEqual(unused.severity, types.DiagnosticSeverity.Warning)
        self.assertEqual(list(unused.tags), [types.DiagnosticTag.Unnecessary])
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        await self.findings(document, [])

    async def test_modules_are_those_that_are_open(self):
        hero = self.open("hero.wander")
        feel = self.open("lib/feel.wander")
        await self.findings(hero, [])
        text = self.text_of("lib/feel.wander")
        self.change(feel, 2, text.replace("fn yaw_of", "fn yaw"))
        (gone,) = await self.findings(hero, ["E216"])
        self.assertIn("yaw_of", gone.message)
        # One that does not compile is told where it is used, with the reason beside.
        self.change(feel, 3, "fn approach(\n")
        found = None
        for _ in range(200):
            found = self.client.diagnostics.get(hero.uri)
            if found and found[0].code == "E217":
                break
            await asyncio.sleep(0.02)
        self.assertEqual(found[0].code, "E217")
        self.assertEqual(found[0].related_information[0].location.uri, feel.uri)
        # Closed without saving, it is what the disk says.
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(feel))
        await self.findings(hero, [])

    async def test_modules_that_are_not_open_are_checked_with_who_uses_them(self):
        self.path("lib/feel.wander").write_text(self.text_of("lib/feel.wander") + "let x = yy\n")
        self.open("hero.wander")
        feel = types.TextDocumentIdentifier(self.uri("lib/feel.wander"))
        await self.findings(feel, ["E201"])
        self.path("lib/feel.wander").write_text(GAME.joinpath("scripts/lib/feel.wander").read_text())
        self.assertEqual(self.registered[0].method, "workspace/didChangeWatchedFiles")
        event = types.FileEvent(feel.uri, types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        await self.findings(feel, [])

    async def test_pages_of_errors_can_be_elsewhere(self):
        await self.client.shutdown_session()
        await self.client.stop()
        await self.start(client_capabilities("neovim"), errorPages="https://example.org/wander/{code}")
        (found,) = await self.findings(self.open("blade.wander", "let x = y\n"), ["E201"])
        self.assertEqual(found.code_description.href, "https://example.org/wander/E201")

    async def test_quick_fixes_are_what_the_finding_says(self):
        text = "on start()\n  local x = 1\n  self:add_tag(x)\nend\n"
        document = self.open("blade.wander", text)
        await self.findings(document, ["E108", "E108"])
        whole = types.Range(types.Position(0, 0), types.Position(9, 0))
        context = types.CodeActionContext(diagnostics=[])
        ask = lambda span, context: self.client.text_document_code_action_async(
            types.CodeActionParams(document, span, context)
        )
        actions = await ask(whole, context)
        self.assertEqual([one.title for one in actions], ["Write `let` instead of `local`", "Write `.` instead of `:`"])
        self.assertTrue(all(one.kind == "quickfix" and one.diagnostics[0].code == "E108" for one in actions))
        edits = [edit for one in actions for edit in one.edit.changes[document.uri]]
        self.change(document, 2, applied(text, edits))
        await self.findings(document, [])
        # Only those that are asked for.
        self.assertFalse(await ask(whole, types.CodeActionContext([], only=["refactor"])))
        self.change(document, 3, text)
        line = types.Range(types.Position(1, 3), types.Position(1, 3))
        self.assertEqual(len(await ask(line, context)), 1)

    async def test_hover_tells_what_a_name_is(self):
        cases = [
            ("hero.wander", "feel.$approach", ["fn approach(from, to, step)", "moved toward another by at most a step"]),
            ("hero.wander", "limit(1) * $speed", ["prop speed = 5 in 0..20", "metres a second on the ground"]),
            ("hero.wander", "ti$me.now < safe", ["time", "`now`"]),
            ("hero.wander", "time.no$w < safe", ["time.now", "seconds that the world has run"]),
            ("hero.wander", "self.po$s = home", ["entity.pos", "relative to its parent"]),
            ("hero.wander", "self.mo$ve(velocity)", ["entity.move(a)", "slides along walls"]),
            ("hero.wander", "$find(\"Game\")", ["find(a)", "the entity of that name"]),
            ("hero.wander", "wish.leng$th * dt", ["vector.length", "its length"]),
            ("hero.wander", "game.ov$er then", ["let over = false", "scripts/game.wander"]),
            ("hero.wander", "on e$nter(other)", ["on enter(other)", "comes into its sensor"]),
            ("hero.wander", "\"flame_ta$ken\"", ["on flame_taken(data)", "sent in 1 place, handled in 1 place"]),
            ("hero.wander", "use \"lib/f$eel\"", ["scripts/lib/feel.wander", "`turn`"]),
            ("shade.wander", "let targ$et =", ["let target = if near then hero.pos else goal"]),
        ]
        for name, part, wanted in cases:
            told = await self.hover(self.in_file(name, part))
            for text in wanted:
                self.assertIn(text, told, part)
        self.assertEqual(await self.hover(self.in_file("hero.wander", "-- The k$eeper")), "")

    async def test_hover_works_in_statements_that_are_half_written(self):
        place = self.at("blade.wander", "prop rate = 1 --- turns\non start()\n  print(ra$te, self.\nend\n")
        self.assertIn("turns", await self.hover(place))

    async def test_completion_knows_the_names_in_sight(self):
        text = "const TOP = 1\nfn f(first)\n  let second = 2\n  do\n    let hidden = 3\n  end\n  $\n  let later = 4\nend\n"
        found = await self.completions(self.at("blade.wander", text))
        for name, kind in [
            ("first", types.CompletionItemKind.Variable),
            ("TOP", types.CompletionItemKind.Constant),
            ("f", types.CompletionItemKind.Function),
            ("clamp", types.CompletionItemKind.Function),
            ("math", types.CompletionItemKind.Module),
            ("while", types.CompletionItemKind.Keyword),
            ("self", types.CompletionItemKind.Keyword),
        ]:
            self.assertEqual(found[name].kind, kind, name)
        self.assertIn("second", found)
        self.assertFalse({"hidden", "later", "being_written_"} & set(found))
        self.assertLess(found["first"].sort_text, found["TOP"].sort_text)
        self.assertEqual(found["clamp"].detail, "clamp(a, b, c)")

    async def test_completion_behind_a_dot_is_by_the_kind_of_value(self):
        head = 'use "lib/feel"\nprop sight = 3\nlet way = (1, 2)\nfn greet()\nend\non enter(other)\n  '
        cases = [
            ("math.$", {"sin", "pi", "move_toward"}, {"push", "pos"}),
            ("print(time.$", {"now", "dt"}, {"sin"}),
            ("feel.$", {"approach", "turn", "yaw_of"}, {"sin"}),
            ("self.$", {"pos", "move", "sight", "greet", "way", "vars"}, {"push", "flames"}),
            ("self.po$", {"pos"}, set()),
            ("self.pos.$", {"lerp", "x", "length", "normalized"}, {"push", "has_tag"}),
            ("let w = way.n$", {"normalized"}, {"push"}),
            ("other.$", {"has_tag", "pos", "hearts", "bounce"}, {"push", "lerp"}),
            ("find(\"x\").$", {"has_tag", "over"}, {"lerp"}),
            ("for e in find_all(\"x\")\n    e.$\n  end", {"has_tag"}, {"push"}),
            ("find_all(\"x\").$", {"map", "first"}, {"has_tag"}),
            ("print(f\"{self.$}\")", {"pos"}, {"push"}),
            ("\"a\".$", {"upper", "split"}, {"push"}),
            ("let r = {hp: 1}\n  r.$", {"hp", "keys"}, {"upper"}),
            ("print(mystery.$)", {"pos", "push", "upper"}, set()),
            ("let n = 1\n  n.$", set(), {"push", "pos"}),
        ]
        for code, wanted, unwanted in cases:
            found = set(await self.completions(self.at("blade.wander", f"{head}{code}\nend\n")))
            self.assertLessEqual(wanted, found, code)
            self.assertFalse(unwanted & found, code)

    async def test_completion_knows_events_and_modules(self):
        found = await self.completions(self.at("blade.wander", "on $"))
        self.assertLessEqual({"update", "collide", "flame_taken", "stomped"}, set(found))
        self.assertEqual(found["collide"].detail, "on collide(other, hit)")
        found = await self.completions(self.at("blade.wander", 'use "$"\n'))
        self.assertEqual(set(found), {"lib/feel"})
        place = self.at("blade.wander", 'use "lib/fe$"\n')
        item = (await self.completions(place))["lib/feel"]
        self.assertEqual(applied('use "lib/fe"\n', [item.text_edit]), 'use "lib/feel"\n')
        found = await self.completions(self.at("blade.wander", 'on start()\n  send(self, "$")\nend\n'))
        self.assertLessEqual({"hero_hurt", "stomped"}, set(found))

    async def test_nothing_is_offered_where_nothing_can_be_meant(self):
        for text in ["-- so$", 'print("so$")', "let so$", "fn so$", 'print(f"so$")', "let x = 12$", "use \"a\" as $"]:
            self.assertEqual(await self.completions(self.at("blade.wander", text)), {}, text)

    async def test_signatures_follow_the_argument(self):
        cases = [
            ("fn fall(height, hard = true)\nend\non start()\n  fall(1, $\nend\n", "fn fall(height, hard = true)", 1),
            ("on start()\n  clamp($\nend\n", "clamp(a, b, c)", 0),
            ("on start()\n  print(math.lerp_(1), math.approx((1, 2), [3, 4], $\nend\n", "math.approx(a, b, c?)", 2),
            ("use \"lib/feel\"\non start()\n  feel.turn(1, $)\nend\n", "fn turn(from, to, step)", 1),
            ("on start()\n  self.set(\"light\", $\nend\n", "entity.set(a, b, c)", 1),
            ("on start()\n  print(f\"{max(1, $)}\")\nend\n", "max(a, b?, c?, d?, e?, f?, g?, h?)", 1),
        ]
        for text, label, argument in cases:
            params = types.SignatureHelpParams(*self.at("blade.wander", text))
            found = await self.client.text_document_signature_help_async(params)
            self.assertIsNotNone(found, text)
            self.assertEqual((found.signatures[0].label, found.active_parameter), (label, argument))
        params = types.SignatureHelpParams(*self.at("blade.wander", "fn f(a, $"))
        self.assertIsNone(await self.client.text_document_signature_help_async(params))

    async def test_definitions_are_found_across_files(self):
        lines = self.text_of("hero.wander").split("\n")
        here = lambda start: ("hero.wander", next(at for at, line in enumerate(lines) if line.startswith(start)))
        cases = [
            ("hero.wander", "limit(1) * $speed", [here("prop speed")]),
            ("hero.wander", "velocity.z = $feel", [("hero.wander", 1)]),
            ("hero.wander", "use \"lib/$feel", [("feel.wander", 0)]),
            ("hero.wander", "feel.$turn(", [("feel.wander", 13)]),
            ("hero.wander", "then $fall() end", [here("fn fall")]),
            ("hero.wander", "wish.l$ength * dt", []),
            ("hero.wander", "game.$over", [("game.wander", 3)]),
            ("hero.wander", "\"flame_$taken\"", [("game.wander", 14)]),
            ("game.wander", "$over = true", [("game.wander", 3)]),
            ("shade.wander", "way.limit(1) * $speed", [("shade.wander", 5)]),
        ]
        for name, part, wanted in cases:
            self.assertEqual(await self.definition(self.in_file(name, part)), wanted, part)

    async def test_references_respect_scopes_and_files(self):
        place = self.at("blade.wander", "let x = 1\nfn f(x)\n  return $x\nend\nfn g()\n  return x\nend\n")
        self.assertEqual(await self.references(place), [("blade.wander", 1), ("blade.wander", 2)])
        place = self.in_file("lib/feel.wander", "fn $turn(")
        names = [name for name, _ in await self.references(place)]
        self.assertEqual(names, ["hero.wander", "feel.wander", "shade.wander"])
        names = [name for name, _ in await self.references(self.in_file("game.wander", "let $over"))]
        self.assertEqual(sorted(set(names)), ["game.wander", "hero.wander", "shade.wander"])
        names = [name for name, _ in await self.references(self.in_file("game.wander", "on $hero_hurt"))]
        self.assertEqual(names, ["game.wander", "hero.wander"])

    async def test_renaming_changes_every_use_and_nothing_else(self):
        text = self.text_of("hero.wander")
        changed = await self.rename(self.in_file("hero.wander", "let $velocity"), "motion")
        self.assertEqual(changed, {"hero.wander": text.replace("velocity", "motion")})
        changed = await self.rename(self.in_file("lib/feel.wander", "fn $turn("), "turned")
        self.assertEqual(set(changed), {"hero.wander", "shade.wander", "feel.wander"})
        for name, new in changed.items():
            folder = "lib/" if name == "feel.wander" else ""
            old = self.text_of(folder + name)
            self.assertEqual(new, old.replace("fn turn(", "fn turned(").replace("feel.turn(", "feel.turned("))
        changed = await self.rename(self.in_file("hero.wander", "velocity.z = $feel"), "soft")
        wanted = text.replace("feel.", "soft.").replace('use "lib/feel"', 'use "lib/feel" as soft')
        self.assertEqual(changed, {"hero.wander": wanted})

    async def test_renaming_asks_first_what_would_be_renamed(self):
        place = self.in_file("hero.wander", "let $velocity")
        found = await self.client.text_document_prepare_rename_async(types.PrepareRenameParams(*place))
        self.assertEqual(found.placeholder, "velocity")
        place = self.in_file("hero.wander", "self.p$os = home")
        with self.assertRaises(JsonRpcException) as caught:
            await self.client.text_document_prepare_rename_async(types.PrepareRenameParams(*place))
        self.assertIn("all entities have", caught.exception.message)

    async def test_what_cannot_be_renamed_says_why(self):
        for part, name, reason in [
            ("let $velocity", "home", "already"),
            ("let $velocity", "end", "keyword"),
            ("let $velocity", "2nd", "no name"),
            ("let $velocity", "pos", "all entities have"),
            ("$find(\"Game\")", "seek", "belongs to the library"),
            ("on $start()", "begin", "is an event"),
            ("let $flames", "fires", "it may be this one"),
            ("let $hearts", "lives_left", "it may be this one"),
            ("use \"lib/f$eel\"", "soft", "path of a file"),
            ("game.$over", "done", "where a script declares it"),
        ]:
            self.assertIn(reason, await self.refused(self.in_file("hero.wander", part), name), part)
        # A scene sets it by its name.
        place = self.in_file("lift.wander", "prop $height")
        self.assertIn("keep.scene.json", await self.refused(place, "rise"))
        self.assertIn("mend them first", await self.refused(self.at("blade.wander", "let $own = 1\nlet y = (\n"), "z"))

    async def test_the_outline_has_what_is_declared(self):
        document = self.open("game.wander")
        found = await self.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        names = [(one.name, one.kind) for one in found]
        self.assertEqual(names[0], ("needed", types.SymbolKind.Property))
        self.assertIn(("on flame_taken", types.SymbolKind.Event), names)
        self.assertIn(("finish", types.SymbolKind.Function), names)
        finish = next(one for one in found if one.name == "finish")
        self.assertEqual(finish.detail, "(words, result)")
        self.assertGreater(finish.range.end.line, finish.range.start.line + 5)
        document = self.open("blade.wander", "fn f()\n  fn g()\n    fn h() => 1\n  end\nend\nfn i() => 2\n")
        (f, i) = await self.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        self.assertEqual((f.children[0].name, f.children[0].children[0].name, i.name), ("g", "h", "i"))

    async def test_every_part_of_a_script_has_its_kind(self):
        text = (
            'use "lib/feel" as f\n--- how far\nprop reach = 3 -- metres\n\non update(dt)\n'
            '  self.pos = f.turn(math.pi, f"é🎈{reach:.1} and {dt}", #fff).end\n  let t = """a\n  b"""\nend\n'
        )
        document = self.open("blade.wander", text)
        result = await self.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        legend = self.found.capabilities.semantic_tokens_provider.legend
        lines = [line.encode("utf-16-le") for line in text.split("\n")]
        line = column = 0
        found = []
        for at in range(0, len(result.data), 5):
            down, right, length, kind, modifiers = result.data[at : at + 5]
            column = right if down else column + right
            line += down
            written = lines[line][column * 2 : (column + length) * 2].decode("utf-16-le")
            more = [name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1]
            found.append(" ".join([written, legend.token_types[kind], *more]))
        for wanted in [
            "use keyword",
            '"lib/feel" string',
            "f namespace declaration",
            "--- how far comment documentation",
            "reach property declaration",
            "3 number",
            "-- metres comment",
            "update event declaration",
            "dt parameter declaration",
            "self keyword",
            "pos property",
            "f namespace",
            "turn method",
            "math namespace defaultLibrary",
            "pi property defaultLibrary",
            'f"é🎈{ string',
            "reach property",
            ":.1} and { string",
            "dt parameter",
            '}" string',
            "#fff number",
            "end property",
            "let keyword",
            "t variable declaration",
            '"""a string',
            'b""" string',
            "end keyword",
        ]:
            self.assertIn(wanted, [one.strip() for one in found])
            found = found[[one.strip() for one in found].index(wanted) + 1 :]

    async def test_formatting_is_that_of_the_command(self):
        text = "on start()\n      print( 1,2 )\nend\n\n\n\nfn f( a )\nreturn a\nend\n"
        document = self.open("blade.wander", text)
        options = types.FormattingOptions(tab_size=4, insert_spaces=False)
        ask = lambda: self.client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        edits = await ask()
        self.path("blade.wander").write_text(text)
        subprocess.run([PROGRAMS / "skywalker", "fmt", self.path("blade.wander")], check=True, capture_output=True)
        self.assertEqual(applied(text, edits), self.text_of("blade.wander"))
        self.change(document, 2, self.text_of("blade.wander"))
        self.assertFalse(await ask())
        self.change(document, 3, "fn f(\n")
        self.assertFalse(await ask())

    async def test_positions_count_utf_16_through_emoji_and_crlf(self):
        text = 'on start()\r\n  let 🎈 = 1\r\nend\r\n'
        document = self.open("blade.wander", text)
        for _ in range(200):
            if self.client.diagnostics.get(document.uri):
                break
            await asyncio.sleep(0.02)
        self.assertEqual(self.client.diagnostics[document.uri][0].range.end.line, 1)
        text = 'on start()\r\n  print("🎈é", rat)\r\nend\r\nprop rate = 1\r\n'
        self.change(document, 2, text)
        (found,) = await self.findings(document, ["E201"])
        self.assertEqual((found.range.start.character, found.range.end.character), (15, 18))
        # A change behind the balloon, by a part of the text.
        self.change(document, 3, "rate", ((1, 15), (1, 18)))
        await self.findings(document, [])
        place = (document, types.Position(1, 16))
        self.assertIn("prop rate = 1", await self.hover(place))

    async def test_positions_count_bytes_where_the_client_can(self):
        self.assertEqual(self.found.capabilities.position_encoding, "utf-16")
        await self.client.shutdown_session()
        await self.client.stop()
        general = types.GeneralClientCapabilities(position_encodings=["utf-16", "utf-8"])
        await self.start(types.ClientCapabilities(general=general))
        self.assertEqual(self.found.capabilities.position_encoding, "utf-8")
        document = self.open("blade.wander", 'on start()\n  print("🎈é", rat)\nend\n')
        (found,) = await self.findings(document, ["E201"])
        self.assertEqual((found.range.start.character, found.range.end.character), (18, 21))

    async def test_scripts_of_no_game_are_served_too(self):
        loose = self.folder / "loose"
        (loose / "lib").mkdir(parents=True)
        (loose / "lib" / "steps.wander").write_text("--- One more.\nfn next(n) => n + 1\n")
        text, position = marked('use "lib/steps"\nlet n = steps.n$ext(1)\nif n > 1 then n = 2 end\n')
        (loose / "main.wander").write_text(text)
        document = self.open("", text, (loose / "main.wander").as_uri())
        await self.findings(document, [])
        self.assertIn("One more.", await self.hover((document, position)))
        # No file at all.
        untitled = self.open("", "on start()\n  print(nme)\nend\n", "untitled:Untitled-1")
        await self.findings(untitled, ["E201"])
        # A file that is gone from the disk lives on in the editor.
        (loose / "main.wander").unlink()
        self.assertIn("One more.", await self.hover((document, position)))
        (loose / "lib" / "steps.wander").unlink()
        self.change(document, 2, text + "\n")
        await self.findings(document, ["E217"])

    async def test_huge_files_are_told_of(self):
        document = self.open("blade.wander", "-- so much\n" * 30_000)
        (found,) = await self.findings(document, ["E508"])
        self.assertIn("at most 262144", found.message)
        self.assertEqual(await self.hover((document, types.Position(5, 1))), "")
        self.assertIn("if", await self.completions((document, types.Position(29_999, 0))) or {"if": 0})

    async def test_half_written_texts_harm_nothing(self):
        whole = self.text_of("hero.wander")
        document = self.open("hero.wander", "")
        for number, length in enumerate(range(0, len(whole), 97)):
            text = whole[:length]
            self.change(document, number + 2, text)
            position = types.Position(text.count("\n"), len(text.rsplit("\n", 1)[-1]))
            place = (document, position)
            await asyncio.gather(
                self.hover(place),
                self.completions(place),
                self.client.text_document_signature_help_async(types.SignatureHelpParams(*place)),
                self.references(place),
                self.client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
            )

    async def test_unknown_requests_are_not_found(self):
        with self.assertRaises(JsonRpcException) as caught:
            await self.client.protocol.send_request_async("wander/dance", {})
        self.assertEqual(caught.exception.code, -32601)


if __name__ == "__main__":
    unittest.main()
