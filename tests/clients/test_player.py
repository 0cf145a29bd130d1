"""The official Python MCP client against the real player: reads, edits, presses a button, undoes, and does harm."""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import anyio
import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client

PROGRAMS = pathlib.Path(os.environ["SKYWALKER_PROGRAMS"])
GAME = pathlib.Path(__file__).resolve().parents[2] / "assets/games/lantern-keep"


class Player:
    """A player process with its socket, ended when the test is over."""

    def __init__(self, test, game=GAME, display=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sky"))
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.socket = self.folder / "run" / "a.sock"
        kind = ["--headless"] if display is None else ["--size", "640x360"]
        command = [PROGRAMS / "skywalker-player", game, *kind, "--agent-socket", self.socket]
        environment = {**os.environ, "DISPLAY": display or ""}
        environment.pop("WAYLAND_DISPLAY", None)
        self.process = subprocess.Popen(
            [str(part) for part in command], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment
        )
        test.addCleanup(self.end)
        deadline = time.monotonic() + 60
        while not self.socket.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(self.process.stderr.read().decode())
            time.sleep(0.01)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def raw(self, *lines):
        """Sends lines as they are and gives the answers."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(str(self.socket))
            reader = connection.makefile("r")
            answers = []
            for line in lines:
                connection.sendall(line.encode() + b"\n")
                answers.append(json.loads(reader.readline()))
            return answers


def talk(player, conversation):
    """Runs a conversation of the official client through `skywalker mcp --attach`."""

    async def run():
        parameters = StdioServerParameters(
            command=str(PROGRAMS / "skywalker"), args=["mcp", "--attach", str(player.socket)]
        )
        async with stdio_client(parameters) as (read, write):
            async with mcp.ClientSession(read, write) as session:
                await session.initialize()
                return await conversation(session)

    return anyio.run(run)


async def picture(session):
    """The bytes of a small picture of the game, checked to be a PNG."""
    result = await session.call_tool("capture", {"width": 320, "height": 180})
    images = [part for part in result.content if part.type == "image"]
    if len(images) != 1:
        raise AssertionError(result.content)
    data = base64.b64decode(images[0].data)
    if not data.startswith(b"\x89PNG"):
        raise AssertionError("the picture is no PNG")
    return data


def structured(result):
    if getattr(result, "is_error", False) or getattr(result, "isError", False):
        raise AssertionError(result.content[0].text)
    value = getattr(result, "structured_content", None)
    return value if value is not None else result.structuredContent


class PlayerTest(unittest.TestCase):
    def test_a_client_lists_reads_edits_jumps_and_undoes(self):
        self.converse(Player(self))

    def test_the_same_in_a_window(self):
        self.converse(Player(self, display=self.display()))

    def test_a_minute_of_play_ends_alike_with_and_without_a_window(self):
        self.assertEqual(self.hashes(Player(self)), self.hashes(Player(self, display=self.display())))

    def test_keys_that_are_pressed_in_the_window_move_the_hero(self):
        display = self.display()
        player = Player(self, display=display)

        def press(*words):
            subprocess.run(["xdotool", *words], check=True, env={**os.environ, "DISPLAY": display}, timeout=30)

        async def conversation(session):
            async def right():
                hero = structured(await session.call_tool("entity_get", {"entity": "Hero"}))
                return hero["pose"]["position"][0]

            async def wait_until(condition):
                deadline = time.monotonic() + 20
                while not condition(await right()):
                    self.assertLess(time.monotonic(), deadline, "the hero does not move as pressed")
                    await anyio.sleep(0.02)

            press("search", "--sync", "--onlyvisible", "--name", "Lantern Keep", "windowfocus", "--sync")
            begin = await right()
            press("keydown", "d")
            await wait_until(lambda x: x > begin + 0.5)
            press("keyup", "d")
            press("keydown", "Left")
            await wait_until(lambda x: x < begin)
            press("keyup", "Left")

        talk(player, conversation)

    def hashes(self, player):
        """The hash of the world every 60 of 3,600 ticks of recorded input."""
        inputs = [
            {"at": 3, "action": "move_z", "value": 1, "hold": 30},
            {"at": 12, "action": "jump", "hold": 15},
            {"at": 35, "action": "move_x", "value": -1, "hold": 20},
        ]
        turned = [{**one, "value": -one.get("value", -1)} if one["action"] != "jump" else one for one in inputs]

        async def conversation(session):
            await session.call_tool("play_pause", {})
            structured(await session.call_tool("play_restart", {}))
            found = []
            for second in range(60):
                step = {"ticks": 60, "inputs": inputs if second % 4 < 2 else turned}
                found.append(structured(await session.call_tool("play_step", step))["hash"])
            return found

        hashes = talk(player, conversation)
        self.assertEqual(len(set(hashes)), 60)
        return hashes

    def display(self):
        """The name of a display of its own, ended with the test."""
        read, write = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"],
            pass_fds=[write], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        self.assertTrue(number, "Xvfb did not start")
        return f":{number}"

    def converse(self, player):
        async def conversation(session):
            names = [tool.name for tool in (await session.list_tools()).tools]
            self.assertIn("scene_query", names)
            self.assertEqual(len(names), len(set(names)))

            async def call(tool, arguments=None):
                return structured(await session.call_tool(tool, arguments or {}))

            found = await call("scene_query", {"tag": "enemy", "fields": ["hp"]})
            self.assertGreaterEqual(found["total"], 1)
            self.assertTrue(all(row["hp"] > 0 for row in found["matches"]))

            await call("play_pause")
            lamp = "Lamp 1 Light"
            before = await call("entity_get", {"entity": lamp})
            seen = await picture(session)
            await call("entity_update", {"entity": lamp, "components": {"transform": {"position": [0, 2, 4]}}})
            self.assertNotEqual(await picture(session), seen, "the lamp was moved and the picture is the same")
            moved = await call("entity_get", {"entity": lamp})
            self.assertEqual(moved["pose"]["position"], [0, 2, 4])

            await call("play_step", {"ticks": 30})
            standing = (await call("entity_get", {"entity": "Hero"}))["pose"]["position"][1]
            jump = {"ticks": 20, "inputs": [{"action": "jump", "hold": 15}]}
            await call("play_step", jump)
            self.assertGreater((await call("entity_get", {"entity": "Hero"}))["pose"]["position"][1], standing + 0.5)

            undone = await call("history_undo")
            self.assertEqual(undone["undone"][0]["tool"], "entity_update")
            after = await call("entity_get", {"entity": lamp})
            self.assertEqual(after["components"], before["components"])

            wrong = await session.call_tool("entity_get", {"entty": 1})
            self.assertIn("entity", wrong.content[0].text)

        talk(player, conversation)

    def test_bad_lines_are_answered_and_the_game_lives(self):
        player = Player(self)
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        answers = player.raw(
            "this is no json",
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json.dumps({"jsonrpc": "2.0", "id": 2, "method": "no/such"}),
            json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "scene_qery"}}),
            json.dumps({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "play_status"}}),
        )
        self.assertEqual(answers[0]["error"]["code"], -32700)
        self.assertEqual(answers[2]["error"]["code"], -32601)
        self.assertIn("scene_query", answers[3]["error"]["message"])
        self.assertEqual(answers[4]["result"]["structuredContent"]["mode"], "play")

    def test_a_second_player_on_the_same_socket_is_refused_and_the_first_lives(self):
        player = Player(self)
        second = subprocess.run(
            [PROGRAMS / "skywalker-player", GAME, "--headless", "--agent-socket", player.socket],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        )
        self.assertEqual(second.returncode, 1)
        self.assertIn(str(player.socket), second.stderr)
        status = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        self.assertEqual(player.raw(status)[0]["result"], {})

    def test_a_player_that_is_asked_to_end_takes_its_socket_away(self):
        player = Player(self)
        player.process.terminate()
        self.assertEqual(player.process.wait(timeout=20), 0)
        self.assertFalse(player.socket.exists())

    def test_a_project_that_is_not_there_is_named(self):
        run = subprocess.run(
            [PROGRAMS / "skywalker-player", "/nowhere/at/all", "--headless"],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        )
        self.assertEqual(run.returncode, 1)
        self.assertIn("/nowhere/at/all", run.stderr)

    def test_a_missing_model_is_reported_and_the_game_plays(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="sky"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        game = folder / "game"
        shutil.copytree(GAME, game)
        scene = game / "scenes/keep.scene.json"
        scene.write_text(scene.read_text().replace("models/lamp.glb", "models/none.glb", 1))
        player = Player(self, game)

        async def conversation(session):
            lines = structured(await session.call_tool("log_read", {"level": "warning"}))["lines"]
            self.assertTrue(any("models/none.glb" in line["text"] for line in lines), lines)
            step = structured(await session.call_tool("play_step", {"ticks": 30}))
            self.assertEqual(step["ticks_run"], 30)

        talk(player, conversation)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
