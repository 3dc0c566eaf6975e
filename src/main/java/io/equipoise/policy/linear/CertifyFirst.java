package io.equipoise.policy.linear;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.LinearFairness.Limited;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Explores one target arm at a time until it is certified or known to be unfair (certificates
 * specification, section 6). Immutable; what it remembers is in {@link CertifyState}.
 *
 * <p>An arm is fair if all of its contrasts are at most tau, unfair if one is not, else open. While
 * nobody is certified for a person the target is played; then, while its budget lasts and the
 * target may pay more than the best certified arm, with a chance that is greater for people who
 * tell more of its effect. Unfair arms are never explored. All chances are functions of state and
 * person, so propensities are exact.
 */
final class CertifyFirst {
  /** The first decisions of each arm, which go by turns while nothing is certified. */
  private static final long FIRST = 30;

  /** The chance of any arm beside the target while nothing is certified. */
  private static final double OTHERS = .05;

  /** The half-width, in tau, from which an effect near tau is set aside. */
  private static final double NARROW = 1.2;

  /** How far the middle of such an effect is from 0, in tau. */
  private static final double NEAR = .5;

  /** A target whose upper end is at most this, in tau, is not changed any more. */
  private static final double ALMOST = 1.4;

  /** Widths of a prediction that count, for an index without a factor of its own. */
  private static final double WIDTHS = .45;

  private final Explore explore;
  private final Limited limited;
  private final boolean isShared;

  CertifyFirst(Explore explore, Limited limited, boolean isShared) {
    this.explore = explore;
    this.limited = limited;
    this.isShared = isShared;
  }

  /** What is known of the candidates of one decision, by place. */
  private static final class Known {
    final boolean[] isFair;
    final boolean[] isUnfair;
    final boolean[] isAside;
    final double[] worst;
    final double[] mean;
    final double[] reach;
    final long[] played;
    final @Nullable FeatureVector[] widest;

    Known(int size) {
      isFair = new boolean[size];
      isUnfair = new boolean[size];
      isAside = new boolean[size];
      worst = new double[size];
      mean = new double[size];
      reach = new double[size];
      played = new long[size];
      widest = new FeatureVector[size];
    }

    boolean isOpen(int place) {
      return !isFair[place] && !isUnfair[place];
    }

    /** Says whether an arm is left out for now: others are more worth it. */
    boolean isLeftOut(int place) {
      if (!isAside[place]) {
        return false;
      }
      for (int other = 0; other < isFair.length; other++) {
        if (isFair[other] || (isOpen(other) && !isAside[other])) {
          return true;
        }
      }
      return false;
    }
  }

  /** Puts what it explores in the place of the rule's choice; its chances become propensities. */
  void mix(LinearBlocks blocks, Candidates candidates, SeededRandom seededRandom, LinearRound out) {
    CertifyState state = blocks.certifying();
    Known known = new Known(out.size);
    for (int place = 0; place < out.size; place++) {
      look(blocks, candidates, place, known);
      note(blocks, candidates, place, state, known, out);
    }
    long round = state.decisions++;
    int target = target(state, candidates, known);
    boolean isKept = target != LinearRound.NONE && blocks.isKnown(candidates.arm(target));
    state.target = isKept ? candidates.arm(target) : LinearRound.NONE;
    out.target = LinearRound.NONE;
    out.kind = PropensityKind.EXACT;
    int ruled = out.chosen;
    Arrays.fill(out.propensity, 0, out.size, 0);
    if (out.fairSetSize > 0) {
      explore(blocks, candidates, state, known, target, seededRandom, out);
    } else if (round < FIRST * out.size) {
      out.chosen = (int) (round % out.size);
      out.propensity[out.chosen] = 1;
    } else {
      int base = target == LinearRound.NONE ? ruled : target;
      double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE);
      out.chosen = base;
      out.isExplored = draw(1, OTHERS, u, base, known, out);
    }
    out.excluded = out.chosen == ruled ? out.excluded : LinearRound.NONE;
    out.isCertified = out.fairSetSize > 0 && out.isEligible[out.chosen];
  }

  /** Counts what was taken in the end. */
  void settle(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    CertifyState state = blocks.certifying();
    state.spent += out.target == out.chosen ? 1 : 0;
    int arm = candidates.arm(out.chosen);
    if (blocks.isKnown(arm)) {
      state.play(arm);
    }
    blocks.certifyingChanged();
  }

  /** Tries the target with its chance, else any arm with the floor's, else plays the rule's. */
  private void explore(
      LinearBlocks blocks,
      Candidates candidates,
      CertifyState state,
      Known known,
      int target,
      SeededRandom seededRandom,
      LinearRound out) {
    double chance = 0;
    int ruled = out.chosen;
    if (target != LinearRound.NONE
        && target != ruled
        && state.spent < explore.budget()
        && mayPayMore(target, known, out)) {
      double weight = 2 * Math.abs(weight(blocks, candidates, target, known, out));
      chance = Math.min(1, explore.share() * Math.max(.25, Math.min(2, weight)));
      out.target = target;
      out.propensity[target] = chance;
    }
    double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE);
    boolean isForced = u < chance;
    double rest = chance < 1 ? (u - chance) / (1 - chance) : 1;
    boolean isDrawn = draw(1 - chance, explore.floor(), rest, ruled, known, out);
    if (isForced || (isDrawn && out.chosen == out.target)) {
      out.chosen = target;
      out.reason = DecisionReason.FORCED_EXPLORATION;
      out.isExplored = true;
    } else if (isDrawn) {
      out.reason = DecisionReason.EXPLORE;
      out.isExplored = true;
    }
  }

  /**
   * Shares a probability between a base and any arm that is not unfair, and draws.
   *
   * @param whole the probability to share
   * @param share of it for any arm
   * @param u in [0, 1) where it is to be drawn
   * @return whether another arm than the base was drawn, and put in its place
   */
  private static boolean draw(
      double whole, double share, double u, int base, Known known, LinearRound out) {
    int count = 0;
    for (int place = 0; place < out.size; place++) {
      count += known.isUnfair[place] ? 0 : 1;
    }
    double part = count == 0 ? 0 : share;
    out.propensity[base] += whole * (1 - part);
    int skip = u >= 0 && u < part ? (int) Math.min(count - 1.0, u / part * count) : -1;
    int drawn = base;
    for (int place = 0; place < out.size; place++) {
      if (!known.isUnfair[place]) {
        out.propensity[place] += whole * part / count;
        drawn = skip == 0 ? place : drawn;
        skip--;
      }
    }
    out.chosen = drawn;
    return drawn != base;
  }

  private static boolean mayPayMore(int target, Known known, LinearRound out) {
    double best = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < out.size; place++) {
      if (out.isEligible[place] && place != target) {
        best = Math.max(best, known.mean[place] - known.reach[place]);
      }
    }
    return known.mean[target] + known.reach[target] > best;
  }

  /** Returns the weight that a reward of this person would have in the target's widest contrast. */
  private double weight(
      LinearBlocks blocks, Candidates candidates, int target, Known known, LinearRound out) {
    FeatureVector c = known.widest[target];
    RidgeRegression arm = blocks.complete(key(candidates, target));
    if (c == null || arm.isEmpty()) {
      return 1;
    }
    SymmetricMatrix.times(arm.inverse, c, out.sampled);
    return SymmetricMatrix.dot(out.sampled, candidates.features(target))
        / SymmetricMatrix.dot(out.sampled, c);
  }

  private int target(CertifyState state, Candidates candidates, Known known) {
    int size = known.isFair.length;
    int kept = LinearRound.NONE;
    for (int place = 0; place < size; place++) {
      boolean isTarget = candidates.arm(place) == state.target;
      kept = isTarget && known.isOpen(place) && !known.isLeftOut(place) ? place : kept;
    }
    if (kept != LinearRound.NONE && known.worst[kept] <= ALMOST * limited.limit().tau()) {
      return kept;
    }
    int best = kept;
    double greatest =
        kept == LinearRound.NONE ? Double.NEGATIVE_INFINITY : known.mean[kept] + known.reach[kept];
    boolean isUntried = false;
    for (int place = 0; place < size; place++) {
      if (!known.isOpen(place) || known.isLeftOut(place) || place == kept) {
        continue;
      }
      boolean isUntriedHere = kept == LinearRound.NONE && known.played[place] == 0;
      double value = known.mean[place] - (kept == LinearRound.NONE ? 0 : known.reach[place]);
      boolean isBetter = isUntriedHere == isUntried ? value > greatest : isUntriedHere;
      if (isBetter) {
        best = place;
        greatest = value;
        isUntried = isUntriedHere;
      }
    }
    return best;
  }

  private void note(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      CertifyState state,
      Known known,
      LinearRound out) {
    int arm = candidates.arm(place);
    double width =
        Math.sqrt(blocks.ridge(key(candidates, place)).squaredWidth(candidates.features(place)));
    double factor = out.beta[place] > 0 ? out.beta[place] : WIDTHS;
    if (blocks.isKnown(arm)) {
      state.note(arm, out.mean[place], width);
      known.mean[place] = state.mean(arm);
      known.reach[place] = factor * state.width(arm);
      known.played[place] = state.played(arm);
    } else {
      known.mean[place] = out.mean[place];
      known.reach[place] = factor * width;
    }
  }

  /** Looks at all contrasts of an arm; of an arm that only the request has at this person's. */
  private void look(LinearBlocks blocks, Candidates candidates, int place, Known known) {
    double tau = limited.limit().tau();
    int key = key(candidates, place);
    RidgeRegression arm = blocks.complete(key);
    ContrastBlock contrasts = blocks.contrasts(key);
    int position = blocks.position(key);
    int count = candidates.contrasts(place);
    double widest = -1;
    double worst = candidates.isHiding(place) ? limited.effects().span() : 0;
    double least = 0;
    for (int which = 0; which < count; which++) {
      FeatureVector c = candidates.contrast(place, which);
      double lower = limited.effects().lower(arm, contrasts, position, c);
      double upper = limited.effects().upper(arm, contrasts, position, c);
      double half = (upper - lower) / 2;
      double middle = Math.abs(upper + lower) / 2;
      boolean isDecided = Math.max(-lower, upper) <= tau;
      worst = Math.max(worst, Math.max(-lower, upper));
      least = Math.max(least, Math.max(lower, -upper));
      known.isAside[place] |= !isDecided && half <= NARROW * tau && middle > NEAR * tau;
      if (!isDecided && half > widest) {
        widest = half;
        known.widest[place] = c;
      }
    }
    known.worst[place] = worst;
    known.isFair[place] = worst <= tau;
    known.isUnfair[place] = least > tau;
  }

  private int key(Candidates candidates, int place) {
    return isShared ? LinearBlocks.SHARED : candidates.arm(place);
  }
}
