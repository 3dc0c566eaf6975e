"""Simulated borrowers of the tutorial: asks the gateway for an offer for each of them, and later reports who repaid.

    python3 borrowers.py [URL [PEOPLE [SEED]]]

Women repay the large offer less often (0.3 lower), so that offer is unfair. The standard offer is better than the small one for everybody.
Needs clients/python/equipoise.py on PYTHONPATH, and nothing else.
"""

import random
import sys
from collections import Counter

from equipoise import Client, Decision, Request, Reward

BATCH = 100
url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
people = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)


def repays(person, arm):
    chance = 0.55 + {"low": -0.1, "middle": 0.0, "high": 0.15}[person["income"]]
    if arm == "offer=standard":
        chance += 0.1
    elif arm == "offer=large" and person["gender"] == "f":
        chance -= 0.3
    return 1.0 if draw.random() < chance else 0.0


arms, reasons = Counter(), Counter()
owed = []
with Client(url, timeout=30) as client:
    for start in range(0, people, BATCH):
        batch = [
            {"income": draw.choices(["low", "middle", "high"], [4, 4, 2])[0], "gender": draw.choice("fm")}
            for _ in range(min(BATCH, people - start))
        ]
        decisions = client.decide_batch([Request("loans-retail", person, fallback="offer=small") for person in batch])
        for problem in client.reward_batch(owed) if owed else []:
            if problem is not None:
                raise problem
        owed = []
        for person, decision in zip(batch, decisions):
            if not isinstance(decision, Decision):
                raise decision
            arms[decision.arm] += 1
            reasons[decision.reason] += 1
            owed.append(Reward(decision, repays(person, decision.arm)))
    client.reward_batch(owed)

print("arms:   ", ", ".join(f"{arm} {n}" for arm, n in arms.most_common()))
print("reasons:", ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
