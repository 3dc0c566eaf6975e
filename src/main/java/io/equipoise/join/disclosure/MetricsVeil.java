package io.equipoise.join.disclosure;

import io.equipoise.event.Hidden;
import io.equipoise.event.SegmentMetrics;

/**
 * Snapshots: hides both digests. They are functions of the log and of who is of which group, so
 * with the rest of the log one could try all groupings of the few people between two snapshots.
 */
final class MetricsVeil {
  private MetricsVeil() {}

  static SegmentMetrics hide(SegmentMetrics plain, SensitivePlaces places, Stamp stamp) {
    if (places.isNowhere()) {
      return plain;
    }
    PartWriter taken = new PartWriter().put(plain.digest()).put(plain.pendingDigest());
    return plain.with("", "", stamp.hidden(place(plain), taken));
  }

  static SegmentMetrics reveal(SegmentMetrics shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    SegmentMetrics revealed = shown.with(in.text(), in.text(), null);
    in.end();
    return revealed;
  }

  private static PartWriter place(SegmentMetrics metrics) {
    return new PartWriter()
        .put("metrics")
        .put(metrics.segment())
        .put(metrics.shard())
        .put(metrics.seq())
        .put(metrics.trigger().name());
  }
}
