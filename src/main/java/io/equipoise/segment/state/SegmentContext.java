package io.equipoise.segment.state;

import io.equipoise.event.AuditRefuted;
import io.equipoise.event.Input;
import io.equipoise.event.Origin;
import io.equipoise.event.Thrown;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.policy.PolicyCall;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateAccessException;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.segmentspec.OnRefuted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds one segment while one event or timer is handled: its state, and the spec and causal bounds
 * that it runs under. It knows neither the handlers nor the log.
 */
public final class SegmentContext {
  /** Memory bound and horizons of a segment that no spec covers. */
  static final long UNCOVERED_HORIZON_MILLIS = 30 * 60_000L;

  static final long UNCOVERED_BUCKET_MILLIS = 60_000L;
  static final int UNCOVERED_MAX_ENTRIES = 10_000;

  public final String segment;
  public final SegmentState state;
  public final SegmentHeader head;
  public final DueIndex pending;
  public final DueIndex dedupEntries;
  public final DueIndex early;
  public final SpecRegistry book;
  public final BoundsValidator check;

  /** Rows of the causal bounds that this turn's rewards refuted and that are not in the log yet. */
  public final Deque<Refutation> refuted = new ArrayDeque<>();

  /** Whether what this turn learned refuted an assumption that is not in the log yet. */
  public boolean hasRefuted;

  /** What a policy failed with in this turn where no input is refused for it. */
  public final Deque<String> policyFailures = new ArrayDeque<>();

  private @Nullable Boolean isAnyRefuted;

  /** The spec adopted, or null where none covers the segment. */
  @Nullable public CompiledSpec spec;

  /** What a segment has kept whose rest this turn ends; null where it did not rest. */
  final @Nullable public Retain revived;

  private boolean isAtRest;

  /** The causal bounds adopted, or null where there are none. */
  public ValidatedBounds.@Nullable Usable causalBounds;

  public SegmentContext(
      String segment, SegmentState state, SpecRegistry book, BoundsValidator check) {
    this.segment = segment;
    this.state = state;
    this.book = book;
    this.check = check;
    SegmentHeader stored = state.head();
    PassivatedSegment passivated = stored == null ? state.passivated() : null;
    this.revived = passivated == null ? null : passivated.retain();
    if (passivated != null) {
      this.head = activated(passivated, state);
    } else {
      this.head = stored == null ? new SegmentHeader() : stored;
    }
    this.pending = dueIndex(DueIndex.Queue.PENDING);
    this.dedupEntries = dueIndex(DueIndex.Queue.DEDUP_ENTRIES);
    this.early = dueIndex(DueIndex.Queue.EARLY);
    this.spec = head.specHash == null ? null : book.byHash(head.specHash);
    this.causalBounds =
        spec == null || head.boundsHash == null ? null : check.usable(head.boundsHash, spec);
  }

  /** Ends a rest: puts head and model back, and returns the head. */
  private static SegmentHeader activated(PassivatedSegment passivated, SegmentState state) {
    SegmentHeader head =
        passivated.retain() == Retain.MODEL
            ? state.unpack(passivated.bytes())
            : passivated.emptyHead();
    state.putPassivated(null);
    return head;
  }

  /** Returns what a policy says for a snapshot; none where it fails, which is noted. */
  public <T> List<T> ofPolicy(Supplier<List<T>> asked) {
    try {
      return PolicyCall.of(asked);
    } catch (StateAccessException e) {
      throw e;
    } catch (Throwable e) {
      policyFailures.add(Thrown.text(e)); // a snapshot must not stop the segment
      return List.of();
    }
  }

  /** Returns the progress of the segment's experiment if it has begun and goes on. */
  @Nullable
  public Progress running() {
    return state.blocks().get(PhasedPolicy.PROGRESS) instanceof Progress progress
            && progress.isRunning()
        ? progress
        : null;
  }

  /** Clips no more into causal bounds. */
  public void dropBounds() {
    head.boundsHash = null;
    head.boundsVersion = 0;
    head.refutedBounds.clear();
    causalBounds = null;
  }

  /** Returns the spec, which the caller knows to be there. */
  public CompiledSpec requireSpec() {
    if (spec == null) {
      throw new IllegalStateException("segment " + segment + " has no spec");
    }
    return spec;
  }

  /** Returns the number of the causal bounds adopted, null where there are none. */
  @Nullable
  public Long boundsVersion() {
    return head.boundsHash == null ? null : (Long) head.boundsVersion;
  }

  /** Returns what becomes of verdicts as an assumption is refuted, null while none is. */
  @Nullable
  public AuditRefuted refutation() {
    CompiledSpec compiled = requireSpec();
    if (isAnyRefuted == null) {
      isAnyRefuted = compiled.assumptions().isAnyRefuted(state.blocks());
    }
    if (!isAnyRefuted) {
      return null;
    }
    return compiled.spec().fairness().onRefuted() == OnRefuted.IGNORE
        ? AuditRefuted.IGNORED
        : AuditRefuted.WITHHELD;
  }

  /** Looks again whether an assumption is refuted. */
  public void forgetRefutation() {
    isAnyRefuted = null;
  }

  public SeededRandom draw(String decisionId) {
    return new SeededRandom(requireSpec().spec().seed(), segment, decisionId);
  }

  public long dedupMillis() {
    return spec == null
        ? UNCOVERED_HORIZON_MILLIS
        : spec.windowMillis() + spec.spec().join().dedupWindow().toMillis();
  }

  public long earlyMillis() {
    return spec == null
        ? UNCOVERED_HORIZON_MILLIS
        : spec.spec().join().earlyRewardTimeout().toMillis();
  }

  public long bucketMillis(DueIndex.Queue queue) {
    return spec == null ? UNCOVERED_BUCKET_MILLIS : spec.bucketMillis(queue);
  }

  public int maxPending() {
    return spec == null ? UNCOVERED_MAX_ENTRIES : spec.spec().join().maxPending();
  }

  /** Returns the arm that answers contexts which cannot be used, or null. */
  @Nullable
  public String fallbackArm() {
    return spec == null ? null : spec.spec().join().fallbackArm();
  }

  /** Returns an input's event time, or when it was appended: the future must not be waited for. */
  public static long plausibleTime(Input input) {
    long appended = input.origin().appendTime();
    return appended == Origin.NO_APPEND_TIME
        ? input.eventTime()
        : Math.min(input.eventTime(), appended);
  }

  private DueIndex dueIndex(DueIndex.Queue queue) {
    return new DueIndex(queue, state, head.bucketsOf(queue));
  }

  /** Says whether the decision just taken is one of those that a snapshot follows. */
  public boolean isSnapshotDue() {
    return head.rounds % requireSpec().spec().metricsEvery() == 0;
  }

  /** Leaves only this of the segment. */
  public void rest(PassivatedSegment passivated) {
    state.removeHead();
    state.putPassivated(passivated);
    isAtRest = true;
  }

  public void close() {
    if (!isAtRest) {
      state.putHead(head);
    }
  }
}
