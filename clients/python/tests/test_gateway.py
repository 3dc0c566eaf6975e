"""The client against a gateway in front of a job, in ``EQUIPOISE_URL``. Its segment ``offers`` has the spec of the README."""

import os
import unittest

from equipoise import Client, EquipoiseError, Request, Reward

from .servers import LosesAnswers

ATTRIBUTES = {"gender": "f", "income": "low"}
ARMS = {"offer=small", "offer=standard", "offer=large"}
FALLBACK = "offer=standard"


class GatewayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if "EQUIPOISE_URL" not in os.environ:
            raise AssertionError("set EQUIPOISE_URL to the address of a gateway; mvn test -Pforeign starts one")
        cls.url = os.environ["EQUIPOISE_URL"]
        cls.client = Client(cls.url, timeout=30)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_a_decision_names_an_arm_and_takes_a_reward(self):
        decision = self.client.decide("offers", ATTRIBUTES, fairness=True)
        self.assertEqual([it["attribute"] for it in decision.fairness], ["gender"])
        self.assertIn(decision.arm, ARMS)
        self.assertFalse(decision.is_fallback)
        self.assertEqual(decision.spec_version, 1)
        self.assertEqual(set(decision.propensities), ARMS)
        self.assertAlmostEqual(sum(decision.propensities.values()), 1, places=9)
        self.assertEqual(self.client.recent("offers", decision.decision_id).arm, decision.arm)
        self.client.reward(decision, 1.0)

    def test_a_retry_after_a_lost_answer_gets_the_same_arm(self):
        with LosesAnswers(self.url, lost=2) as proxy, Client(proxy.url, timeout=30) as client:
            retried = client.decide("offers", ATTRIBUTES)
        self.assertEqual(len(proxy.requests), 3)
        self.assertFalse(retried.is_fallback)
        again = self.client.decide("offers", ATTRIBUTES, decision_id=retried.decision_id)
        self.assertEqual(again.arm, retried.arm)
        with LosesAnswers(self.url, lost=1) as proxy, Client(proxy.url, timeout=30) as client:
            client.reward(retried, 0.0)

    def test_a_batch_has_a_decision_or_an_error_for_each_request(self):
        good = Request("offers", ATTRIBUTES)
        bad = Request("offers", {"gender": "f", "income": "poor"})
        first, second, third = self.client.decide_batch([good, bad, good])
        self.assertIn(first.arm, ARMS)
        self.assertIn(third.arm, ARMS)
        self.assertIsInstance(second, EquipoiseError)
        self.assertEqual(second.code, "UNKNOWN_LEVEL")
        self.assertEqual(self.client.reward_batch([Reward(first, 1.0), Reward(third, 0.0)]), [None, None])

    def test_a_rejected_request_names_its_code(self):
        with self.assertRaises(EquipoiseError) as caught:
            self.client.decide("offers", {"gender": "f", "income": "poor"}, fallback=FALLBACK)
        self.assertEqual(caught.exception.code, "UNKNOWN_LEVEL")
        self.assertTrue(caught.exception.remedy)

    def test_the_reward_of_a_fallback_names_the_fallback(self):
        with LosesAnswers(self.url, lost=100) as proxy, Client(proxy.url, timeout=0.5, retries=0) as client:
            decision = client.decide("offers", ATTRIBUTES, fallback=FALLBACK, decision_id="python-fallback")
        self.assertEqual((decision.arm, decision.reason, decision.is_fallback), (FALLBACK, "UNAVAILABLE", True))
        self.client.reward(decision, 1.0)

    def test_the_segments_are_listed(self):
        offers = [spec for spec in self.client.segments() if spec["spec"] == "offers"]
        self.assertEqual(set(offers[0]["arms"]), ARMS)


if __name__ == "__main__":
    unittest.main()
