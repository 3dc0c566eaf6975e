package io.equipoise.audit.verify;

import io.equipoise.audit.verify.Snapshots.PlacedMetrics;
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
 * Checks the metrics topic (I3): each snapshot equals the one that the replay writes at its seq, in
 * every field, and exists once. Snapshots that are due or that a later one names must exist. The
 * state is the progress of each segment and the snapshots that are still missing; for one thread,
 * which adds changes and snapshots in the order of the log.
 *
 * <p>Not compared here:
 *
 * <ul>
 *   <li>{@code digests}: {@link OracleRun} compares them first, without redaction, because the
 *       replay proves nothing after a difference. {@code redaction} opens them.
 *   <li>{@code previousSeq}: {@link SnapshotChain} checks it.
 *   <li>{@code contexts}, {@code decisions} and {@code rewards}: the ledgers count rejected inputs
 *       and buffered early rewards, which are no changes. {@link Recount} and {@link
 *       DeadLetterCounts} check them (I6).
 *   <li>{@code eventTime} of a snapshot that event time triggered: the watermark is not on the log.
 *       The same applies to the {@code writerEpoch} of a snapshot that is not due; it must lie
 *       between those of the change before and the next change.
 *   <li>{@code dedupEntries}: the log does not record when a dedup entry expires.
 *   <li>The number of omitted {@code groups.means}: the minimum group size is an option of the job.
 *       Groups that every minimum omits must be omitted.
 *   <li>Whether the job had the text of the spec when event time triggered a snapshot.
 *   <li>Whether a snapshot by event time exists if no window was closed and no snapshot follows, or
 *       if the following one was changed to name an earlier one: see {@link DueSnapshot} and {@link
 *       SnapshotChain}.
 * </ul>
 */
final class SnapshotRecords {
  private static final Set<String> NOT_COMPARED =
      Set.of(
          "digests",
          "redaction",
          "contexts",
          "decisions",
          "dedupEntries",
          "rewards",
          "previousSeq");

  private static final long BYTES = 1_024;

  private final KeptRecords kept;
  private final boolean mayLag;
  private final ReferenceRedactor redactor;
  private final FindingsCollector findings;
  private final MemoryBudget memoryBudget;
  private final Map<String, Line> lines = new HashMap<>();
  private final Deque<Missing> missing = new ArrayDeque<>();

  private record Missing(long seq, Change behind) {}

  /**
   * Keeps the progress of one segment: {@code due} is the missing snapshot that is due after the
   * change {@code behind}, {@code last} is the last equal snapshot since the change {@code latest}.
   */
  private static final class Line {
    private @Nullable DueSnapshot due;
    private @Nullable Change behind;
    private @Nullable PlacedMetrics last;
    private final SnapshotChain chain = new SnapshotChain();

    /** The change before the last snapshot found; before the first snapshot, the first change. */
    private @Nullable Change since;

    private @Nullable Change latest;

    /** The possible seqs of the last missing due snapshot: from inclusive, to exclusive. */
    private long missedFrom;

    private long missedBefore;

    /** The writer epochs of snapshots with the last change's seq. */
    private final Set<Integer> writerEpochs = new HashSet<>();

    /** The due snapshot was found after the last change. */
    private boolean isOwnFound;
  }

  /**
   * Prepares the check.
   *
   * @param mayLag whether some of the newest records may not have been appended yet
   */
  SnapshotRecords(
      KeptRecords kept,
      boolean mayLag,
      ReferenceRedactor redactor,
      FindingsCollector findings,
      MemoryBudget memoryBudget) {
    this.kept = kept;
    this.mayLag = mayLag;
    this.redactor = redactor;
    this.findings = findings;
    this.memoryBudget = memoryBudget;
  }

  /**
   * Starts a segment after a savepoint.
   *
   * @param before seq of the last snapshot in the savepoint
   * @param found the snapshots after the savepoint's last change
   */
  void begin(String segment, long before, List<PlacedMetrics> found) {
    int latest = found.stream().mapToInt(it -> it.metrics().writerEpoch()).max().orElse(0);
    line(segment).chain.begin(before, latest);
  }

  /**
   * Notes a replayed change.
   *
   * @param due the snapshot that is due after it, or null
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
          "of the snapshot, place.writerEpoch: the log has %d, the replay of the next change %d"
              .formatted(line.last.metrics().writerEpoch(), change.writerEpoch()));
    }
    line.last = null;
  }

  /**
   * Compares a snapshot with the one that the replay wrote.
   *
   * @param found with the digests in plain, which were compared before
   */
  void compared(PlacedMetrics found, SegmentMetrics written) {
    Line line = line(found.metrics().segment());
    chained(line, found, written.previousSeq());
    line.since = line.latest;
    if (!line.writerEpochs.add(found.metrics().writerEpoch()) || line.isOwnFound) {
      violated(found, "an earlier snapshot has this seq");
      return;
    }
    line.isOwnFound = line.due != null;
    line.due = null;
    line.behind = null;
    String difference =
        Difference.first(found.metrics(), redactor.like(found.metrics(), written), NOT_COMPARED);
    if (difference == null) {
      line.last = found;
    } else {
      violated(found, "of the snapshot, " + difference);
    }
  }

  private Line line(String segment) {
    return lines.computeIfAbsent(segment, any -> new Line());
  }

  private void chained(Line line, PlacedMetrics found, long expected) {
    SegmentMetrics logged = found.metrics();
    switch (line.chain.next(logged, expected)) {
      case WHOLE -> {}
      case WRONG ->
          violated(
              found,
              "of the snapshot, previousSeq: the log has %d, the replay %d"
                  .formatted(logged.previousSeq(), expected));
      case MISSING -> {
        long missing = logged.previousSeq();
        boolean isReported = line.missedFrom <= missing && missing < line.missedBefore;
        boolean mayBeGone = line.since != null && kept.mayBeGone(line.since.at());
        if (!isReported && !mayBeGone && found.at().isChecked()) {
          findings.violated(
              Invariant.I3,
              Change.key(logged.segment(), missing),
              "the snapshot of this seq is not on the metrics topic; the next one, at %s, names it"
                  .formatted(found.at().place()));
        }
      }
    }
  }

  /** Notes that the replay of a segment differs from the log. */
  void diverged(String segment) {
    lines.remove(segment);
  }

  /** Notes the timestamp up to which all topics are read. */
  void passed(long timestamp) {
    while (!missing.isEmpty()
        && missing.peek().behind.at().timestamp() + KeptRecords.MOST_APART_MILLIS < timestamp) {
      report(missing.remove());
      memoryBudget.release(BYTES);
    }
  }

  /** Notes that all topics are read to their end. */
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
      report(one);
    }
  }

  private void report(Missing one) {
    Change behind = one.behind;
    if (behind.at().isChecked() && !kept.mayBeGone(behind.at())) {
      findings.violated(
          Invariant.I3,
          Change.key(behind.segment(), one.seq),
          "the snapshot after this seq is not on the metrics topic");
    }
  }

  private void violated(PlacedMetrics found, String why) {
    if (found.at().isChecked()) {
      findings.violated(Invariant.I3, found.key(), why + "; at " + found.at().place());
    }
  }
}
