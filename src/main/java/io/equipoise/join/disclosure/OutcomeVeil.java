package io.equipoise.join.disclosure;

import io.equipoise.event.Hidden;
import io.equipoise.event.Outcome;
import java.util.List;

/**
 * Outcomes: hides the sensitive among the features, and all of them where the outcome says why
 * nothing was learnt, for then they may be of an earlier spec.
 */
final class OutcomeVeil {
  private OutcomeVeil() {}

  static Outcome hide(Outcome plain, SensitivePlaces places, Stamp stamp) {
    List<Double> features = plain.features();
    if (features == null || (places.isNowhere() && plain.detail() == null)) {
      return plain;
    }
    SensitivePlaces all = plain.detail() == null ? places : SensitivePlaces.EVERYWHERE;
    PartWriter taken = new PartWriter();
    List<Double> shown = HiddenFeatures.hide(features, all, taken);
    return plain.with(shown, stamp.hidden(place(plain), taken));
  }

  static Outcome reveal(Outcome shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    List<Double> features = shown.features();
    Outcome revealed =
        shown.with(HiddenFeatures.reveal(features == null ? List.of() : features, in), null);
    in.end();
    return revealed;
  }

  private static PartWriter place(Outcome outcome) {
    return new PartWriter()
        .put("outcome")
        .put(outcome.segment())
        .put(outcome.shard())
        .put(outcome.attempt())
        .put(outcome.seq())
        .maybe(outcome.decisionHash());
  }
}
