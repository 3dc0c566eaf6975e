package io.equipoise.segment.replay;

import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.ContextHandler;
import io.equipoise.segment.SegmentSession;
import io.equipoise.segment.StateTransitions;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.MetricsRecords;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.BoundsValidator;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.IdleStateSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replays a committed log through the plain library, one record at a time in {@code seq} order, and
 * requires equal results bit for bit: the same record in every place, and the same digests at every
 * metrics snapshot. It also rewrites fairness audits and experiment records for callers that
 * compare them.
 *
 * <p>Single-threaded, without a clock or a watermark: lateness and expiry are taken from the log,
 * choices and learning are recomputed. {@link ReplayInputs} lists the fields taken from the log.
 * The state is one replayed segment for each name, derived from the records so far and from {@link
 * #begin}.
 */
public final class ReplayOracle {
  private final SpecRegistry book;
  private final BoundsValidator check;
  private final Consumer<Explanation> explanations;
  private final Map<String, Replayed> segments = new TreeMap<>();

  /** Creates an oracle for logs without causal bounds. */
  public ReplayOracle(SpecRegistry book) {
    this(book, BoundsRegistry.NONE);
  }

  /**
   * Creates an oracle.
   *
   * @param book the spec texts that the log names by hash; {@link SpecRegistry#select} is not
   *     called
   * @param causalBounds the sets of causal bounds that the log names by hash
   */
  public ReplayOracle(SpecRegistry book, BoundsRegistry causalBounds) {
    this(book, causalBounds, explanation -> {});
  }

  /**
   * Creates an oracle that passes on the records that explain changes.
   *
   * @param explanations takes the plain records of each change while it is repeated, in their
   *     order. The counts of late and repeated rewards of a phase do not follow from the changes
   */
  public ReplayOracle(
      SpecRegistry book, BoundsRegistry causalBounds, Consumer<Explanation> explanations) {
    this.book = book;
    this.check = new BoundsValidator(causalBounds);
    this.explanations = explanations;
  }

  /** Begins a segment with the saved state that its log continues. */
  public void begin(String segment, SegmentSnapshot saved) {
    Replayed replayed = new Replayed(segment, saved.toState());
    replayed.awaiting.putAll(saved.awaiting());
    segments.put(segment, replayed);
  }

  /**
   * Repeats a decision. The choice of a recovered decision is taken from the record, since the
   * state that it was computed from is lost. A caller with the whole log can compare it with its
   * first record.
   *
   * @throws ReplayMismatchException if a seq is missing or the replay decides otherwise
   */
  public void onDecision(Decision decision) {
    Replayed replayed = replayed(decision.segment());
    CapturingOutput written = new CapturingOutput(explanations);
    SegmentContext segmentContext = replayed.turn(decision);
    EventLogWriter eventLog =
        new EventLogWriter(segmentContext, written, ReplayInputs.writerEpoch(decision));
    replayed.checkRefuted(segmentContext, decision.seq(), false);
    checkBegin(segmentContext, decision.segment(), decision.seq(), null);
    List<Double> features = decision.features();
    if (decision.isRepeated()) {
      throw new ReplayMismatchException(
          "seq %d of segment %s is REPEATED, which takes no seq"
              .formatted(decision.seq(), decision.segment()));
    }
    if (decision.lacksFeatures()) {
      throw new ReplayMismatchException(
          "seq %d of segment %s leaves its features off; a replay needs those of its context"
              .formatted(decision.seq(), decision.segment()));
    }
    if (features == null) {
      eventLog.answered(
          ReplayInputs.context(decision),
          decision.reason(),
          decision.recovered() ? decision.arm() : segmentContext.fallbackArm(),
          ContextHandler.codeOf(decision),
          decision.recovered());
    } else {
      decide(segmentContext, eventLog, replayed.awaiting, decision, features);
    }
    RecordComparison.check(decision, written.decision());
    replayed.due =
        features != null && segmentContext.isSnapshotDue() ? DueSnapshot.behind(decision) : null;
    segmentContext.close();
  }

  private static void decide(
      SegmentContext segmentContext,
      EventLogWriter eventLog,
      Map<IdHash, Entry.PendingDecision> awaiting,
      Decision decision,
      List<Double> features) {
    StateTransitions transitions = new StateTransitions(segmentContext);
    Request request = request(segmentContext.requireSpec(), transitions, decision, features);
    Decision given = decision.recovered() ? decision : null;
    StateTransitions.Made made = transitions.decide(decision.decisionId(), request, given);
    AuditedChoice audited = made.audited();
    eventLog.decided(ReplayInputs.context(decision), request, audited, decision.recovered());
    if (audited.choice().reason().isLearned()) {
      IdHash id = IdHash.of(decision.decisionId());
      awaiting.put(id, transitions.decided(id, decision.eventTime(), 0, request, made));
    } else {
      transitions.decidedNotLearnable(request, audited);
    }
  }

  private static Request request(
      CompiledSpec spec, StateTransitions transitions, Decision decision, List<Double> features) {
    Profile person = Profile.ofLogged(features, spec.features().size());
    List<List<Double>> own = decision.candidateFeatures();
    if (own == null) {
      return transitions.request(person, null);
    }
    int actions = spec.spec().variables().actions().size();
    List<Candidate> candidates = new ArrayList<>();
    for (int place = 0; place < own.size(); place++) {
      candidates.add(
          new Candidate(
              decision.candidates().get(place), -1, Profile.ofLogged(own.get(place), actions)));
    }
    return transitions.request(person, candidates);
  }

  /**
   * Repeats a change other than a decision.
   *
   * @throws ReplayMismatchException if a seq is missing, the record names an unknown decision or
   *     spec, or the replay makes another change
   */
  public void onSegmentEvent(SegmentEvent segmentEvent) {
    Replayed replayed = replayed(segmentEvent.segment());
    CapturingOutput written = new CapturingOutput(explanations);
    SegmentContext segmentContext = replayed.turn(segmentEvent);
    SegmentSession session =
        new SegmentSession(segmentContext, written, ReplayInputs.writerEpoch(segmentEvent));
    replayed.checkRefuted(
        segmentContext, segmentEvent.seq(), segmentEvent.type() == SegmentEventType.BOUNDS_REFUTED);
    boolean isReturn = segmentEvent.type() == SegmentEventType.SEGMENT_ACTIVATED;
    checkBegin(
        segmentContext,
        segmentEvent.segment(),
        segmentEvent.seq(),
        isReturn ? segmentEvent.modelRetained() : null);
    new ReplayStep(segmentContext, session, replayed.awaiting, book).of(segmentEvent);
    RecordComparison.check(segmentEvent, written.segmentEvent());
    replayed.due = DueSnapshot.behind(segmentEvent, replayed.due, segmentContext.head.metricsSeq);
    replayed.refuted = List.copyOf(segmentContext.refuted);
    segmentContext.close();
  }

  /**
   * Checks that the seq follows the last one, and that the record activates the segment exactly if
   * it was passivated.
   */
  private static void checkBegin(
      SegmentContext segmentContext, String segment, long seq, @Nullable Boolean told) {
    if (seq != segmentContext.head.seq + 1) {
      throw new ReplayMismatchException(
          "seq went from %d to %d in segment %s".formatted(segmentContext.head.seq, seq, segment));
    }
    Boolean revived =
        segmentContext.revived == null
            ? null
            : (Boolean) (segmentContext.revived == IdleStateSpec.Retain.MODEL);
    RecordComparison.check(segment, seq, "return", told, revived);
  }

  /**
   * Compares the state reached with a snapshot of the same seq.
   *
   * @return the replay's snapshot, for callers that compare more than the digests
   * @throws ReplayMismatchException if a digest differs
   */
  public SegmentMetrics onMetrics(SegmentMetrics metrics) {
    Replayed replayed = replayed(metrics.segment());
    replayed.requireNoneRefuted(metrics.seq() + 1);
    SegmentHeader head = Objects.requireNonNullElseGet(replayed.state.head(), SegmentHeader::new);
    RecordComparison.check(metrics.segment(), metrics.seq(), "seq", metrics.seq(), head.seq);
    SegmentMetrics written = replayed.snapshot(metrics);
    RecordComparison.checkDigests(metrics, written);
    head.metricsSeq = head.seq;
    replayed.state.putHead(head);
    replayed.due = null;
    return written;
  }

  /**
   * Returns the snapshot that a segment must have written after the changes so far, null if there
   * is none or it was compared.
   */
  public @Nullable DueSnapshot due(String segment) {
    return replayed(segment).due;
  }

  /**
   * Returns how many decisions of a segment are still pending although they were due before a time.
   */
  public long overdue(String segment, long time) {
    return replayed(segment).awaiting.values().stream().filter(it -> it.due() < time).count();
  }

  private Replayed replayed(String segment) {
    return segments.computeIfAbsent(segment, name -> new Replayed(name, new MemorySegmentState()));
  }

  /**
   * Holds one segment as replayed so far: its state, its pending decisions, and what its next
   * record must be.
   */
  private final class Replayed {
    private final String segment;
    private final MemorySegmentState state;
    private final Map<IdHash, Entry.PendingDecision> awaiting = new HashMap<>();
    private @Nullable DueSnapshot due;
    private int writerEpoch;

    /** Rows of causal bounds that the last change refuted; the next records must report them. */
    private List<Refutation> refuted = List.of();

    Replayed(String segment, MemorySegmentState state) {
      this.segment = segment;
      this.state = state;
    }

    /** Passes refuted rows of bounds to the next change, which must be about the first of them. */
    void checkRefuted(SegmentContext segmentContext, long seq, boolean isRefutation) {
      if (!isRefutation) {
        requireNoneRefuted(seq);
      }
      segmentContext.refuted.addAll(refuted);
    }

    void requireNoneRefuted(long seq) {
      if (!refuted.isEmpty()) {
        throw new ReplayMismatchException(
            "seq %d of segment %s must be BOUNDS_REFUTED: the change before refutes causal bounds"
                .formatted(seq, segment));
      }
    }

    SegmentContext turn(Decision next) {
      writerEpoch = next.writerEpoch();
      SpecRegistry atHand = ReplayInputs.isSpecLost(next) ? SpecRegistry.NONE : book;
      return new SegmentContext(segment, state, atHand, check);
    }

    SegmentContext turn(SegmentEvent next) {
      writerEpoch = next.writerEpoch();
      SpecRegistry atHand = ReplayInputs.isSpecLost(next) ? SpecRegistry.NONE : book;
      BoundsValidator causalBounds =
          ReplayInputs.areBoundsLost(next) ? new BoundsValidator(BoundsRegistry.NONE) : check;
      return new SegmentContext(segment, state, atHand, causalBounds);
    }

    /**
     * Returns the replay's snapshot; one by event time may be of a later epoch that changed
     * nothing.
     */
    SegmentMetrics snapshot(SegmentMetrics told) {
      boolean isCounted = due != null && due.trigger() == MetricsTrigger.COUNT;
      SpecRegistry atHand = !isCounted && ReplayInputs.isSpecLost(told) ? SpecRegistry.NONE : book;
      SegmentContext segmentContext = new SegmentContext(segment, state, atHand, check);
      return MetricsRecords.of(
          segmentContext,
          due == null ? Math.max(writerEpoch, told.writerEpoch()) : due.writerEpoch(),
          isCounted ? due.eventTime() : told.eventTime(),
          isCounted ? MetricsTrigger.COUNT : MetricsTrigger.EVENT_TIME);
    }
  }

  /**
   * Keeps the decision or segment event that a replay writes, passes on the records that explain
   * it, and drops the rest.
   */
  private static final class CapturingOutput implements OutputLog {
    private final Consumer<Explanation> explanations;
    private @Nullable Decision decision;
    private @Nullable SegmentEvent segmentEvent;

    CapturingOutput(Consumer<Explanation> explanations) {
      this.explanations = explanations;
    }

    /** Returns the decision that was written, or null. */
    @Nullable Decision decision() {
      return decision;
    }

    /** Returns the other change that was written, or null. */
    @Nullable SegmentEvent segmentEvent() {
      return segmentEvent;
    }

    @Override
    public void write(SegmentOutput output) {
      if (output instanceof Decision written) {
        decision = written;
      } else if (output instanceof SegmentEvent written) {
        segmentEvent = written;
      } else if (output instanceof Explanation explanation) {
        explanations.accept(explanation);
      }
    }
  }
}
