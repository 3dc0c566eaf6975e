"""HTTP servers on loopback that fail on purpose."""

import http.client
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

DROP = "drop"  # close the connection without an answer
ID = "$id"  # stands in answers for the decision id of the request, in a batch for those of its decisions in their order


class _Server:
    """Serves in a thread while it is entered. ``requests`` has method, path, headers and decoded body of each request."""

    def __init__(self):
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def _serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.requests.append((self.command, self.path, dict(self.headers), json.loads(body) if body else None))
                answer = outer.answer(self.command, self.path, dict(self.headers), body)
                if answer is DROP:
                    self.close_connection = True
                    return
                status, headers, text = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = _serve

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Scripted(_Server):
    """Gives the answers of a list, one after the other: DROP or (status, headers, JSON value)."""

    def __init__(self, *answers):
        super().__init__()
        self._answers = list(answers)

    def answer(self, method, path, headers, body):
        answer = self._answers.pop(0)
        if answer is DROP:
            return DROP
        status, headers, value = answer
        text = "" if value is None else json.dumps(value)
        asked = json.loads(body) if body else {}
        for each in asked.get("decisions", [asked]):
            text = text.replace(ID, each.get("decisionId", ""), 1)
        return status, headers, text.encode()


class Raw:
    """Answers each connection with the chunks of bytes that a function makes, with pauses between them, until the client closes it."""

    def __init__(self, chunks, pause=0.0):
        self._chunks = chunks
        self._pause = pause
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as request:
            try:
                request.readline()
                request.read(int(http.client.parse_headers(request).get("Content-Length", 0)))
                for chunk in self._chunks():
                    connection.sendall(chunk)
                    time.sleep(self._pause)
            except OSError:
                pass  # the client closed the connection


class LosesAnswers(_Server):
    """Forwards every request to a gateway, and loses the answers to the first ``lost`` requests."""

    def __init__(self, gateway, lost):
        super().__init__()
        self._gateway = urlsplit(gateway)
        self._lost = lost
        self._lock = threading.Lock()

    def answer(self, method, path, headers, body):
        connection = http.client.HTTPConnection(self._gateway.hostname, self._gateway.port, timeout=30)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        with self._lock:
            self._lost -= 1
            if self._lost >= 0:
                return DROP
        return response.status, {"Content-Type": response.headers["Content-Type"]}, text
