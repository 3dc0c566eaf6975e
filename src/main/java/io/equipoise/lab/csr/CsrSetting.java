package io.equipoise.lab.csr;

import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;

/** What was run: a row of the report. */
record CsrSetting(
    Algorithm policy, String instance, int samples, Mode mode, FairnessEstimate fairness) {}
