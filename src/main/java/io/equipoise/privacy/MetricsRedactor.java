package io.equipoise.privacy;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.Digests;
import io.equipoise.event.FairnessSummary;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentMetrics;
import java.util.List;
import java.util.Objects;

/**
 * Redacts snapshots: removes both digests, and the split of repeated contexts into duplicate and
 * conflicting ones. They are functions of the log and the group memberships, so a reader of the log
 * could test all memberships of the few people between two snapshots.
 *
 * <p>If levels are removed, the three sums of effects and the splits of gaps are removed too, as
 * effects are from audits: the difference of two snapshots is one person's, and reveals the group.
 */
final class MetricsRedactor {
  private MetricsRedactor() {}

  static SegmentMetrics hide(
      SegmentMetrics plain, SensitivePlaces places, RedactionContext redactionContext) {
    if (places.isNowhere()) {
      return plain;
    }
    ContextLedger contexts = plain.contexts();
    Digests digests = Objects.requireNonNull(plain.digests());
    PartWriter taken =
        new PartWriter()
            .put(digests.model())
            .put(digests.pending())
            .put(contexts.duplicate())
            .put(contexts.conflicting());
    FairnessSummary fairness = plain.fairness();
    boolean hasSums = redactionContext.mode() == RedactionMode.PSEUDONYMIZE;
    return plain
        .withSplits(hasSums ? plain.splits() : List.of())
        .with(
            contexts.withRepeated(contexts.duplicate() + contexts.conflicting(), 0),
            hasSums ? fairness : fairness.withoutSums(),
            null,
            redactionContext.redaction(place(plain), taken));
  }

  static SegmentMetrics reveal(SegmentMetrics shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    Digests digests = new Digests(in.text(), in.text());
    ContextLedger contexts = shown.contexts().withRepeated(in.whole(), in.whole());
    SegmentMetrics revealed = shown.with(contexts, shown.fairness(), digests, null);
    in.end();
    return revealed;
  }

  private static PartWriter place(SegmentMetrics metrics) {
    return new PartWriter()
        .put("metrics")
        .put(metrics.segment())
        .put(metrics.writerEpoch())
        .put(metrics.seq())
        .put(metrics.trigger().name());
  }
}
