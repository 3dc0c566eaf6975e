package io.equipoise.privacy;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Redacts segment events: hides sensitive features, or all features if the decision was evicted or
 * closed without learning, because then they may belong to an earlier spec. For a refuted
 * assumption it hides the sensitive levels of the refuting cell and the numbers that follow from
 * them.
 *
 * <p>The sensitive levels of a refuted row of bounds get no pseudonym in either mode: the row
 * follows from the published bounds and the rest of the record, so one record would identify every
 * pseudonym of the deployment. The ends of the row, the estimate and its interval are hidden too.
 */
final class SegmentEventRedactor {
  private SegmentEventRedactor() {}

  static SegmentEvent hide(
      SegmentEvent plain, SensitivePlaces places, RedactionContext redactionContext) {
    AssumptionAudit refuted = plain.assumption();
    if (refuted != null) {
      return hide(plain, refuted, places, redactionContext);
    }
    if (plain.refutedBounds() != null) {
      return hide(plain, plain.refutedBounds(), places, redactionContext);
    }
    List<Double> features = plain.features();
    boolean mayBeOfEarlierSpec =
        plain.reason() != null || plain.type() == SegmentEventType.DECISION_EVICTED;
    if (features == null || (places.isNowhere() && !mayBeOfEarlierSpec)) {
      return plain;
    }
    SensitivePlaces all = mayBeOfEarlierSpec ? SensitivePlaces.EVERYWHERE : places;
    PartWriter taken = new PartWriter();
    List<Double> shown = RedactedFeatures.hide(features, all, taken);
    return plain.with(shown, redactionContext.redaction(place(plain), taken));
  }

  /** The preceding reward belongs to a person of that cell. */
  private static SegmentEvent hide(
      SegmentEvent plain,
      AssumptionAudit refuted,
      SensitivePlaces places,
      RedactionContext redactionContext) {
    if (refuted.cell().keySet().stream().noneMatch(places::hides)) {
      return plain;
    }
    PartWriter taken =
        new PartWriter()
            .levels(refuted.cell(), places.longestLevelBytes())
            .maybe(refuted.logEvalue())
            .put(Objects.requireNonNullElse(refuted.observations(), 0L).longValue());
    return plain.with(
        plain.features(),
        redactionContext.redaction(place(plain), taken),
        refuted.with(shown(refuted.cell(), places), null, null),
        null);
  }

  private static SegmentEvent hide(
      SegmentEvent plain,
      RefutedBounds refuted,
      SensitivePlaces places,
      RedactionContext redactionContext) {
    if (refuted.context().keySet().stream().noneMatch(places::hides)) {
      return plain;
    }
    PartWriter taken =
        new PartWriter()
            .levels(refuted.context(), places.longestLevelBytes())
            .maybe(refuted.lower())
            .maybe(refuted.upper())
            .maybe(refuted.estimate())
            .maybe(refuted.estimateLower())
            .maybe(refuted.estimateUpper());
    return plain.with(
        plain.features(),
        redactionContext.redaction(place(plain), taken),
        null,
        new RefutedBounds(
            refuted.arm(), shown(refuted.context(), places), null, null, null, null, null));
  }

  private static Map<String, String> shown(Map<String, String> levels, SensitivePlaces places) {
    Map<String, String> shown = new TreeMap<>();
    levels.forEach(
        (variable, level) ->
            shown.put(variable, places.hides(variable) ? RedactionContext.DROPPED : level));
    return shown;
  }

  private static SegmentEvent reveal(SegmentEvent shown, AssumptionAudit refuted, PartReader in) {
    SegmentEvent revealed =
        shown.with(
            shown.features(), null, refuted.with(in.names(), in.realOrNull(), in.whole()), null);
    in.end();
    return revealed;
  }

  private static SegmentEvent revealBounds(
      SegmentEvent shown, RefutedBounds hidden, PartReader in) {
    RefutedBounds refuted =
        new RefutedBounds(
            hidden.arm(),
            in.names(),
            in.realOrNull(),
            in.realOrNull(),
            in.realOrNull(),
            in.realOrNull(),
            in.realOrNull());
    in.end();
    return shown.with(shown.features(), null, null, refuted);
  }

  static SegmentEvent reveal(SegmentEvent shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    AssumptionAudit refuted = shown.assumption();
    if (refuted != null) {
      return reveal(shown, refuted, in);
    }
    if (shown.refutedBounds() != null) {
      return revealBounds(shown, shown.refutedBounds(), in);
    }
    List<Double> features = shown.features();
    SegmentEvent revealed =
        shown.with(RedactedFeatures.reveal(features == null ? List.of() : features, in), null);
    in.end();
    return revealed;
  }

  private static PartWriter place(SegmentEvent segmentEvent) {
    return new PartWriter()
        .put("segment event")
        .put(segmentEvent.segment())
        .put(segmentEvent.writerEpoch())
        .put(segmentEvent.seq())
        .maybe(segmentEvent.hashOfDecision());
  }
}
