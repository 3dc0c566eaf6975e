package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.WireException;
import io.equipoise.join.SavedSegment;
import io.equipoise.join.disclosure.Revealer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges I3, I5 and I6: feeds a share's decisions and outcomes, merged in the order of seq, to one
 * oracle for all segments, to one of its own for some, and to the recount of the ledgers, and
 * compares all of them with every snapshot at its seq. What the first oracle writes of fairness is
 * held against the audit topic. On the way looks for ids that were answered twice (I1).
 *
 * <p>Decisions, outcomes and fairness records are read side by side by their timestamps, so that a
 * change waits for the one before it only as long as the topics are apart. It cannot wait for ever:
 * {@link Sequences} has told up to which seq nothing is missing, and what lies beyond is not taken
 * in.
 */
final class Replay {
  static final Set<Invariant> INVARIANTS = Set.of(Invariant.I3, Invariant.I5, Invariant.I6);

  /** What one segment takes besides its model and its awaiting decisions. */
  private static final long SEGMENT_BYTES = 4_096;

  private static final long WAITING_BYTES = 1_024;

  private final Map<String, SeqTrack> tracks;
  private final Map<String, SavedSegment> saved;
  private final Snapshots snapshots;
  private final LetterCounts letters;
  private final Texts texts;
  private final Set<String> alone;
  private final Docket docket;
  private final Budget budget;
  private final Revealer revealer;
  private final OracleRun together;
  private final ContextMatch match;
  private final FairnessRecords fairness;
  private final SnapshotRecords metrics;
  private final List<FairnessAudit> written = new ArrayList<>();
  private final Horizons horizons;
  private final long skewMillis;
  private final Map<String, Line> lines = new HashMap<>();

  /** One segment on its way. */
  private static final class Line {
    private final Map<Long, Change> ahead = new TreeMap<>();
    private final Recount recount;
    private final AnsweredIds answered;
    private final UntoldPropensities untold;
    private final OracleRun[] oracles;
    private long seq;

    private Line(
        Recount recount, AnsweredIds answered, UntoldPropensities untold, OracleRun... oracles) {
      this.recount = recount;
      this.answered = answered;
      this.untold = untold;
      this.oracles = oracles;
    }
  }

  /**
   * Prepares a replay.
   *
   * @param tracks the numbers of the share's segments
   * @param saved the segments' states that the log goes on from, none where it is whole
   * @param alone the segments that are replayed alone too
   * @param skewMillis how far event time may be ahead of append time
   * @param revealer gives the oracles the plain decisions that they repeat
   * @param fairness holds the audit topic against what the replay writes
   * @param metrics does so for the snapshots
   */
  Replay(
      Map<String, SeqTrack> tracks,
      Map<String, SavedSegment> saved,
      Snapshots snapshots,
      LetterCounts letters,
      Texts texts,
      Set<String> alone,
      long skewMillis,
      Docket docket,
      Budget budget,
      Revealer revealer,
      FairnessRecords fairness,
      SnapshotRecords metrics) {
    this.tracks = tracks;
    this.saved = saved;
    this.snapshots = snapshots;
    this.letters = letters;
    this.texts = texts;
    this.alone = alone;
    this.skewMillis = skewMillis;
    this.docket = docket;
    this.budget = budget;
    this.revealer = revealer;
    this.fairness = fairness;
    this.metrics = metrics;
    this.together = new OracleRun(Invariant.I3, texts, docket, written::add);
    this.match = new ContextMatch(texts, docket, revealer);
    this.horizons = Horizons.of(texts.all());
  }

  /**
   * Replays a share's segments and looks at what is left over.
   *
   * @param inputs reads the contexts of decisions
   */
  void judge(CommittedLog log, Share share, InputRecords inputs) {
    List<Slice> slices = Sequences.slices(log);
    slices.addAll(log.slices(LogTopic.AUDIT));
    try (LogReader reader = log.read(slices);
        ContextCursor contexts = new ContextCursor(log, this::isFollowed, inputs, budget)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        fairness.passed(at.timestamp());
        metrics.passed(at.timestamp());
        if (share.has(at.key())) {
          if (at.slice().topic() == LogTopic.AUDIT) {
            fairness.take(at);
          } else {
            take(at, contexts);
          }
        }
      }
    }
    fairness.ended();
    metrics.ended();
    saved.forEach((segment, state) -> snapshots.forget(segment, state.seq()));
    snapshots.segmentsLeft().forEach(this::leftOver);
  }

  /** Says whether changes of a segment are still to be replayed. */
  private boolean isFollowed(String segment) {
    SeqTrack track = tracks.get(Sequences.line(segment, 0));
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
      return; // I4 has told
    }
    SeqTrack track = tracks.get(Sequences.line(change.segment(), change.shard()));
    if (track == null
        || change.isUnnumbered()
        || !change.isKeyed()
        || change.seq() > track.gaplessTo()) {
      return;
    }
    if (change.shard() != 0) {
      together.stop(change.segment(), change.key(), "this version knows no shards");
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
      budget.take(WAITING_BYTES);
    }
    for (Change next = line.ahead.remove(line.seq + 1);
        next != null;
        next = line.ahead.remove(line.seq + 1)) {
      budget.give(WAITING_BYTES);
      pass(line, next, contexts);
    }
    if (!isFollowed(change.segment())) {
      contexts.ended(change.segment());
    }
  }

  private Line begin(String segment, SeqTrack track) {
    budget.take(SEGMENT_BYTES);
    AnsweredIds answered = new AnsweredIds(horizons.shortestMemory(), skewMillis, budget);
    SavedSegment state = saved.get(segment);
    Recount recount = state == null ? new Recount() : new Recount(state.head().ledgers);
    UntoldPropensities untold = new UntoldPropensities(docket);
    Line line =
        alone.contains(segment)
            ? new Line(
                recount, answered, untold, together, new OracleRun(Invariant.I5, texts, docket))
            : new Line(recount, answered, untold, together);
    lines.put(segment, line);
    if (!track.isFromStart()) {
      for (Invariant invariant : INVARIANTS) {
        docket.unjudged(
            invariant,
            Change.key(segment, 0, track.start() + 1),
            "it is not on the log, and a replay needs it, or a savepoint named by --from");
      }
    } else if (state != null) {
      begin(line, segment, state);
    }
    return line;
  }

  private void begin(Line line, String segment, SavedSegment state) {
    line.seq = state.seq();
    state.awaiting().forEach(line.answered::on);
    line.untold.begin(state);
    String missing = texts.missing(state);
    for (OracleRun oracle : line.oracles) {
      if (missing == null) {
        oracle.begin(segment, state);
      } else {
        oracle.stop(segment, Change.key(segment, 0, state.seq()), missing);
      }
    }
    List<Snapshots.Found> known = snapshots.take(segment, state.seq());
    metrics.begin(segment, state.head().metricsSeq, known);
    for (Snapshots.Found found : known) {
      for (OracleRun oracle : line.oracles) {
        oracle.on(found.metrics(), revealer); // what caused it is not on the log that goes on
      }
    }
  }

  private void pass(Line line, Change change, ContextCursor contexts) {
    line.seq = change.seq();
    ContextAt context = null;
    line.untold.on(change);
    if (change.record() instanceof Decision decision) {
      context = contexts.take(decision);
      contexts.passed(decision);
      ContextEvent answered = context instanceof ContextAt.Here here ? here.context() : null;
      if (answered != null && decision.isChosen() && !decision.lacksFeatures()) {
        match.judge(change, decision, answered);
      }
      line.recount.on(decision);
      answerOnce(line, decision, answered, change);
    } else {
      line.recount.on((Outcome) change.record());
      line.answered.on((Outcome) change.record());
    }
    String missing = change.record() instanceof Outcome outcome ? texts.missing(outcome) : null;
    written.clear();
    for (OracleRun oracle : line.oracles) {
      if (missing == null) {
        oracle.on(change, revealer, context);
      } else {
        oracle.stop(change.segment(), change.key(), missing);
      }
    }
    if (together.hasParted(change.segment())) {
      fairness.parted(change.segment());
      metrics.parted(change.segment());
    } else {
      fairness.replayed(change, written);
      metrics.replayed(change, together.due(change.segment()));
    }
    for (Snapshots.Found found : snapshots.take(change.segment(), change.seq())) {
      compare(line, found);
      recount(line, found.metrics(), change.key());
    }
  }

  private void answerOnce(
      Line line, Decision decision, @Nullable ContextEvent context, Change change) {
    Long before = line.answered.on(decision, context, change.at().timestamp());
    if (before != null) {
      docket.violated(
          Invariant.I1,
          "decision_id %s of segment %s (%s)"
              .formatted(decision.decisionId(), decision.segment(), change.at().place()),
          "this id was answered at seq " + before + ", which is still remembered");
    }
  }

  private void compare(Line line, Snapshots.Found found) {
    for (OracleRun oracle : line.oracles) {
      SegmentMetrics replayed = oracle.on(found.metrics(), revealer);
      if (oracle == together && replayed != null) {
        metrics.compared(
            new Snapshots.Found(found.at(), revealer.reveal(found.metrics())), replayed);
      } else if (oracle == together) {
        metrics.parted(found.metrics().segment());
      }
    }
  }

  private void recount(Line line, SegmentMetrics snapshot, String key) {
    line.answered.on(snapshot);
    docket.judged(Invariant.I6);
    String difference = line.recount.difference(snapshot);
    if (difference.isEmpty()) {
      difference = letters.excess(snapshot);
    }
    if (!difference.isEmpty()) {
      docket.violated(Invariant.I6, key, difference);
    }
  }

  /** A snapshot was committed together with the change of its seq, so that one must be there. */
  private void leftOver(String segment) {
    LogRecord left = snapshots.left(segment);
    SeqTrack track = tracks.get(segment);
    boolean isTold = track != null && (track.hasGap() || track.begin() != track.start() + 1);
    if (left != null && !isTold) {
      long last = track == null ? 0 : track.last();
      docket.violated(
          Invariant.I4,
          Change.key(segment, 0, last + 1),
          "the log of this segment ends here, but the snapshot at %s is of a later seq"
              .formatted(left.place()));
    }
  }
}
