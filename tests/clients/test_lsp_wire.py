"""What no good client sends to `skywalker lsp`: its messages as bytes."""

import json
import os
import pathlib
import subprocess
import unittest

PROGRAMS = pathlib.Path(os.environ["SKYWALKER_PROGRAMS"])


class Wire(unittest.TestCase):
    """Messages that no good client sends."""

    def setUp(self):
        self.process = subprocess.Popen(
            [PROGRAMS / "skywalker", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.addCleanup(self.end)

    def end(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def send(self, *messages):
        data = b""
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            data += f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def answer(self, number):
        while (message := self.read()).get("id") != number or "method" in message:
            pass
        return message

    def start(self):
        self.send({"id": 0, "method": "initialize", "params": {"capabilities": {}}})
        self.assertIn("capabilities", self.answer(0)["result"])
        self.send({"method": "initialized", "params": {}})

    def test_order_is_kept(self):
        self.send({"id": 1, "method": "textDocument/hover", "params": {}})
        self.assertEqual(self.answer(1)["error"]["code"], -32002)
        self.start()
        self.send({"id": 2, "method": "initialize", "params": {"capabilities": {}}})
        self.assertEqual(self.answer(2)["error"]["code"], -32600)
        self.send({"id": 3, "method": "textDocument/hover", "params": {"textDocument": 7}})
        self.assertEqual(self.answer(3)["error"]["code"], -32602)
        self.send({"method": "textDocument/didChange", "params": [1]}, {"method": "$/whatever"})
        self.send({"id": "four", "method": "shutdown"})
        self.assertIsNone(self.answer("four")["result"])
        self.send({"id": 5, "method": "textDocument/hover", "params": {}})
        self.assertEqual(self.answer(5)["error"]["code"], -32600)
        self.send({"method": "exit"})
        self.assertEqual(self.process.wait(10), 0)

    def test_leaving_without_a_word_is_a_failure(self):
        self.start()
        self.process.stdin.close()
        self.assertEqual(self.process.wait(10), 1)

    def test_cancelled_requests_are_answered_as_such(self):
        self.start()
        text = "fn f()\n" + "  print(1)\n" * 20_000 + "end\n"
        uri = "file:///nowhere/a.wander"
        opened = {"uri": uri, "languageId": "wander", "version": 1, "text": text}
        ask = {"textDocument": {"uri": uri}}
        self.send(
            {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
            *({"id": n, "method": "textDocument/documentSymbol", "params": ask} for n in range(1, 40)),
            {"method": "$/cancelRequest", "params": {"id": 39}},
            {"id": 40, "method": "textDocument/documentSymbol", "params": ask},
        )
        self.assertEqual(self.answer(39)["error"]["code"], -32800)
        self.assertEqual(self.answer(40)["result"][0]["name"], "f")


if __name__ == "__main__":
    unittest.main()
