package io.equipoise.job.check;

import io.equipoise.event.IdHash;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Policy;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.refutation.AssumptionPlan;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.JoinSpec;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.Ties;
import io.equipoise.state.EntrySerializer;
import io.equipoise.state.IdHashSerializer;
import io.equipoise.state.PassivatedSegmentSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Estimates the size of a full checkpoint of a spec's segments: models and decisions.
 *
 * <p>In the worst case every decision awaits its reward for the whole window and then leaves a
 * dedup entry for the dedup window. {@code join.max-pending} limits both. Sizes are those of the
 * serializers, including the key and the due-index reference. Request candidates may need more.
 *
 * @param modelBytes one segment with every cell or every spec arm in use, and with the evidence
 *     against its assumptions
 * @param ownArmBytes maximum per segment for each request arm that the spec does not define; in no
 *     total
 * @param pendingBytes one decision that awaits its reward
 * @param dedupEntryBytes one dedup entry
 * @param passivatedBytes a passivated segment without a model, after {@value #MANY} records of
 *     every kind
 * @param totalBytes all segments at the given rate
 */
public record CheckpointBudget(
    double modelBytes,
    double ownArmBytes,
    int pendingBytes,
    int dedupEntryBytes,
    int passivatedBytes,
    double totalBytes) {
  /** Pending and remembered decisions of a spec, in bytes, from which on check proposes a proxy. */
  static final double MOST_DECISION_BYTES = 50e9;

  private static final long MANY = 1_000_000;

  /** Describes the load that a budget is computed for. */
  public record Load(double ratePerSegment, int segments, double writtenBytesPerSecond) {
    /** The decisions a second that verbs assume, in the words of an option. */
    public static final String RATE = "100";

    /** The load that the verbs {@code check} and {@code plan} assume. */
    static final Load DEFAULT = new Load(Double.parseDouble(RATE), 1, 100e6);

    /** Returns decisions a second in words. */
    static String words(double rate) {
      String isAssumed = rate == DEFAULT.ratePerSegment ? " (the default of --rate)" : "";
      return Field.shown(rate) + " decisions a second" + isAssumed;
    }

    /** Returns how many decisions of a segment await their reward at once. */
    public double waiting(JoinSpec join) {
      return ratePerSegment * join.rewardWindow().toMillis() / 1e3;
    }

    /** Returns how many of these have no room under {@code join.max-pending}. */
    public double evicted(JoinSpec join) {
      return Math.max(0, waiting(join) - join.maxPending());
    }
  }

  /** Computes the budget of a compiled spec. */
  public static CheckpointBudget of(SegmentSpec spec, Policy policy, Load load) {
    double model = policy.modelBytes() + AssumptionPlan.of(spec, policy).bytes();
    int key = bytes(out -> new IdHashSerializer().serialize(IdHash.of(""), out));
    int pending =
        2 * key + bytes(out -> new EntrySerializer().serialize(awaiting(spec, policy), out));
    int dedupEntry = 2 * key + bytes(out -> new EntrySerializer().serialize(dedupEntry(), out));
    int passivated =
        bytes(
            out ->
                new PassivatedSegmentSerializer().serialize(PassivatedSegment.largest(MANY), out));
    JoinSpec join = spec.join();
    double total =
        load.segments()
            * (model
                + entries(load, join.rewardWindow(), join.maxPending()) * pending
                + entries(load, join.dedupWindow(), join.maxPending()) * dedupEntry);
    return new CheckpointBudget(
        model, policy.bytesOfOwnArm(), pending, dedupEntry, passivated, total);
  }

  /** Returns the shortest interval for which writing takes at most half of the time. */
  Duration shortestInterval(Load load) {
    return Duration.ofMillis((long) Math.ceil(2000 * totalBytes / load.writtenBytesPerSecond()));
  }

  /** Returns the bytes of all decisions that are pending or remembered, if none is evicted. */
  double decisionBytes(Load load, JoinSpec join) {
    return decisionBytes(load, join.rewardWindow(), join.dedupWindow());
  }

  private double decisionBytes(Load load, Duration window, Duration dedup) {
    double perMillisecond = load.segments() * load.ratePerSegment() / 1000;
    return perMillisecond
        * ((double) window.toMillis() * pendingBytes + (double) dedup.toMillis() * dedupEntryBytes);
  }

  /**
   * Returns the longest reward window, in whole days or else in seconds, whose decisions take at
   * most {@link #MOST_DECISION_BYTES}, with a dedup window that is no longer.
   */
  Duration affordableWindow(Load load, JoinSpec join) {
    double bytesOfBoth = decisionBytes(load, Duration.ofSeconds(1), Duration.ofSeconds(1));
    double both = MOST_DECISION_BYTES / bytesOfBoth;
    double dedup = join.dedupWindow().toSeconds();
    double ofDedup = decisionBytes(load, Duration.ZERO, join.dedupWindow());
    double ofSecond = decisionBytes(load, Duration.ofSeconds(1), Duration.ZERO);
    double seconds = both > dedup ? (MOST_DECISION_BYTES - ofDedup) / ofSecond : both;
    Duration exact = Duration.ofSeconds((long) seconds);
    return exact.toDays() > 0 ? Duration.ofDays(exact.toDays()) : exact;
  }

  private static double entries(Load load, Duration kept, int most) {
    return Math.min(most, load.ratePerSegment() * kept.toMillis() / 1000.0);
  }

  private static Entry awaiting(SegmentSpec spec, Policy policy) {
    int[] context = new int[spec.variables().features().size()];
    int numbers = policy.numbers(new double[context.length + 1]).length;
    double[] inputs = policy.inputsOfArm(new double[numbers], Profile.ofArm(spec.arms().get(0)));
    return new Entry.PendingDecision(
        0, 0, 0, 0, 1, 0, 0, 0, 1, propensities(spec), context, inputs, List.of(), null);
  }

  /**
   * The largest propensities: each arm has its own, unless all arms but the rule's are drawn alike.
   */
  private static PendingPropensities propensities(SegmentSpec spec) {
    PolicySpec policy = spec.policy();
    ExploreSpec explore = policy.family().explore();
    boolean isRuleSure = policy.ties() == Ties.LOWEST && !policy.name().isRandomized();
    if (isRuleSure && explore != null && explore.share() == 0) {
      return PendingPropensities.SURE;
    }
    boolean areAlike = isRuleSure && explore != null && explore.overAll();
    double[] all = new double[spec.arms().size()];
    for (int arm = 0; arm < all.length; arm++) {
      all[arm] = areAlike && arm != all.length / 2 ? 0 : 1 + arm;
    }
    return PendingPropensities.shortest(PropensityKind.EXACT, 0, all);
  }

  private static Entry dedupEntry() {
    List<Entry.RewardFingerprint> one = List.of(new Entry.RewardFingerprint(0, 0));
    return new Entry.DedupEntry(0, 0, Entry.Resolution.SETTLED, 0, 0, one);
  }

  private interface Writing {
    void to(DataOutputSerializer out) throws IOException;
  }

  private static int bytes(Writing writing) {
    DataOutputSerializer out = new DataOutputSerializer(128);
    try {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("a byte array could not grow", e);
    }
    return out.length();
  }
}
