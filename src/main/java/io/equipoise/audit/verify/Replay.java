package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Counted;
import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.WireException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.state.SegmentSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks I3, I5 and I6. Merges the decisions and segment events of a key range in the order of seq.
 * Feeds them to one oracle for all segments, to an isolated oracle for some, and to the recount of
 * the ledgers. Compares these with every snapshot at its seq, and the audit and experiment records
 * of the first oracle with their topics. Also finds ids with two decisions (I1).
 *
 * <p>Decisions, segment events and fairness records are read side by side by timestamp, so a change
 * waits for its predecessor only as long as the topics are apart. Changes after the first gap that
 * {@link Sequences} found are ignored, so none waits forever.
 *
 * <p>State: the progress of each segment, with its changes that wait for a predecessor, and the
 * oracles. {@code written} holds the explanations of the change that is being replayed; it is
 * cleared before each change.
 */
final class Replay {
  static final Set<Invariant> INVARIANTS = Set.of(Invariant.I3, Invariant.I5, Invariant.I6);

  /** Memory per segment without its model and its pending decisions, in bytes. */
  private static final long SEGMENT_BYTES = 4_096;

  private static final long WAITING_BYTES = 1_024;

  /** Event time may lag behind a segment's contexts while other partitions catch up. */
  private static final Duration LAG = Duration.ofHours(1);

  /** Within this time a retirement reaches every task, also if brokers are silent. */
  private static final Duration RETIREMENT = Duration.ofMinutes(10);

  private final Map<String, SeqTrack> tracks;
  private final Map<String, SegmentSnapshot> saved;
  private final Snapshots snapshots;
  private final DeadLetterCounts deadLetterCounts;
  private final SpecCatalog specCatalog;
  private final Set<String> isolated;
  private final FindingsCollector findings;
  private final MemoryBudget memoryBudget;
  private final Unredactor unredactor;
  private final OracleRun together;
  private final ContextMatch match;
  private final List<FairnessRecords> explained;
  private final SnapshotRecords metrics;
  private final List<Explanation> written = new ArrayList<>();
  private final Horizons horizons;
  private final long skewMillis;
  private final Map<String, Line> lines = new HashMap<>();

  /** Progress of one segment. */
  private static final class Line {
    private final Map<Long, Change> ahead = new TreeMap<>();
    private final Recount recount;
    private final AnsweredIds answered;
    private final OracleRun[] oracles;
    private long seq;

    /** The latest event time of a decided context, at most its append time and the skew. */
    private long latest = Long.MIN_VALUE / 2;

    /** The last change, if it adopted a spec that was retired before. */
    private @Nullable Change retired;

    private Line(Recount recount, AnsweredIds answered, OracleRun... oracles) {
      this.recount = recount;
      this.answered = answered;
      this.oracles = oracles;
    }
  }

  /**
   * Prepares a replay.
   *
   * @param tracks the seq tracks of the key range's segments
   * @param saved the segments' states in the savepoint; empty without one
   * @param isolated the segments that are also replayed alone
   * @param skewMillis how far event time may be ahead of append time, ms
   * @param unredactor opens redacted decisions for the oracles
   * @param explained compare the audit and experiments topics with the replay
   * @param metrics compares the metrics topic with the replay
   */
  Replay(
      Map<String, SeqTrack> tracks,
      Map<String, SegmentSnapshot> saved,
      Snapshots snapshots,
      DeadLetterCounts deadLetterCounts,
      SpecCatalog specCatalog,
      Set<String> isolated,
      long skewMillis,
      FindingsCollector findings,
      MemoryBudget memoryBudget,
      Unredactor unredactor,
      List<FairnessRecords> explained,
      SnapshotRecords metrics) {
    this.tracks = tracks;
    this.saved = saved;
    this.snapshots = snapshots;
    this.deadLetterCounts = deadLetterCounts;
    this.specCatalog = specCatalog;
    this.isolated = isolated;
    this.skewMillis = skewMillis;
    this.findings = findings;
    this.memoryBudget = memoryBudget;
    this.unredactor = unredactor;
    this.explained = List.copyOf(explained);
    this.metrics = metrics;
    this.together = new OracleRun(Invariant.I3, specCatalog, findings, written::add);
    this.match = new ContextMatch(specCatalog, findings, unredactor);
    this.horizons = Horizons.of(specCatalog.all());
  }

  /**
   * Replays the segments of a key range and checks for snapshots without a change.
   *
   * @param inputs reads the contexts of decisions
   */
  void check(CommittedLog log, KeyRange keyRange, InputRecords inputs) {
    List<OffsetRange> slices = Sequences.slices(log);
    slices.addAll(log.slices(LogTopic.AUDIT));
    slices.addAll(log.slices(LogTopic.EXPERIMENTS));
    try (LogReader reader = log.read(slices);
        ContextCursor contexts = new ContextCursor(log, this::isFollowed, inputs, memoryBudget)) {
      for (LogRecord next = reader.next(); next != null; next = reader.next()) {
        LogRecord at = next;
        explained.forEach(topic -> topic.passed(at.timestamp()));
        metrics.passed(at.timestamp());
        if (keyRange.has(at.key())) {
          LogTopic topic = at.slice().topic();
          if (topic == LogTopic.DECISIONS || topic == LogTopic.SEGMENT_EVENTS) {
            take(at, contexts);
          } else {
            explained.stream().filter(it -> it.isOf(at)).forEach(it -> it.take(at));
          }
        }
      }
    }
    explained.forEach(FairnessRecords::ended);
    metrics.ended();
    lines.forEach(this::checkWindows);
    saved.forEach((segment, state) -> snapshots.forget(segment, state.seq()));
    snapshots.segmentsLeft().forEach(this::leftOver);
  }

  /** Returns whether some changes of a segment are not replayed yet. */
  private boolean isFollowed(String segment) {
    SeqTrack track = tracks.get(segment);
    Line line = lines.get(segment);
    return track != null
        && track.isFromStart()
        && (line == null ? track.start() : line.seq) < track.gaplessTo();
  }

  private void take(LogRecord at, ContextCursor contexts) {
    Change change;
    try {
      change = Change.of(at);
    } catch (WireException e) {
      return; // I4 reports it
    }
    SeqTrack track = tracks.get(change.segment());
    if (track == null
        || change.isUnnumbered()
        || !change.isKeyed()
        || change.seq() > track.gaplessTo()) {
      return;
    }
    Line line = lines.get(change.segment());
    if (line == null) {
      line = begin(change.segment(), track);
    }
    if (!track.isFromStart() || change.seq() <= line.seq) {
      return;
    }
    if (line.ahead.putIfAbsent(change.seq(), change) == null) {
      memoryBudget.reserve(WAITING_BYTES);
    }
    for (Change next = line.ahead.remove(line.seq + 1);
        next != null;
        next = line.ahead.remove(line.seq + 1)) {
      memoryBudget.release(WAITING_BYTES);
      pass(line, next, contexts);
    }
    if (!isFollowed(change.segment())) {
      contexts.ended(change.segment());
    }
  }

  private Line begin(String segment, SeqTrack track) {
    memoryBudget.reserve(SEGMENT_BYTES);
    AnsweredIds answered = new AnsweredIds(horizons.shortestMemory(), skewMillis, memoryBudget);
    SegmentSnapshot state = saved.get(segment);
    Recount recount = state == null ? new Recount() : new Recount(state.head().ledgers);
    Line line =
        isolated.contains(segment)
            ? new Line(
                recount, answered, together, new OracleRun(Invariant.I5, specCatalog, findings))
            : new Line(recount, answered, together);
    lines.put(segment, line);
    if (!track.isFromStart()) {
      for (Invariant invariant : INVARIANTS) {
        findings.unchecked(
            invariant,
            Change.key(segment, track.start() + 1),
            "it is not on the log; the replay needs it, or a savepoint named by --from");
      }
    } else if (state != null) {
      begin(line, segment, state);
    }
    return line;
  }

  private void begin(Line line, String segment, SegmentSnapshot state) {
    line.seq = state.seq();
    state.awaiting().forEach(line.answered::on);
    String missing = specCatalog.missing(state);
    for (OracleRun oracle : line.oracles) {
      if (missing == null) {
        oracle.begin(segment, state);
      } else {
        oracle.stop(segment, Change.key(segment, state.seq()), missing);
      }
    }
    List<Snapshots.PlacedMetrics> known = snapshots.take(segment, state.seq());
    metrics.begin(segment, state.head().metricsSeq, known);
    for (Snapshots.PlacedMetrics found : known) {
      for (OracleRun oracle : line.oracles) {
        oracle.on(found.metrics(), unredactor); // its change is before the savepoint
      }
    }
  }

  private void pass(Line line, Change change, ContextCursor contexts) {
    line.seq = change.seq();
    ContextAt context = null;
    if (change.record() instanceof Decision decision) {
      long plausible = Math.min(decision.eventTime(), change.at().timestamp() + skewMillis);
      line.latest = Math.max(line.latest, plausible);
      checkAdopted(line, decision);
      context = contexts.take(decision);
      contexts.passed(decision);
      ContextEvent answered = context instanceof ContextAt.Here here ? here.context() : null;
      if (answered != null && decision.isChosen() && !decision.lacksFeatures()) {
        match.check(change, decision, answered);
      }
      line.recount.on(decision);
      checkDecidedOnce(line, decision, answered, change);
    } else {
      line.retired = isOfRetired(change) ? change : null;
      line.recount.on((SegmentEvent) change.record());
      line.answered.on((SegmentEvent) change.record());
    }
    String missing =
        change.record() instanceof SegmentEvent segmentEvent
            ? specCatalog.missing(segmentEvent)
            : null;
    written.clear();
    for (OracleRun oracle : line.oracles) {
      if (missing == null) {
        oracle.on(change, unredactor, context);
      } else {
        oracle.stop(change.segment(), change.key(), missing);
      }
    }
    if (together.hasDiverged(change.segment())) {
      explained.forEach(topic -> topic.diverged(change.segment()));
      metrics.diverged(change.segment());
    } else {
      explained.forEach(topic -> topic.replayed(change, written));
      metrics.replayed(change, together.due(change.segment()));
    }
    for (Snapshots.PlacedMetrics found : snapshots.take(change.segment(), change.seq())) {
      compare(line, found);
      recount(line, found.metrics(), change.key());
    }
  }

  private boolean isOfRetired(Change change) {
    SegmentEvent segmentEvent = (SegmentEvent) change.record();
    Long since =
        segmentEvent.type() == SegmentEventType.SPEC_ADOPTED && segmentEvent.specHash() != null
            ? specCatalog.retired().get(segmentEvent.specHash())
            : null;
    return since != null && change.at().timestamp() > since + RETIREMENT.toMillis();
  }

  /** Only a recovered decision may bring back the spec that it names. */
  private void checkAdopted(Line line, Decision decision) {
    Change adopted = line.retired;
    line.retired = null;
    if (adopted != null && !decision.recovered()) {
      findings.violated(
          Invariant.I3, adopted.key(), "it adopts a spec that had been retired for 10 min or more");
    }
  }

  /** A window that ended long before the segment's latest context should have closed. */
  private void checkWindows(String segment, Line line) {
    long late = horizons.longestBucket() + skewMillis + LAG.toMillis();
    long overdue = together.overdue(segment, line.latest - late);
    if (overdue > 0) {
      findings.unchecked(
          Invariant.I2,
          "segment " + segment,
          "%s still waiting for rewards more than %d min, of the segment's latest context, after their windows: event time stands still or lags; see eventTimeLag"
              .formatted(Counted.of(overdue, "decisions are"), late / 60_000));
    }
  }

  private void checkDecidedOnce(
      Line line, Decision decision, @Nullable ContextEvent context, Change change) {
    Long before = line.answered.on(decision, context, change.at().timestamp());
    if (before != null) {
      findings.violated(
          Invariant.I1,
          Change.decision(decision.decisionId(), decision.segment(), change.at().place()),
          "this id has a decision at seq " + before + " and is still remembered");
    }
  }

  private void compare(Line line, Snapshots.PlacedMetrics found) {
    for (OracleRun oracle : line.oracles) {
      SegmentMetrics replayed = oracle.on(found.metrics(), unredactor);
      if (oracle == together && replayed != null) {
        metrics.compared(
            new Snapshots.PlacedMetrics(found.at(), unredactor.reveal(found.metrics())), replayed);
      } else if (oracle == together) {
        metrics.diverged(found.metrics().segment());
      }
    }
  }

  private void recount(Line line, SegmentMetrics snapshot, String key) {
    line.answered.on(snapshot);
    findings.checked(Invariant.I6);
    String difference = line.recount.difference(snapshot);
    if (difference.isEmpty()) {
      difference = deadLetterCounts.difference(snapshot);
    }
    if (!difference.isEmpty()) {
      findings.violated(Invariant.I6, key, difference);
    }
  }

  /** A snapshot is committed with the change of its seq, so that change must be on the log. */
  private void leftOver(String segment) {
    LogRecord left = snapshots.left(segment);
    SeqTrack track = tracks.get(segment);
    boolean isReported = track != null && (track.hasGap() || track.begin() != track.start() + 1);
    if (left != null && !isReported) {
      long last = track == null ? 0 : track.last();
      findings.violated(
          Invariant.I4,
          Change.key(segment, last + 1),
          "the log of this segment ends here, but the snapshot at %s has a later seq"
              .formatted(left.place()));
    }
  }
}
