package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.event.RewardEvent;
import io.equipoise.policy.LevelMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores what a segment remembers of one decision id: early rewards, then the pending decision,
 * then a dedup entry. Immutable, compact and free of strings, except for rewards held early, which
 * keep their original bytes for the dead letter.
 *
 * <p>{@code due} is the event time (ms) at which the entry must next be handled; {@code bucket} is
 * the {@link DueIndex} bucket that names it, and a reference from any other bucket is outdated.
 */
public sealed interface Entry {

  /** Returns when the entry must next be handled, ms of event time. */
  long due();

  /** Returns the bucket of the due index that names this entry. */
  long bucket();

  /** Returns a copy that names another bucket. */
  Entry scheduled(long bucket);

  /**
   * Recognizes a repeated reward by its identity within its decision and a digest of its content.
   *
   * @param identity digest of the reward id, 0 if it has none
   * @param content digest of time, value, mediators and arm shown
   */
  record RewardFingerprint(long identity, long content) {
    /** The identity of every confirmation; no reward id has a control character. */
    public static final long CONFIRMATION = IdHash.of("\0shown").high();

    /** Returns the fingerprints with one more. */
    public static List<RewardFingerprint> append(
        List<RewardFingerprint> seen, RewardFingerprint one) {
      List<RewardFingerprint> all = new ArrayList<>(seen.size() + 1);
      all.addAll(seen);
      all.add(one);
      return all;
    }
  }

  /** Holds the rewards whose context has not arrived, in the order of their arrival. */
  record EarlyRewards(long due, long bucket, List<RewardEvent> held) implements Entry {
    public EarlyRewards {
      held = List.copyOf(held);
    }

    @Override
    public EarlyRewards scheduled(long bucket) {
      return new EarlyRewards(due, bucket, held);
    }
  }

  /**
   * Stores a decision whose reward window is open.
   *
   * @param contextDigest digest of the context's content
   * @param contextTime event time of the context, ms
   * @param decisionSeq seq of the decision
   * @param arm position of the arm in the segment's arm dictionary; once rewards are collected or
   *     what was shown is confirmed, of the arm that was shown
   * @param decided position of the arm that the decision gave, which a repeated context gets
   * @param levelVersion level version that the decision was made in, or translated to
   * @param propensity probability with which the arm was chosen; NaN if a reward says that another
   *     arm was shown, whose probability is unknown
   * @param propensities those of all candidates of the decision, whichever arm was shown
   * @param context encoded context; do not modify
   * @param inputs what a model over features learns from besides: the values of the person's
   *     numeric variables, then the arm's levels and numbers; empty for a tabular one
   * @param seen rewards collected so far, by identity, and the confirmation of what was shown
   * @param collected their aggregate, null before the first or where the first one settles
   */
  @SuppressWarnings("ArrayRecordComponent") // equals below knows arrays
  record PendingDecision(
      long due,
      long bucket,
      long contextDigest,
      long contextTime,
      long decisionSeq,
      int arm,
      int decided,
      int levelVersion,
      double propensity,
      PendingPropensities propensities,
      int[] context,
      double[] inputs,
      List<RewardFingerprint> seen,
      @Nullable RewardAggregate collected)
      implements Entry {
    public PendingDecision {
      seen = List.copyOf(seen);
    }

    @Override
    public PendingDecision scheduled(long bucket) {
      return new PendingDecision(
          due,
          bucket,
          contextDigest,
          contextTime,
          decisionSeq,
          arm,
          decided,
          levelVersion,
          propensity,
          propensities,
          context,
          inputs,
          seen,
          collected);
    }

    /** Returns whether a record has confirmed that {@link #arm} was shown. */
    public boolean isShownConfirmed() {
      return seen.stream().anyMatch(it -> it.identity() == RewardFingerprint.CONFIRMATION);
    }

    /**
     * Returns the decision with one more reward or confirmation and the arm that was shown.
     *
     * @param aggregate of the rewards; null before the first
     */
    public PendingDecision with(
        RewardFingerprint reward,
        @Nullable RewardAggregate aggregate,
        int shown,
        double[] inputsOfShown) {
      return new PendingDecision(
          due,
          bucket,
          contextDigest,
          contextTime,
          decisionSeq,
          shown,
          decided,
          levelVersion,
          shown == arm ? propensity : Double.NaN,
          propensities,
          context,
          inputsOfShown,
          RewardFingerprint.append(seen, reward),
          aggregate);
    }

    /**
     * Returns the decision with the indices of its levels in another level version.
     *
     * @param translated its inputs by these indices
     */
    public PendingDecision translated(LevelMap levels, double[] translated, int levelVersion) {
      return new PendingDecision(
          due,
          bucket,
          contextDigest,
          contextTime,
          decisionSeq,
          arm,
          decided,
          levelVersion,
          propensity,
          propensities,
          levels.features(context),
          translated,
          seen,
          collected == null ? null : collected.translated(levels));
    }

    /** Returns the dedup entry that replaces the decision until {@code due}. */
    public DedupEntry resolved(Resolution resolution, long due, List<RewardFingerprint> rewards) {
      return new DedupEntry(due, 0, resolution, contextDigest, decided, rewards);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof PendingDecision that
          && due == that.due
          && bucket == that.bucket
          && contextDigest == that.contextDigest
          && contextTime == that.contextTime
          && decisionSeq == that.decisionSeq
          && arm == that.arm
          && decided == that.decided
          && levelVersion == that.levelVersion
          && Double.compare(propensity, that.propensity) == 0
          && propensities.equals(that.propensities)
          && Arrays.equals(context, that.context)
          && Arrays.equals(inputs, that.inputs)
          && seen.equals(that.seen)
          && Objects.equals(collected, that.collected);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(decisionSeq);
    }
  }

  /** Names how a decision ended. The order is part of the state layout: append only. */
  enum Resolution {
    /** Its rewards were learned. */
    SETTLED,
    /** Its window closed without a reward. */
    EXPIRED,
    /** The learner will never use it: rejected, stale, or its model is gone. */
    NOT_LEARNABLE
  }

  /**
   * Keeps the identity and the arm of an ended decision until the end of the dedup window.
   *
   * @param decided position of the arm that the decision gave, or {@link #NO_ARM}
   */
  record DedupEntry(
      long due,
      long bucket,
      Resolution fate,
      long contextDigest,
      int decided,
      List<RewardFingerprint> seen)
      implements Entry {
    /** Stands for the position of the arm if the decision gave none. */
    public static final int NO_ARM = -1;

    public DedupEntry {
      seen = List.copyOf(seen);
    }

    @Override
    public DedupEntry scheduled(long bucket) {
      return new DedupEntry(due, bucket, fate, contextDigest, decided, seen);
    }
  }
}
