package io.equipoise.policy.constraint;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.SeededRandom;
import java.util.function.IntToDoubleFunction;

/**
 * Explores one target arm at a time until it is certified or known to be unfair
 * (docs/math/certify-first.md#the-rule). Immutable; what it remembers is in {@link CertifyState}.
 *
 * <p>An arm is fair if all of its effects are at most tau, unfair if one is not, else open. While
 * the rule may choose nobody for a person the target is played; then, while its budget lasts and
 * the target may pay more than the best of the rule's candidates, with a chance that is greater for
 * people whose rewards weigh more in its effect. Unfair arms are never explored. All chances are
 * functions of state and person, so propensities are exact.
 *
 * @param share chance of a target while the rule may choose somebody, for an average person
 * @param budget decisions on a target while the rule may choose somebody
 * @param floor chance of any arm that is not unfair in the place of the rule's
 */
public record CertifyFirst(double share, int budget, double floor) {
  /** Widths of a prediction that count, for an index without a factor of its own. */
  public static final double WIDTHS = .45;

  /** The first decisions of each arm, which go by turns while nothing is certified. */
  private static final long FIRST = 30;

  /** The chance of any arm beside the target while nothing is certified. */
  private static final double OTHERS = .05;

  private static final double LEAST_FACTOR = .25;
  private static final double GREATEST_FACTOR = 2;

  /**
   * Chooses in the place of the rule.
   *
   * @param ruled what the rule chose; of candidates that it may not choose where there are no
   *     others
   * @param propensities of the rule before, of both together afterwards
   * @param weight of a reward of this person in a candidate's widest undecided effect, from -1 to 1
   */
  public void mix(
      CertifyState state,
      CertifyRound round,
      int ruled,
      double[] propensities,
      IntToDoubleFunction weight,
      SeededRandom seededRandom) {
    for (int place = 0; place < round.size; place++) {
      note(state, round, place);
    }
    round.compare();
    long decision = state.decisions++;
    int target = target(state, round);
    boolean isKept = target != CertifyRound.NONE && round.isKept[target];
    state.target = isKept ? round.arm[target] : CertifyRound.NONE;
    if (round.isAnyAllowed()) {
      explore(state, round, target, ruled, propensities, weight, seededRandom);
      return;
    }
    round.reason = DecisionReason.UNCERTIFIED;
    if (decision < FIRST * round.size) {
      round.chosen = (int) (decision % round.size);
      only(propensities, round.size, round.chosen);
      return;
    }
    int base = target == CertifyRound.NONE ? ruled : target;
    if (target != CertifyRound.NONE) {
      only(propensities, round.size, target);
    }
    double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE);
    share(round, propensities, 1, OTHERS);
    round.chosen = drawn(round, OTHERS, u, base);
    round.isExplored = round.chosen != base;
  }

  private static void only(double[] propensities, int size, int place) {
    for (int other = 0; other < size; other++) {
      propensities[other] = other == place ? 1 : 0;
    }
  }

  /** Counts what was taken in the end, which may be another candidate than the chosen one. */
  public static void settle(CertifyState state, CertifyRound round, int taken) {
    state.spent += round.tried == taken ? 1 : 0;
    if (round.isKept[taken]) {
      state.play(round.arm[taken]);
    }
  }

  /** Tries the target with its chance, else any arm with the floor's, else plays the rule's. */
  private void explore(
      CertifyState state,
      CertifyRound round,
      int target,
      int ruled,
      double[] propensities,
      IntToDoubleFunction weight,
      SeededRandom seededRandom) {
    boolean isTryable = target != CertifyRound.NONE && state.spent < budget;
    double chance = isTryable ? chance(weight.applyAsDouble(target)) : 0;
    double others = isTryable ? 1 - propensities[target] : 1;
    for (int place = 0; place < round.size; place++) {
      propensities[place] *= place == target ? 1 : 1 - chance;
    }
    share(round, propensities, 1 - chance * others, floor);
    double own = 0;
    if (isTryable && target != ruled) {
      round.tried = target;
      own = chance;
    }
    if (isTryable) {
      propensities[target] += chance * others;
    }
    double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE);
    boolean isForced = u < own;
    int drawn = drawn(round, floor, own < 1 ? (u - own) / (1 - own) : 1, ruled);
    round.chosen = isForced ? target : drawn;
    round.isExplored = round.chosen != ruled;
    if (round.isExplored) {
      round.reason =
          round.chosen == round.tried ? DecisionReason.FORCED_EXPLORATION : DecisionReason.EXPLORE;
    }
  }

  private double chance(double weight) {
    double factor = Math.max(LEAST_FACTOR, Math.min(GREATEST_FACTOR, 2 * Math.abs(weight)));
    return Math.min(1, share * factor);
  }

  /** Gives a share of the probability to all that are not unfair, equally. */
  private static void share(CertifyRound round, double[] propensities, double whole, double share) {
    int count = explorable(round);
    for (int place = 0; place < round.size && count > 0; place++) {
      propensities[place] *= 1 - share;
      if (!round.isUnfair(place)) {
        propensities[place] += whole * share / count;
      }
    }
  }

  /**
   * Draws one of those that are not unfair with the probability of the share, else returns a base.
   *
   * @param u in [0, 1) where one is to be drawn
   */
  private static int drawn(CertifyRound round, double share, double u, int base) {
    int count = explorable(round);
    int skip = u >= 0 && u < share ? (int) Math.min(count - 1.0, u / share * count) : -1;
    for (int place = 0; place < round.size; place++) {
      if (!round.isUnfair(place)) {
        if (skip == 0) {
          return place;
        }
        skip--;
      }
    }
    return base;
  }

  private static int explorable(CertifyRound round) {
    int count = 0;
    for (int place = 0; place < round.size; place++) {
      count += round.isUnfair(place) ? 0 : 1;
    }
    return count;
  }

  private static int target(CertifyState state, CertifyRound round) {
    int kept = CertifyRound.NONE;
    for (int place = 0; place < round.size; place++) {
      boolean isTarget = round.isKept[place] && round.arm[place] == state.target;
      kept = isTarget && round.isWanted(place) ? place : kept;
    }
    if (kept != CertifyRound.NONE && round.isAlmostFair(kept)) {
      return kept;
    }
    int best = kept;
    double greatest =
        kept == CertifyRound.NONE ? Double.NEGATIVE_INFINITY : round.mean[kept] + round.reach[kept];
    boolean isUntried = false;
    for (int place = 0; place < round.size; place++) {
      if (!round.isWanted(place) || place == kept) {
        continue;
      }
      boolean isUntriedHere = kept == CertifyRound.NONE && round.played[place] == 0;
      double value = round.mean[place] - (kept == CertifyRound.NONE ? 0 : round.reach[place]);
      boolean isBetter = isUntriedHere == isUntried ? value > greatest : isUntriedHere;
      if (isBetter) {
        best = place;
        greatest = value;
        isUntried = isUntriedHere;
      }
    }
    return best;
  }

  /** Replaces what is said of a candidate for this person by the running means of all. */
  private static void note(CertifyState state, CertifyRound round, int place) {
    int arm = round.arm[place];
    double factor = round.reach[place];
    if (round.isKept[place]) {
      state.note(arm, round.mean[place], round.width[place]);
      round.mean[place] = state.mean(arm);
      round.width[place] = state.width(arm);
      round.played[place] = state.played(arm);
    }
    round.reach[place] = factor * round.width[place];
  }
}
