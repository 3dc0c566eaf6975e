package io.equipoise.segment;

import io.equipoise.event.Decision;
import org.jspecify.annotations.Nullable;

/** Copies a decision with some of its fields changed, as attempt 0 and not recovered. */
final class DecisionCopy {
  private final Decision from;
  private String id;
  private @Nullable String arm;
  private @Nullable String fingerprint;
  private @Nullable Integer phase;

  DecisionCopy(Decision from) {
    this.from = from;
    id = from.decisionId();
    arm = from.arm();
    fingerprint = from.modelFingerprint();
    phase = from.phase();
  }

  DecisionCopy id(String other) {
    id = other;
    return this;
  }

  DecisionCopy arm(String other) {
    arm = other;
    return this;
  }

  DecisionCopy fingerprint(String other) {
    fingerprint = other;
    return this;
  }

  DecisionCopy phase(int other) {
    phase = other;
    return this;
  }

  Decision made() {
    return new Decision(
        id,
        from.segment(),
        0,
        from.seq(),
        arm,
        from.candidates(),
        from.propensities(),
        from.propensityRuns(),
        from.propensityKind(),
        from.index(),
        from.mean(),
        from.width(),
        from.policy(),
        from.specHash(),
        from.specVersion(),
        from.boundsHash(),
        from.boundsVersion(),
        fingerprint,
        from.eventTime(),
        from.contextTopic(),
        from.contextPartition(),
        from.contextOffset(),
        from.features(),
        from.candidateFeatures(),
        from.reason(),
        from.certified(),
        from.fairSetSize(),
        from.errorCode(),
        phase,
        from.sampleType(),
        from.keyGroup(),
        false,
        from.redaction(),
        from.propensityDraws());
  }
}
