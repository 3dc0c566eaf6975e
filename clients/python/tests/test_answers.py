"""An answer that no gateway gives is no answer. The same cases are in the tests of the other clients."""

import json
import socket
import threading
import unittest

from equipoise import Client, Decision, EquipoiseError, Request, Reward, Unavailable

from .servers import Raw

DECIDED = {"decisionId": "d-1", "segment": "offers", "arm": "offer=small", "reason": "EXPLOIT"}
DECISION = Decision("offers", "d-1", "a", is_fallback=True)
DEEP = b"[" * 100_000
NO_RECORDS = [b"", b"''", b'""', b"null", b"[]"]


def without(name):
    return {key: value for key, value in DECIDED.items() if key != name}


OTHER_DECISIONS = [
    {},
    without("decisionId"),
    without("arm"),
    without("reason"),
    {**DECIDED, "decisionId": "d-2"},
    {**DECIDED, "arm": 1},
    {**DECIDED, "specVersion": "x"},
    {**DECIDED, "candidates": [1]},
    {**DECIDED, "fairness": None},
    {**DECIDED, "fairness": ["x"]},
]


def answering(status, body):
    head = f"HTTP/1.1 {status} Status\r\nConnection: close\r\nLocation: /\r\nContent-Length: {len(body)}\r\n\r\n"
    return Raw(lambda: [head.encode() + body])


class AnswersTest(unittest.TestCase):
    def client(self, server, timeout=30):
        client = Client(server.url, timeout=timeout, retries=0)
        self.addCleanup(client.close)
        return client

    def assert_fallback(self, server):
        with server:
            client = self.client(server)
            decision = client.decide("offers", {}, fallback="a", decision_id="d-1")
            self.assertEqual((decision.arm, decision.reason, decision.is_fallback), ("a", "UNAVAILABLE", True))
            self.assert_unavailable(client, lambda: client.decide("offers", {}, decision_id="d-1"))

    def assert_unavailable(self, client, call, part=""):
        with self.assertRaisesRegex(Unavailable, part) as caught:
            call()
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "UNAVAILABLE"))

    def test_every_call_ends_within_the_timeout_though_the_answer_drips(self):
        texts = {
            "body": b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + b" " * 200,
            "headers": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 50,
        }
        for name, text in texts.items():
            with self.subTest(name), Raw(lambda text=text: (text[at : at + 1] for at in range(len(text))), pause=0.02) as server:
                client = self.client(server, timeout=0.3)
                self.assert_unavailable(client, lambda: client.decide("offers", {}), "last: the timeout is over$")
                self.assert_unavailable(client, lambda: client.decide_batch([Request("offers", {})]), "last: the timeout is over$")
                self.assert_unavailable(client, lambda: client.reward(DECISION, 1.0), "last: the timeout is over$")
                self.assert_unavailable(client, lambda: client.shown(DECISION), "last: the timeout is over$")

    def test_an_answer_is_read_up_to_its_limit(self):
        def flood():
            yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
            for _ in range(129):
                yield b" " * (1 << 20)
            yield json.dumps(DECIDED).encode()

        with Raw(flood) as server:
            client = self.client(server, timeout=300)
            self.assert_unavailable(client, lambda: client.decide("offers", {}, decision_id="d-1"), "128 MiB")

    def test_an_answer_that_ends_early_is_the_fallback(self):
        short = b"HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + json.dumps(DECIDED).encode()
        self.assert_fallback(Raw(lambda: [short]))
        for text in (short, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"):
            with self.subTest(text), Raw(lambda text=text: [text]) as server:
                client = self.client(server)
                self.assert_unavailable(client, lambda: client.decide("offers", {}), "last: the connection was closed before the whole answer$")

    def test_an_answer_that_is_no_http_is_named_in_words(self):
        with Raw(lambda: [b"SSH-2.0-OpenSSH\r\n"]) as server:
            client = self.client(server)
            self.assert_unavailable(client, lambda: client.decide("offers", {}), "last: the answer is no HTTP$")

    def test_a_server_without_tls_is_named_in_words(self):
        def answer():
            connection, _ = plain.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 400 Bad\r\n\r\n")

        with socket.create_server(("127.0.0.1", 0)) as plain:
            thread = threading.Thread(target=answer)
            thread.start()
            client = Client(f"https://127.0.0.1:{plain.getsockname()[1]}", timeout=30, retries=0)
            self.assert_unavailable(client, lambda: client.decide("offers", {}), "last: no TLS connection: [a-z]")
            thread.join()

    def test_another_answer_than_a_decision_is_the_fallback(self):
        for body in [*NO_RECORDS, DEEP, *(json.dumps(each).encode() for each in OTHER_DECISIONS)]:
            with self.subTest(body[:100]):
                self.assert_fallback(answering(200, body))

    def test_another_status_than_the_documented_one_is_the_fallback(self):
        for status in (202, 302):
            with self.subTest(status):
                self.assert_fallback(answering(status, json.dumps(DECIDED).encode()))

    def test_a_problem_that_is_none_is_a_rejection_still(self):
        for body in [DEEP, *NO_RECORDS, b'{"detail": {}}']:
            with self.subTest(body[:100]), answering(422, body) as server:
                with self.assertRaises(EquipoiseError) as caught:
                    self.client(server).decide("offers", {}, fallback="a")
                self.assertNotIsInstance(caught.exception, Unavailable)
                self.assertEqual(caught.exception.code, "HTTP_422")

    def test_a_batch_with_other_results_is_all_fallbacks(self):
        for answer in [[], {}, {"decisions": []}, {"decisions": [1]}, {"decisions": [{"problem": 1}]}, {"decisions": [{}]}]:
            with self.subTest(answer), answering(200, json.dumps(answer).encode()) as server:
                client = self.client(server)
                self.assertTrue(client.decide_batch([Request("offers", {}, fallback="a")])[0].is_fallback)
                self.assert_unavailable(client, lambda: client.decide_batch([Request("offers", {})]))

    def test_a_reward_is_accepted_by_its_documented_answer_only(self):
        accepted = json.dumps({"segment": "offers", "decisionId": "d-1"}).encode()
        others = [(200, accepted), (202, accepted.replace(b"d-1", b"d-2")), (202, b"{}"), *((202, body) for body in NO_RECORDS)]
        for status, body in others:
            with self.subTest(status=status, body=body), answering(status, body) as server:
                client = self.client(server)
                self.assert_unavailable(client, lambda: client.reward(DECISION, 1.0))

    def test_rewards_are_accepted_by_as_many_results_only(self):
        for answer in [[], {}, {"rewards": []}, {"rewards": [1]}, {"rewards": [{"problem": 1}]}]:
            with self.subTest(answer), answering(202, json.dumps(answer).encode()) as server:
                client = self.client(server)
                self.assert_unavailable(client, lambda: client.reward_batch([Reward(DECISION, 1.0)]))

    def test_what_was_shown_is_accepted_by_its_documented_answer_only(self):
        for status, body in [(200, b"{}"), *((202, body) for body in NO_RECORDS)]:
            with self.subTest(status=status, body=body), answering(status, body) as server:
                client = self.client(server)
                self.assert_unavailable(client, lambda: client.shown(DECISION))

    def test_other_answers_to_reads_are_errors(self):
        for body in [*NO_RECORDS, b"{}", b'{"segments": [1]}']:
            with self.subTest(body), answering(200, body) as server:
                client = self.client(server)
                self.assert_unavailable(client, client.segments)
                self.assert_unavailable(client, lambda: client.recent("offers", "d-1"))


if __name__ == "__main__":
    unittest.main()
