package io.equipoise.console.document;

import static io.equipoise.console.document.Wording.count;
import static io.equipoise.console.document.Wording.percent;

import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.SegmentMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Marks what needs attention in a segment, gravest first.
 *
 * @param level bad, warn or info
 */
record Attention(String level, String code, String text) {
  private static final String BAD = "bad";
  private static final String WARNING = "warn";
  private static final String INFORMATION = "info";
  private static final double MANY_FALLBACKS = 0.2;
  private static final double MANY_DEAD_LETTERS = 0.01;
  private static final int SILENT_BUCKETS = 10;
  private static final long MANY_DECISIONS = 100;

  /** Returns the marks of a segment for the window that ends with a bucket. */
  static List<Attention> of(SegmentHistory segment, long last) {
    List<Attention> all = new ArrayList<>();
    long first = last - TimeAxis.BUCKETS + 1;
    long decisions = segment.count(Count.DECISIONS, first, last);
    long unfair = segment.count(Count.UNFAIR, first, last);
    if (unfair > 0) {
      String text = "%s of %s decisions have an effect whose whole interval is beyond the limit.";
      add(all, BAD, "UNFAIR", text.formatted(count(unfair), count(decisions)));
    }
    Snapshot snapshot = segment.snapshot();
    if (snapshot != null) {
      ofSnapshot(snapshot.metrics(), all);
    }
    long fallbacks = OverviewRow.fallbacks(segment.reasons(first, last));
    if (fallbacks > MANY_FALLBACKS * decisions) {
      String text = "%s of the decisions had no arm that met the constraint.";
      add(all, WARNING, "FALLBACKS", text.formatted(percent((double) fallbacks / decisions)));
    }
    long deadLetters = segment.count(Count.DEAD_LETTERS, first, last);
    if (deadLetters > MANY_DEAD_LETTERS * decisions) {
      add(all, WARNING, "DEAD_LETTERS", count(deadLetters) + " inputs were rejected.");
    }
    if (decisions > 0 && segment.count(Count.DECISIONS, last - SILENT_BUCKETS + 1, last) == 0) {
      add(all, INFORMATION, "SILENT", "No decision has been made for a while.");
    }
    segment.watched().forEach(entry -> ofWatched(WatchText.of(entry, segment.running()), all));
    all.sort((one, other) -> Integer.compare(other.rank(), one.rank()));
    return all;
  }

  private static void ofWatched(WatchText watched, List<Attention> all) {
    if (watched.isAlarm()) {
      add(all, BAD, "GROUP_ALARM", watched.name() + ": " + watched.evidence() + ".");
    } else if (watched.hasChanged()) {
      GroupsEvidence groups = Objects.requireNonNull(watched.groups());
      String text = "%s: the gap changed; the change began about seq %s.";
      add(all, WARNING, "GROUP_CHANGE", text.formatted(watched.name(), groups.changeSince()));
    }
    if (watched.passes()) {
      String text =
          "The gate of %s passes; specs promote publishes it if nothing else speaks against.";
      add(all, INFORMATION, "GATE_PASSES", text.formatted(watched.name()));
    }
  }

  private static void ofSnapshot(SegmentMetrics metrics, List<Attention> all) {
    if (!metrics.assumptions().refuted().isEmpty()) {
      String names = String.join("; ", metrics.assumptions().refuted());
      add(all, BAD, "ASSUMPTION_REFUTED", "The rewards refute: " + names + ".");
    }
    if (isNothingLearned(metrics)) {
      String text =
          "No reward has been learned yet. %s decisions wait for the end of their window.";
      add(all, WARNING, "NOTHING_LEARNED", text.formatted(count(metrics.decisions().awaiting())));
    } else if (metrics.fairness().overlapAlarm()) {
      String text = "%s of the latest decisions compare people whom the traffic does not contain.";
      add(
          all,
          WARNING,
          "OVERLAP_ALARM",
          text.formatted(percent(metrics.fairness().noOverlapShare())));
    }
    List<String> lockedIn =
        metrics.fairness().certificates().stream()
            .filter(ArmCertificate::lockedIn)
            .map(ArmCertificate::arm)
            .distinct()
            .toList();
    if (!lockedIn.isEmpty()) {
      String text =
          "%s may pay more, but is left out for good: no rule brings the rewards that certify it.";
      String more = lockedIn.size() == 1 ? "" : " and " + (lockedIn.size() - 1) + " other arms";
      add(all, WARNING, "LOCKED_IN", text.formatted(lockedIn.get(0) + more));
    }
  }

  /** Returns whether many decisions wait for their rewards and none has been closed. */
  static boolean isNothingLearned(SegmentMetrics metrics) {
    DecisionLedger decisions = metrics.decisions();
    return decisions.settled() == 0
        && decisions.timedOut() == 0
        && decisions.awaiting() >= MANY_DECISIONS;
  }

  private static void add(List<Attention> all, String level, String code, String text) {
    all.add(new Attention(level, code, text));
  }

  /** Returns how grave it is: 3 for bad, 2 for a warning, 1 for information. */
  int rank() {
    return level.equals(BAD) ? 3 : level.equals(WARNING) ? 2 : 1;
  }
}
