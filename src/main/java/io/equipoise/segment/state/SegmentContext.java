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
 * Holds one segment while one thread handles one event or timer: its state, and the spec and causal
 * bounds that it runs under. It knows neither the handlers nor the log.
 *
 * <p>State is {@link #head}, written back by {@link #close}, and everything behind {@link #state}.
 * {@link #spec} and {@link #causalBounds} are derived: the constructor looks them up by the hashes
 * in the header, and every adoption sets hash and object together. They are null while the registry
 * does not know a hash. The cached result of {@link #refutation} is valid until {@link
 * #forgetRefutation}. The other fields collect findings of this event only.
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

  /**
   * Rows of the causal bounds that rewards of this event refuted and that are not in the log yet.
   */
  public final Deque<Refutation> refuted = new ArrayDeque<>();

  /** True while a reward of this event has refuted an assumption that is not in the log yet. */
  public boolean hasRefuted;

  /** Messages of failures of a policy or a split during this event that reject no input. */
  public final Deque<String> policyFailures = new ArrayDeque<>();

  private @Nullable Boolean isAnyRefuted;

  /** The adopted spec; null before the first adoption and if the registry has lost its text. */
  @Nullable public CompiledSpec spec;

  /**
   * The parts that the segment kept while passivated, if this event activates it; null if it was
   * active.
   */
  final @Nullable public Retain revived;

  private boolean isAtRest;

  /** The adopted causal bounds; null if there are none. */
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

  /** Activates a passivated segment: restores the header and the model, and returns the header. */
  private static SegmentHeader activated(PassivatedSegment passivated, SegmentState state) {
    SegmentHeader head =
        passivated.retain() == Retain.MODEL
            ? state.unpack(passivated.bytes())
            : passivated.emptyHead();
    state.putPassivated(null);
    return head;
  }

  /**
   * Returns what a policy reports for a snapshot; an empty list, and a noted message, if it fails.
   */
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

  /** Returns the progress of the running experiment; null if none has begun or it has ended. */
  @Nullable
  public Progress running() {
    if (spec != null && spec.experiment() == null) {
      return null; // no other policy keeps progress
    }
    return state.blocks().get(PhasedPolicy.PROGRESS) instanceof Progress progress
            && progress.isRunning()
        ? progress
        : null;
  }

  /** Removes the adopted causal bounds; indices are no longer clipped. */
  public void dropBounds() {
    head.boundsHash = null;
    head.boundsVersion = 0;
    head.refutedBounds.clear();
    causalBounds = null;
  }

  /**
   * Returns the adopted spec.
   *
   * @throws IllegalStateException if the segment has none
   */
  public CompiledSpec requireSpec() {
    if (spec == null) {
      throw new IllegalStateException("segment " + segment + " has no spec");
    }
    return spec;
  }

  /** Returns the version of the adopted causal bounds, null if there are none. */
  @Nullable
  public Long boundsVersion() {
    return head.boundsHash == null ? null : (Long) head.boundsVersion;
  }

  /** Returns how a refuted assumption changes verdicts; null while no assumption is refuted. */
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

  /**
   * Drops the cached result of {@link #refutation}; call it after the refuted assumptions change.
   */
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

  /** Returns the arm for contexts that cannot be used; null if the spec names none. */
  @Nullable
  public String fallbackArm() {
    return spec == null ? null : spec.spec().join().fallbackArm();
  }

  /**
   * Returns the earlier of an input's event time and append time, so that no state waits for a time
   * in the future.
   */
  public static long plausibleTime(Input input) {
    long appended = input.origin().appendTime();
    return appended == Origin.NO_APPEND_TIME
        ? input.eventTime()
        : Math.min(input.eventTime(), appended);
  }

  private DueIndex dueIndex(DueIndex.Queue queue) {
    return new DueIndex(queue, state, head.bucketsOf(queue));
  }

  /**
   * Returns whether a metrics snapshot follows the latest decision ({@code metricsEvery} of the
   * spec).
   */
  public boolean isSnapshotDue() {
    return head.rounds % requireSpec().spec().metricsEvery() == 0;
  }

  /** Passivates the segment: replaces its header by these remains. */
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
