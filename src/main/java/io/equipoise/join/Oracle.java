package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.spec.IdleStateSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replays a committed log, one record at a time in {@code seq} order, through the plain library and
 * compares: the same record in every place, and at every metrics snapshot the same digests, bit for
 * bit. Fairness audits and experiment records are written again too, so that a caller can compare
 * them.
 *
 * <p>Single-threaded, without a clock or a watermark: what was late, early or expired is taken from
 * the log, what was chosen and learned is computed anew. {@link Told} lists what is believed.
 */
public final class Oracle {
  private final SpecBook book;
  private final BoundsValidator judge;
  private final Consumer<Explanation> explanations;
  private final Map<String, Replayed> segments = new TreeMap<>();

  /** Creates an oracle for logs without causal bounds. */
  public Oracle(SpecBook book) {
    this(book, BoundsRegistry.NONE);
  }

  /**
   * Creates an oracle.
   *
   * @param book the spec texts that the log names by hash; {@link SpecBook#select} is not asked
   * @param causalBounds the sets of causal bounds that the log names by hash
   */
  public Oracle(SpecBook book, BoundsRegistry causalBounds) {
    this(book, causalBounds, explanation -> {});
  }

  /**
   * Creates an oracle that passes on the records that explain changes.
   *
   * @param explanations takes the plain records of each change while it is repeated, in their
   *     order. The counts of late and repeated rewards of a phase do not follow from the changes
   */
  public Oracle(SpecBook book, BoundsRegistry causalBounds, Consumer<Explanation> explanations) {
    this.book = book;
    this.judge = new BoundsValidator(causalBounds);
    this.explanations = explanations;
  }

  /** Begins a segment with a state that its log goes on from. */
  public void begin(String segment, SavedSegment saved) {
    Replayed replayed = new Replayed(segment, saved.toState());
    replayed.awaiting.putAll(saved.awaiting());
    segments.put(segment, replayed);
  }

  /**
   * Repeats a decision. One that was recovered is taken for shown: what it was computed from is
   * lost, and what of it was written before is for whoever has the whole log to compare.
   *
   * @throws OracleMismatchException if a seq is missing or the replay decides otherwise
   */
  public void onDecision(Decision decision) {
    Replayed replayed = replayed(decision.segment());
    Rewritten written = new Rewritten(explanations);
    Turn turn = replayed.turn(decision, written);
    replayed.checkRefuted(turn, decision.seq(), false);
    checkBegin(turn, decision.segment(), decision.seq(), null);
    List<Double> features = decision.features();
    if (decision.isRepeated()) {
      throw new OracleMismatchException(
          "seq %d of segment %s is REPEATED, which takes no seq"
              .formatted(decision.seq(), decision.segment()));
    }
    if (decision.lacksFeatures()) {
      throw new OracleMismatchException(
          "seq %d of segment %s leaves its features off; a replay needs those of its context"
              .formatted(decision.seq(), decision.segment()));
    }
    if (features == null) {
      turn.journal.answered(
          Told.context(decision),
          decision.reason(),
          decision.recovered() ? decision.arm() : turn.fallbackArm(),
          Deciding.codeOf(decision),
          decision.recovered());
    } else {
      decide(turn, replayed.awaiting, decision, features);
    }
    Agreement.check(decision, written.decision());
    replayed.due = features != null && turn.isSnapshotDue() ? DueSnapshot.behind(decision) : null;
    turn.close();
  }

  private static void decide(
      Turn turn, Map<IdHash, Entry.Awaiting> awaiting, Decision decision, List<Double> features) {
    Changes changes = new Changes(turn);
    Request request = request(turn.requireSpec(), changes, decision, features);
    AuditedChoice audited =
        decision.recovered()
            ? changes.recall(decision, request)
            : changes.decide(decision.decisionId(), request);
    turn.journal.decided(Told.context(decision), request, audited, decision.recovered());
    if (audited.choice().reason().isLearned()) {
      IdHash id = IdHash.of(decision.decisionId());
      awaiting.put(id, changes.decided(id, decision.eventTime(), 0, request, audited));
    } else {
      changes.decidedNotLearnable(request, audited);
    }
  }

  private static Request request(
      CompiledSpec spec, Changes changes, Decision decision, List<Double> features) {
    Profile person = profile(features, spec.features().size());
    List<List<Double>> own = decision.candidateFeatures();
    if (own == null) {
      return changes.request(person, null);
    }
    int actions = spec.spec().variables().actions().size();
    List<Offer> offers = new ArrayList<>();
    for (int place = 0; place < own.size(); place++) {
      offers.add(new Offer(decision.candidates().get(place), -1, profile(own.get(place), actions)));
    }
    return changes.request(person, offers);
  }

  /** Takes apart what a decision says of a person or an arm: levels, then numbers. */
  private static Profile profile(List<Double> features, int levels) {
    return new Profile(
        features.subList(0, levels).stream().mapToInt(Double::intValue).toArray(),
        features.subList(levels, features.size()).stream().mapToDouble(it -> it).toArray());
  }

  /**
   * Repeats a change other than a decision.
   *
   * @throws OracleMismatchException if a seq is missing, the record names what never was, or the
   *     replay makes another change
   */
  public void onSegmentEvent(SegmentEvent segmentEvent) {
    Replayed replayed = replayed(segmentEvent.segment());
    Rewritten written = new Rewritten(explanations);
    Turn turn = replayed.turn(segmentEvent, written);
    replayed.checkRefuted(
        turn, segmentEvent.seq(), segmentEvent.type() == SegmentEventType.BOUNDS_REFUTED);
    boolean isReturn = segmentEvent.type() == SegmentEventType.SEGMENT_ACTIVATED;
    checkBegin(
        turn,
        segmentEvent.segment(),
        segmentEvent.seq(),
        isReturn ? segmentEvent.modelRetained() : null);
    new Repetition(turn, replayed.awaiting, book).of(segmentEvent);
    Agreement.check(segmentEvent, written.segmentEvent());
    replayed.due = DueSnapshot.behind(segmentEvent, replayed.due, turn.head.metricsSeq);
    replayed.refuted = List.copyOf(turn.refuted);
    turn.close();
  }

  /** What comes first ends a rest, and says so. */
  private static void checkBegin(Turn turn, String segment, long seq, @Nullable Boolean told) {
    if (seq != turn.head.seq + 1) {
      throw new OracleMismatchException(
          "seq went from %d to %d in segment %s".formatted(turn.head.seq, seq, segment));
    }
    Boolean revived =
        turn.revived == null ? null : (Boolean) (turn.revived == IdleStateSpec.Retain.MODEL);
    Agreement.check(segment, seq, "return", told, revived);
  }

  /**
   * Compares the state reached with a snapshot of the same seq.
   *
   * @return what the replay writes in its place, for whoever compares more than the digests
   * @throws OracleMismatchException if a digest differs
   */
  public SegmentMetrics onMetrics(SegmentMetrics metrics) {
    Replayed replayed = replayed(metrics.segment());
    replayed.requireNoneRefuted(metrics.seq() + 1);
    SegmentHead head = Objects.requireNonNullElseGet(replayed.state.head(), SegmentHead::new);
    Agreement.check(metrics.segment(), metrics.seq(), "seq", metrics.seq(), head.seq);
    SegmentMetrics written = replayed.snapshot(metrics);
    Agreement.check(metrics.segment(), metrics.seq(), "digest", metrics.digest(), written.digest());
    Agreement.check(
        metrics.segment(),
        metrics.seq(),
        "pending digest",
        metrics.pendingDigest(),
        written.pendingDigest());
    head.metricsSeq = head.seq;
    replayed.state.putHead(head);
    replayed.due = null;
    return written;
  }

  /**
   * Returns the snapshot that a segment must have written behind the changes repeated so far, null
   * where there is none or it was compared.
   */
  public @Nullable DueSnapshot due(String segment) {
    return replayed(segment).due;
  }

  /** Returns the seq reached in a segment, 0 where nothing was replayed. */
  public long seq(String segment) {
    SegmentHead head = replayed(segment).state.headAlsoAtRest();
    return head == null ? 0 : head.seq;
  }

  private Replayed replayed(String segment) {
    return segments.computeIfAbsent(segment, name -> new Replayed(name, new MemorySegmentState()));
  }

  /** One segment as the log has built it so far. */
  private final class Replayed {
    private final String segment;
    private final MemorySegmentState state;
    private final Map<IdHash, Entry.Awaiting> awaiting = new HashMap<>();
    private @Nullable DueSnapshot due;
    private int writerEpoch;

    /** Rows of causal bounds that the last change refuted; the next changes must say so. */
    private List<Refutation> refuted = List.of();

    Replayed(String segment, MemorySegmentState state) {
      this.segment = segment;
      this.state = state;
    }

    /** Passes refuted rows of bounds to the next change, which must be about the first of them. */
    void checkRefuted(Turn turn, long seq, boolean isRefutation) {
      if (!isRefutation) {
        requireNoneRefuted(seq);
      }
      turn.refuted.addAll(refuted);
    }

    void requireNoneRefuted(long seq) {
      if (!refuted.isEmpty()) {
        throw new OracleMismatchException(
            "seq %d of segment %s must be BOUNDS_REFUTED: the change before refutes causal bounds"
                .formatted(seq, segment));
      }
    }

    Turn turn(Decision next, Rewritten log) {
      writerEpoch = next.writerEpoch();
      SpecBook atHand = Told.isSpecLost(next) ? SpecBook.NONE : book;
      return new Turn(segment, state, atHand, judge, log, Told.writerEpoch(next));
    }

    Turn turn(SegmentEvent next, Rewritten log) {
      writerEpoch = next.writerEpoch();
      SpecBook atHand = Told.isSpecLost(next) ? SpecBook.NONE : book;
      BoundsValidator causalBounds =
          Told.areBoundsLost(next) ? new BoundsValidator(BoundsRegistry.NONE) : judge;
      return new Turn(segment, state, atHand, causalBounds, log, Told.writerEpoch(next));
    }

    /** Writes a snapshot; one by event time may be a later attempt's that has changed nothing. */
    SegmentMetrics snapshot(SegmentMetrics told) {
      boolean isCounted = due != null && due.trigger() == MetricsTrigger.COUNT;
      SpecBook atHand = !isCounted && Told.isSpecLost(told) ? SpecBook.NONE : book;
      Rewritten nothing = new Rewritten(explanations);
      Turn turn =
          new Turn(segment, state, atHand, judge, nothing, WriterEpoch.numbered(writerEpoch));
      return MetricsSnapshot.of(
          turn,
          due == null ? Math.max(writerEpoch, told.writerEpoch()) : due.writerEpoch(),
          isCounted ? due.eventTime() : told.eventTime(),
          isCounted ? MetricsTrigger.COUNT : MetricsTrigger.EVENT_TIME);
    }
  }
}
