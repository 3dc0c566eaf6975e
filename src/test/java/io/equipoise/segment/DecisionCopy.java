package io.equipoise.segment;

import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.Place;
import io.equipoise.event.Versions;
import org.jspecify.annotations.Nullable;

/** Copies a decision with some of its fields changed, as attempt 0 and not recovered. */
final class DecisionCopy {
  private final Decision from;
  private String id;
  private @Nullable String arm;
  private @Nullable String fingerprint;
  private @Nullable ExperimentSample sample;

  DecisionCopy(Decision from) {
    this.from = from;
    id = from.decisionId();
    arm = from.arm();
    fingerprint = from.versions().modelFingerprint();
    sample = from.sample();
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
    sample = new ExperimentSample(other, from.sample() == null ? null : from.sample().type());
    return this;
  }

  Decision made() {
    Versions versions = from.versions();
    return new Decision(
        id,
        new Place(from.segment(), 0, from.seq()),
        from.source(),
        from.eventTime(),
        new Versions(
            versions.specHash(),
            versions.specVersion(),
            versions.boundsHash(),
            versions.boundsVersion(),
            fingerprint),
        from.policy(),
        arm,
        from.reason(),
        from.errorCode(),
        from.certified(),
        from.fairSetSize(),
        from.candidates(),
        from.propensities(),
        from.estimate(),
        from.features(),
        from.candidateFeatures(),
        sample,
        from.keyGroup(),
        false,
        from.redaction());
  }
}
