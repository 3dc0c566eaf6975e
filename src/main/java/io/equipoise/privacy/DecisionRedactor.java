package io.equipoise.privacy;

import io.equipoise.event.Decision;
import io.equipoise.event.Redaction;
import java.util.List;

/**
 * Decisions: hides the sensitive among the features, if they are told, the group that a sample is
 * of, and index, mean and width, which of two people with equal other features tell who is of
 * another group.
 *
 * <p>Arm, propensities, why, certified and fairSetSize stay: they are the answer and what it takes
 * to evaluate other policies, and may depend on the group too.
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
    taken.maybe(plain.index()).maybe(plain.mean()).maybe(plain.width()).maybe(plain.sampleType());
    return plain.with(
        shown, null, null, null, null, redactionContext.redaction(place(plain), taken));
  }

  static Decision reveal(Decision shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    List<Double> features = shown.features();
    List<Double> plain = features == null ? null : RedactedFeatures.reveal(features, in);
    Decision revealed =
        shown.with(
            plain, in.realOrNull(), in.realOrNull(), in.realOrNull(), in.integerOrNull(), null);
    in.end();
    return revealed;
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
