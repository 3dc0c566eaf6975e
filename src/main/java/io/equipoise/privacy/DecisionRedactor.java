package io.equipoise.privacy;

import io.equipoise.event.ArmEstimate;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.Redaction;
import java.util.List;

/**
 * Redacts decisions: hides sensitive features, the group of a sample, and index, mean and width.
 * Those three would show which of two people with otherwise equal features belongs to another
 * group.
 *
 * <p>Arm, propensities, reason, certified and fairSetSize stay, although they may depend on the
 * group: they are the decision and the data for evaluating other policies.
 */
final class DecisionRedactor {
  private DecisionRedactor() {}

  static Decision hide(Decision plain, SensitivePlaces places, RedactionContext redactionContext) {
    if (!plain.isChosen() || places.isNowhere()) {
      return plain;
    }
    List<Double> features = plain.features();
    PartWriter taken = new PartWriter();
    List<Double> shown = features == null ? null : RedactedFeatures.hide(features, places, taken);
    taken.maybe(plain.index()).maybe(plain.mean()).maybe(plain.width());
    taken.maybe(plain.sample() == null ? null : plain.sample().type());
    ExperimentSample sample = plain.sample();
    return plain.with(
        shown,
        null,
        sample == null ? null : new ExperimentSample(sample.phase(), null),
        redactionContext.redaction(place(plain), taken));
  }

  static Decision reveal(Decision shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    List<Double> features = shown.features();
    List<Double> plain = features == null ? null : RedactedFeatures.reveal(features, in);
    ArmEstimate estimate = ArmEstimate.of(in.realOrNull(), in.realOrNull(), in.realOrNull());
    Integer type = in.integerOrNull();
    in.end();
    ExperimentSample sample = shown.sample();
    return shown.with(
        plain, estimate, sample == null ? null : new ExperimentSample(sample.phase(), type), null);
  }

  private static PartWriter place(Decision decision) {
    return new PartWriter()
        .put("decision")
        .put(decision.segment())
        .put(decision.writerEpoch())
        .put(decision.seq())
        .put(decision.decisionId());
  }
}
