package io.equipoise.join.disclosure;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Outcomes: hides the sensitive among the features, and all of them where the outcome says why
 * nothing was learnt, for then they may be of an earlier spec. Of a refuted assumption the
 * sensitive levels of the cell that refutes it, with the numbers that follow from them.
 */
final class OutcomeVeil {
  private OutcomeVeil() {}

  static Outcome hide(Outcome plain, SensitivePlaces places, Stamp stamp) {
    AssumptionAudit refuted = plain.assumption();
    if (refuted != null) {
      return hide(plain, refuted, places, stamp);
    }
    List<Double> features = plain.features();
    if (features == null || (places.isNowhere() && plain.detail() == null)) {
      return plain;
    }
    SensitivePlaces all = plain.detail() == null ? places : SensitivePlaces.EVERYWHERE;
    PartWriter taken = new PartWriter();
    List<Double> shown = HiddenFeatures.hide(features, all, taken);
    return plain.with(shown, stamp.hidden(place(plain), taken));
  }

  /** The reward before it was of a person of that cell. */
  private static Outcome hide(
      Outcome plain, AssumptionAudit refuted, SensitivePlaces places, Stamp stamp) {
    if (refuted.cell().keySet().stream().noneMatch(places::hides)) {
      return plain;
    }
    Map<String, String> shown = new TreeMap<>();
    refuted
        .cell()
        .forEach(
            (variable, level) ->
                shown.put(variable, places.hides(variable) ? Stamp.DROPPED : level));
    PartWriter taken =
        new PartWriter()
            .levels(refuted.cell(), places.longestLevelBytes())
            .maybe(refuted.logEvalue())
            .put(Objects.requireNonNullElse(refuted.observations(), 0L).longValue());
    return plain.with(
        plain.features(), stamp.hidden(place(plain), taken), refuted.with(shown, null, null));
  }

  private static Outcome reveal(Outcome shown, AssumptionAudit refuted, PartReader in) {
    Outcome revealed =
        shown.with(shown.features(), null, refuted.with(in.names(), in.realOrNull(), in.whole()));
    in.end();
    return revealed;
  }

  static Outcome reveal(Outcome shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    AssumptionAudit refuted = shown.assumption();
    if (refuted != null) {
      return reveal(shown, refuted, in);
    }
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
