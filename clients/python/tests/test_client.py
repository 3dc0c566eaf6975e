"""What the client sends and what it makes of every kind of answer, against scripted servers."""

import socket
import threading
import time
import unittest

from equipoise import Candidate, Client, Decision, EquipoiseError, Request, Reward, Unavailable

from .servers import DROP, ID, Raw, Scripted

ATTRIBUTES = {"gender": "f", "income": "low"}
FALLBACK = "offer=standard"
NO_HOST = ".".join(["a" * 60] * 5)  # too long for a host name, so that no name server is asked
ACCEPTED = 202, {}, {"segment": "offers", "decisionId": "d-1"}


def decided(arm="offer=small", reason="EXPLOIT", **more):
    answer = {"decisionId": ID, "segment": "offers", "arm": arm, "reason": reason, "specVersion": 3}
    answer["candidates"] = [{"arm": "offer=small", "propensity": 0.9}, {"arm": "offer=large", "propensity": 0.1}]
    return 200, {}, {**answer, **more}


def problem(status, code, **headers):
    return status, headers, {"type": "x", "title": "t", "status": status, "detail": "d", "code": code, "remedy": "r"}


class DecideTest(unittest.TestCase):
    def test_a_decision_has_arm_reason_and_propensities(self):
        with Scripted(decided()) as server, Client(server.url + "/", token="secret", timeout=2) as client:
            decision = client.decide(
                "offers", ATTRIBUTES, candidates=[Candidate("a", {"price": 2.5}), Candidate("b")], decision_id="d-1", event_time=5
            )
        self.assertEqual(decision.arm, "offer=small")
        self.assertEqual(decision.reason, "EXPLOIT")
        self.assertEqual(decision.propensities, {"offer=small": 0.9, "offer=large": 0.1})
        self.assertEqual(decision.spec_version, 3)
        self.assertFalse(decision.is_fallback)
        method, path, headers, body = server.requests[0]
        self.assertEqual((method, path), ("POST", "/v1/decisions"))
        self.assertEqual(headers["Authorization"], "Bearer secret")
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(
            body,
            {
                "segment": "offers",
                "decisionId": "d-1",
                "eventTime": 5,
                "attributes": ATTRIBUTES,
                "candidates": [{"name": "a", "attributes": {"price": 2.5}}, {"name": "b", "attributes": {}}],
                "deadlineMs": 1800,
            },
        )

    def test_the_comparisons_are_returned_to_who_asks_for_them(self):
        effect = {"attribute": "gender", "counterfactual": "m", "estimate": 0.1, "verdict": "UNCERTAIN"}
        with Scripted(decided(fairness=[effect]), decided()) as server, Client(server.url, timeout=30) as client:
            asked = client.decide("offers", ATTRIBUTES, fairness=True)
            plain = client.decide("offers", ATTRIBUTES)
        self.assertEqual(asked.fairness, (effect,))
        self.assertIsNone(plain.fairness)
        self.assertIs(server.requests[0][3]["fairness"], True)
        self.assertNotIn("fairness", server.requests[1][3])

    def test_a_retry_asks_for_the_same_decision(self):
        with Scripted(DROP, problem(503, "NOT_READY"), decided()) as server, Client(server.url, timeout=30) as client:
            client.decide("offers", ATTRIBUTES)
        bodies = [body for *_, body in server.requests]
        self.assertEqual(len(bodies), 3)
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(bodies[0], bodies[2])
        self.assertGreaterEqual(len(bodies[0]["decisionId"]), 32)

    def test_each_decision_has_an_id_of_its_own(self):
        with Scripted(decided(), decided()) as server, Client(server.url, timeout=30) as client:
            client.decide("offers", ATTRIBUTES)
            client.decide("offers", ATTRIBUTES)
        self.assertNotEqual(server.requests[0][3]["decisionId"], server.requests[1][3]["decisionId"])

    def test_an_idle_connection_that_the_server_closed_costs_no_try(self):
        with Scripted(decided(), DROP, decided()) as server, Client(server.url, timeout=30, retries=0) as client:
            client.decide("offers", ATTRIBUTES)
            client.decide("offers", ATTRIBUTES)
        self.assertEqual(len(server.requests), 3)

    def test_a_rejected_request_is_an_error_even_with_a_fallback_and_is_not_repeated(self):
        with Scripted(problem(400, "UNKNOWN_LEVEL")) as server, Client(server.url, timeout=30) as client:
            with self.assertRaises(EquipoiseError) as caught:
                client.decide("offers", ATTRIBUTES, fallback=FALLBACK)
        self.assertNotIsInstance(caught.exception, Unavailable)
        self.assertEqual((caught.exception.status, caught.exception.code), (400, "UNKNOWN_LEVEL"))
        self.assertEqual((caught.exception.detail, caught.exception.remedy), ("d", "r"))
        self.assertEqual(len(server.requests), 1)

    def test_an_answer_after_the_deadline_is_the_callers_fallback(self):
        late = decided(arm="offer=large", reason="DEADLINE_EXCEEDED")
        with Scripted(late, late) as server, Client(server.url, timeout=30) as client:
            own = client.decide("offers", ATTRIBUTES, fallback=FALLBACK)
            spec = client.decide("offers", ATTRIBUTES)
        self.assertEqual((own.arm, own.is_fallback, own.reason), (FALLBACK, True, "DEADLINE_EXCEEDED"))
        self.assertEqual((spec.arm, spec.is_fallback), ("offer=large", True))

    def test_a_silent_gateway_gives_the_fallback_within_the_timeout(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            client = Client(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.3)
            start = time.monotonic()
            decision = client.decide("offers", ATTRIBUTES, fallback=FALLBACK)
            waited = time.monotonic() - start
            with self.assertRaises(Unavailable):
                client.decide("offers", ATTRIBUTES)
        self.assertEqual((decision.arm, decision.reason, decision.is_fallback), (FALLBACK, "UNAVAILABLE", True))
        self.assertGreaterEqual(waited, 0.25)
        self.assertLess(waited, 3)

    def test_a_gateway_that_is_down_gives_the_fallback_after_the_retries(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        decision = Client(f"http://127.0.0.1:{port}", timeout=30, retries=1).decide("offers", ATTRIBUTES, fallback=FALLBACK)
        self.assertTrue(decision.is_fallback)

    def test_retry_after_is_respected_and_ends_the_call_if_it_is_too_long(self):
        busy = problem(429, "TOO_MANY_REQUESTS", **{"Retry-After": "1"})
        with Scripted(busy, decided()) as server, Client(server.url, timeout=30) as client:
            start = time.monotonic()
            client.decide("offers", ATTRIBUTES)
            self.assertGreaterEqual(time.monotonic() - start, 1)
        with Scripted(busy) as server, Client(server.url, timeout=0.5) as client:
            with self.assertRaises(Unavailable) as caught:
                client.decide("offers", ATTRIBUTES)
        self.assertEqual((caught.exception.status, caught.exception.code), (429, "TOO_MANY_REQUESTS"))
        self.assertEqual(len(server.requests), 1)

    def test_the_retries_are_limited(self):
        with Scripted(*[problem(500, "INTERNAL")] * 3) as server, Client(server.url, timeout=30, retries=2) as client:
            with self.assertRaises(Unavailable):
                client.decide("offers", ATTRIBUTES)
        self.assertEqual(len(server.requests), 3)

    def test_an_error_without_a_problem_document_names_its_status(self):
        with Scripted((404, {}, None)) as server, Client(server.url, timeout=30) as client:
            with self.assertRaises(EquipoiseError) as caught:
                client.decide("offers", ATTRIBUTES)
        self.assertEqual(caught.exception.code, "HTTP_404")

    def test_a_number_that_is_not_finite_is_not_sent(self):
        with Scripted() as server, Client(server.url, timeout=30) as client:
            for number, name in [("nan", "NaN"), ("inf", "Infinity"), ("-inf", "-Infinity")]:
                for call in (
                    lambda: client.decide("offers", {"age": float(number)}),
                    lambda: client.decide("offers", {}, candidates=[Candidate("a", {"age": float(number)})]),
                    lambda: client.decide_batch([Request("offers", {"age": float(number)})]),
                ):
                    with self.assertRaisesRegex(ValueError, f"^age is {name}; send finite numbers only$"):
                        call()
            with self.assertRaisesRegex(ValueError, "^value is NaN; send finite numbers only$"):
                client.reward(Decision("offers", "d-1", "a"), float("nan"))
        self.assertEqual(server.requests, [])

    def test_a_text_without_a_utf8_form_is_not_sent(self):
        with Scripted() as server, Client(server.url, timeout=30) as client:
            for call in (
                lambda: client.decide("offers", ATTRIBUTES, decision_id="x\udc00y"),
                lambda: client.decide("offers", {"gender\ud800": "f"}),
                lambda: client.recent("offers", "\ud800"),
                lambda: client.shown(Decision("offers", "\ud800", "a")),
            ):
                with self.assertRaises(ValueError) as caught:
                    call()
                words = "a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only"
                self.assertEqual(str(caught.exception), words)
        self.assertEqual(server.requests, [])

    def test_threads_share_a_client(self):
        answers = [decided() for _ in range(40)]
        found = []
        with Scripted(*answers) as server, Client(server.url, timeout=20) as client:

            def ask():
                for _ in range(10):
                    found.append(client.decide("offers", ATTRIBUTES).arm)
                client.close()

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(found, ["offer=small"] * 40)


class BatchTest(unittest.TestCase):
    def test_each_request_has_its_decision_or_its_error(self):
        bad = {"problem": problem(400, "UNKNOWN_LEVEL")[2]}
        busy = {"problem": problem(429, "TOO_MANY_REQUESTS")[2]}
        answer = 200, {}, {"decisions": [decided()[2], bad, busy]}
        with Scripted(answer) as server, Client(server.url, timeout=30) as client:
            first, second, third = client.decide_batch([Request("offers", ATTRIBUTES, fallback=FALLBACK)] * 3)
        self.assertEqual(first.arm, "offer=small")
        self.assertIsInstance(second, EquipoiseError)
        self.assertEqual(second.code, "UNKNOWN_LEVEL")
        self.assertEqual((third.arm, third.is_fallback), (FALLBACK, True))
        self.assertEqual(server.requests[0][1], "/v1/decisions:batch")
        self.assertEqual(len({each["decisionId"] for each in server.requests[0][3]["decisions"]}), 3)

    def test_a_batch_without_an_answer_is_all_fallbacks_or_an_error(self):
        with Scripted(DROP, DROP) as server, Client(server.url, timeout=30, retries=0) as client:
            decisions = client.decide_batch([Request("offers", ATTRIBUTES, fallback=FALLBACK)] * 2)
            with self.assertRaises(Unavailable):
                client.decide_batch([Request("offers", ATTRIBUTES, fallback=FALLBACK), Request("offers", ATTRIBUTES)])
        self.assertEqual([decision.is_fallback for decision in decisions], [True, True])


class RewardTest(unittest.TestCase):
    DECISION = Decision("offers", "d-1", FALLBACK, is_fallback=True)

    def test_a_reward_names_the_arm_that_was_shown(self):
        with Scripted(ACCEPTED) as server, Client(server.url, timeout=30) as client:
            client.reward(self.DECISION, 0.5, mediators={"clicks": 2}, reward_id="r-1", event_time=7)
        self.assertEqual(
            server.requests[0][3],
            {
                "segment": "offers",
                "decisionId": "d-1",
                "value": 0.5,
                "eventTime": 7,
                "shownArm": FALLBACK,
                "mediators": {"clicks": 2},
                "rewardId": "r-1",
            },
        )

    def test_what_was_shown_is_confirmed(self):
        with Scripted((202, {}, {})) as server, Client(server.url, timeout=30) as client:
            client.shown(self.DECISION)
        self.assertEqual(server.requests[0][1], "/v1/decisions/d-1/shown")
        self.assertEqual(server.requests[0][3], {"segment": "offers", "shownArm": FALLBACK})

    def test_a_retry_sends_the_same_reward(self):
        with Scripted(DROP, DROP, ACCEPTED) as server, Client(server.url, timeout=30) as client:
            client.reward(self.DECISION, 1.0)
        bodies = [body for *_, body in server.requests]
        self.assertEqual(len(bodies), 3)
        self.assertEqual(bodies[0], bodies[2])

    def test_an_empty_batch_needs_no_request(self):
        with Scripted() as server, Client(server.url, timeout=30) as client:
            self.assertEqual(client.reward_batch([]), [])
            self.assertEqual(client.decide_batch([]), [])
        self.assertEqual(server.requests, [])

    def test_a_batch_of_rewards_is_one_request(self):
        answer = {"accepted": 1, "rewards": [{}, {"problem": problem(422, "UNKNOWN_ARM")[2]}]}
        with Scripted((202, {}, answer)) as server, Client(server.url, timeout=30) as client:
            first, second = client.reward_batch([Reward(self.DECISION, 1.0), Reward(self.DECISION, 0.0, reward_id="r-2")])
        self.assertIsNone(first)
        self.assertEqual((second.status, second.code), (422, "UNKNOWN_ARM"))
        self.assertEqual(server.requests[0][1], "/v1/rewards:batch")
        self.assertEqual([each["shownArm"] for each in server.requests[0][3]["rewards"]], [FALLBACK, FALLBACK])


class SettingsTest(unittest.TestCase):
    def test_settings_that_mean_nothing_are_refused(self):
        for settings in [{"url": "ftp://host"}, {"url": "host:8080"}, {"timeout": 0}, {"retries": -1}]:
            with self.subTest(settings), self.assertRaises(ValueError):
                Client(**settings)

    def test_a_token_with_a_character_that_no_token_has_is_refused_without_its_text(self):
        for token, place in [("s3cret\n", 7), ("s3 cret", 3), ("s\u00e9cret", 2), ("s3cret\t", 7), ("s3cret\x7f", 7)]:
            words = f"the token has at place {place} a blank, a line end or another character that no token has; strip what you read from a file"
            with self.subTest(token), self.assertRaisesRegex(ValueError, f"^{words}$"):
                Client(token=token)

    def test_a_token_that_is_none_is_refused(self):
        with self.assertRaisesRegex(ValueError, "^the token is empty; leave it out if the gateway has no tokens$"):
            Client(token="")
        with self.assertRaisesRegex(ValueError, "^the token is no text; decode what you read from a file$"):
            Client(token=b"s3cret")

    def test_a_token_is_of_any_visible_characters(self):
        with Scripted(decided()) as server, Client(server.url, token="!-_.~a9", timeout=30) as client:
            client.decide("offers", ATTRIBUTES)
        self.assertEqual(server.requests[0][2]["Authorization"], "Bearer !-_.~a9")


class MessageTest(unittest.TestCase):
    def test_detail_and_remedy_are_sentences(self):
        for detail, remedy, message in [
            ("it is needed", "Send it.", "C: it is needed. Send it."),
            ("It is needed.", "Send it.", "C: It is needed. Send it."),
            ("Is it needed?", "Send it.", "C: Is it needed? Send it."),
            ("it is needed", "", "C: it is needed"),
            ("", "Send it.", "C: Send it."),
        ]:
            self.assertEqual(str(EquipoiseError(422, "C", detail, remedy)), message)

    def message(self, client):
        with self.assertRaises(Unavailable) as caught:
            client.decide("offers", ATTRIBUTES)
        return str(caught.exception)

    def test_the_last_failure_is_named_once_in_words(self):
        busy = problem(503, "NOT_READY")
        with Scripted(busy, busy, DROP, DROP) as server, Client(server.url, timeout=30, retries=1) as client:
            call = f"no answer of {server.url} to POST /v1/decisions after "
            self.assertEqual(self.message(client), f"NOT_READY: {call}2 tries; last: d. r")
            client.close()  # a dropped connection that was idle costs no try
            closed = f"UNAVAILABLE: {call}2 tries; last: the connection was closed before the whole answer"
            self.assertEqual(self.message(client), closed)
        self.assertEqual(self.message(client), f"UNAVAILABLE: {call}2 tries; last: no connection")
        self.assertEqual(self.message(Client(server.url, timeout=30, retries=0)), f"UNAVAILABLE: {call}1 try; last: no connection")

    def test_a_host_without_an_address_is_named_in_words(self):
        message = self.message(Client("http://" + NO_HOST, timeout=30, retries=0))
        self.assertTrue(message.endswith("; last: the host name has no address"), message)

    def test_the_message_has_no_password_of_the_address(self):
        message = self.message(Client(f"http://me:s3cret@{NO_HOST}/prefix/", timeout=30, retries=0))
        self.assertIn(f"no answer of http://{NO_HOST}/prefix to POST", message)


if __name__ == "__main__":
    unittest.main()
