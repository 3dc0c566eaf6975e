package io.equipoise.lab.csr;

import io.equipoise.bandit.csr.Algorithm;
import io.equipoise.bandit.csr.FairnessEstimate;
import io.equipoise.bandit.csr.Mode;

/** What was run: a row of the report. */
record Setting(
    Algorithm policy, String instance, int samples, Mode mode, FairnessEstimate fairness) {}
