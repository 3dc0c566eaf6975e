package io.equipoise.audit.verify;

import io.equipoise.audit.verify.Snapshots.Found;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.privacy.ReferenceRedactor;
import io.equipoise.segment.replay.DueSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the metrics topic (I3): each snapshot is the one that the replay writes at its seq, in
 * every field, once, and those that are due or that a later one names are there.
 *
 * <p>What is not compared here, and why:
 *
 * <ul>
 *   <li>{@code digest} and {@code pendingDigest}: {@link OracleRun} compares them first, as the
 *       replay says nothing more where they differ; of hidden ones the plain. {@code redaction} is
 *       what these are opened with.
 *   <li>{@code previousSeq}, which {@link SnapshotChain} judges.
 *   <li>{@code contexts}, {@code decisions} and {@code rewards}: the ledgers count refusals and
 *       rewards held early, which change no state and are in no change; {@link Recount} and {@link
 *       LetterCounts} judge them (I6).
 *   <li>{@code eventTime} of a snapshot that event time caused: the watermark is not on the log.
 *       Nor is the {@code writerEpoch} of one that is not due, which must only not be less than
 *       that of the change before and not greater than that of the next.
 *   <li>How many {@code groups} are left out: the minimum count is an option of the job. Those must
 *       be left out that some minimum leaves out.
 *   <li>That the job had no text of the spec when event time caused a snapshot.
 *   <li>Whether there is a snapshot by event time where no window was closed and none follows, or
 *       the one that follows was changed to name an earlier one: see {@link DueSnapshot} and {@link
 *       SnapshotChain}.
 * </ul>
 */
final class SnapshotRecords {
  private static final Set<String> NOT_COMPARED =
      Set.of(
          "digest",
          "pendingDigest",
          "redaction",
          "contexts",
          "decisions",
          "rewards",
          "previousSeq");

  private static final long BYTES = 1_024;

  private final KeptRecords kept;
  private final boolean mayLag;
  private final ReferenceRedactor veil;
  private final FindingsCollector findingsCollector;
  private final MemoryBudget memoryBudget;
  private final Map<String, Line> lines = new HashMap<>();
  private final Deque<Missing> missing = new ArrayDeque<>();

  private record Missing(long seq, Change behind) {}

  /** One segment on its way. */
  private static final class Line {
    private @Nullable DueSnapshot due;
    private @Nullable Change behind;
    private @Nullable Found last;
    private final SnapshotChain chain = new SnapshotChain();

    /** The change behind which the last snapshot was found, or else the first one replayed. */
    private @Nullable Change since;

    private @Nullable Change latest;

    /** The places of the last one that was due and is missing: from a seq to before another. */
    private long missedFrom;

    private long missedBefore;

    /** Who wrote snapshots of the last change's seq. */
    private final Set<Integer> writerEpochs = new HashSet<>();

    /** The one that is due was found behind the last change. */
    private boolean isOwnFound;
  }

  /**
   * Prepares to judge.
   *
   * @param mayLag whether some records of what was written last may not have been appended yet
   */
  SnapshotRecords(
      KeptRecords kept,
      boolean mayLag,
      ReferenceRedactor veil,
      FindingsCollector findingsCollector,
      MemoryBudget memoryBudget) {
    this.kept = kept;
    this.mayLag = mayLag;
    this.veil = veil;
    this.findingsCollector = findingsCollector;
    this.memoryBudget = memoryBudget;
  }

  /**
   * Begins a segment that goes on from a savepoint.
   *
   * @param before seq of the last snapshot that the savepoint knows
   * @param found those behind the savepoint's last change
   */
  void begin(String segment, long before, List<Found> found) {
    int latest = found.stream().mapToInt(it -> it.metrics().writerEpoch()).max().orElse(0);
    line(segment).chain.begin(before, latest);
  }

  /**
   * Takes note of a change that was replayed.
   *
   * @param due the snapshot that is due behind it, or null
   */
  void replayed(Change change, @Nullable DueSnapshot due) {
    Line line = line(change.segment());
    if (line.due != null && !line.due.mayBe(due)) {
      line.missedFrom = line.due.seq();
      line.missedBefore = change.seq();
      missing(line);
    }
    line.latest = change;
    line.since = line.since == null ? change : line.since;
    if (due == null || !due.equals(line.due)) {
      line.behind = due == null ? null : change;
    }
    line.due = due;
    line.writerEpochs.clear();
    line.isOwnFound = false;
    if (line.last != null && line.last.metrics().writerEpoch() > change.writerEpoch()) {
      violated(
          line.last,
          "of the snapshot, writerEpoch: the log says %d, the replay of what follows %d"
              .formatted(line.last.metrics().writerEpoch(), change.writerEpoch()));
    }
    line.last = null;
  }

  /**
   * Holds a snapshot against the one that the replay has written in its place.
   *
   * @param found with the plain digests, which were compared
   */
  void compared(Found found, SegmentMetrics written) {
    Line line = line(found.metrics().segment());
    chained(line, found, written.previousSeq());
    line.since = line.latest;
    if (!line.writerEpochs.add(found.metrics().writerEpoch()) || line.isOwnFound) {
      violated(found, "a snapshot of this seq was there before");
      return;
    }
    line.isOwnFound = line.due != null;
    line.due = null;
    line.behind = null;
    String difference =
        Difference.first(found.metrics(), veil.like(found.metrics(), written), NOT_COMPARED);
    if (difference == null) {
      line.last = found;
    } else {
      violated(found, "of the snapshot, " + difference);
    }
  }

  private Line line(String segment) {
    return lines.computeIfAbsent(segment, any -> new Line());
  }

  private void chained(Line line, Found found, long expected) {
    SegmentMetrics told = found.metrics();
    switch (line.chain.next(told, expected)) {
      case WHOLE -> {}
      case WRONG ->
          violated(
              found,
              "of the snapshot, previousSeq: the log says %d, the replay %d"
                  .formatted(told.previousSeq(), expected));
      case MISSING -> {
        long missing = told.previousSeq();
        boolean isTold = line.missedFrom <= missing && missing < line.missedBefore;
        boolean mayBeGone = line.since != null && kept.mayBeGone(line.since.at());
        if (!isTold && !mayBeGone && found.at().isChecked()) {
          findingsCollector.violated(
              Invariant.I3,
              Change.key(told.segment(), missing),
              "the snapshot of this seq is not on the metrics topic; the next one, at %s, names it"
                  .formatted(found.at().place()));
        }
      }
    }
  }

  /** Takes note that the replay of a segment has parted from the log. */
  void parted(String segment) {
    lines.remove(segment);
  }

  /** Takes note of how far all topics were read: to a timestamp. */
  void passed(long timestamp) {
    while (!missing.isEmpty()
        && missing.peek().behind.at().timestamp() + KeptRecords.MOST_APART_MILLIS < timestamp) {
      tell(missing.remove());
      memoryBudget.release(BYTES);
    }
  }

  /** Takes note that all topics were read to their end. */
  void ended() {
    if (!mayLag) {
      lines.values().forEach(this::missing);
    }
  }

  private void missing(Line line) {
    if (line.due == null || line.behind == null) {
      return;
    }
    Missing one = new Missing(line.due.seq(), line.behind);
    if (mayLag) {
      memoryBudget.reserve(BYTES);
      missing.add(one);
    } else {
      tell(one);
    }
  }

  private void tell(Missing one) {
    Change behind = one.behind;
    if (behind.at().isChecked() && !kept.mayBeGone(behind.at())) {
      findingsCollector.violated(
          Invariant.I3,
          Change.key(behind.segment(), one.seq),
          "the snapshot that follows is not on the metrics topic");
    }
  }

  private void violated(Found found, String why) {
    if (found.at().isChecked()) {
      findingsCollector.violated(Invariant.I3, found.key(), why + "; at " + found.at().place());
    }
  }
}
