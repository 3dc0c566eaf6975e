package io.equipoise.policy.constraint;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.SeededRandom;
import io.equipoise.segmentspec.ExploreSpec;
import java.util.function.IntToDoubleFunction;

/**
 * Earns while arms get their certificates (docs/math/earn-while-certifying.md#the-rule). Immutable;
 * what it remembers is in {@link EarnState}.
 *
 * <p>Until an arm is certified for a person, the index of the policy plays, blind to the person's
 * levels for arms that are open. One open arm, the target, gets a share of the people that follows
 * the forecast of its certificate: those for whom it costs least. Once an arm is certified, open
 * arms that the blind index prefers are tried while their allowance lasts. All chances are
 * functions of state and person, so propensities are exact.
 *
 * @param explore a goal, the point between certificates and earnings
 */
public record EarnRule(ExploreSpec explore) {
  /** The chance that arms set aside take part. */
  private static final double ASIDE = .25;

  /** The chance of any arm while the rule may choose nobody, and while it may. */
  private static final double ANY = .005;

  private static final double ANY_BESIDE = .01;

  /** The chance of an arm that the blind index prefers to those that the rule may choose. */
  private static final double PREFERRED = .95;

  /** Decisions of each of few arms, and of all of many together, that go by turns at first. */
  private static final int TURNS = 30;

  private static final int FEW = 5;
  private static final int ALL_TURNS = 60;

  /** The tries that an arm has: this many forecasts of its certificate. */
  private static final double ALLOWANCE = 3;

  /** The share of all decisions that arms are tried beyond that, in equal parts. */
  private static final double TRICKLE = .02;

  /** A target changes to an arm whose certificate would come sooner by this factor. */
  private static final double SOONER = 1.5;

  private static final double GREATEST_AIM = .95;

  private static final int STEPS = 20;
  private static final double LEAST_SHARE = .02;

  /** The size of a person's weight in an effect of which nothing is known. */
  static final double ANY_WEIGHT = .5;

  private static final double LEAST_FACTOR = .25;
  private static final double GREATEST_FACTOR = 2;

  /**
   * Chooses in the place of the rule. Changes nothing but the state where all are unfair.
   *
   * @param ruled what the rule chose; of candidates that it may not choose where there are no
   *     others
   * @param propensities of the rule before, of both together afterwards
   * @param weight of a reward of this person in a candidate's widest undecided effect, from -1 to 1
   */
  public void mix(
      EarnState state,
      EarnRound round,
      int ruled,
      double[] propensities,
      IntToDoubleFunction weight,
      SeededRandom seededRandom) {
    round.compare(explore.over() != ExploreSpec.Over.CERTIFY);
    long decision = state.decisions++;
    int target = target(state, round);
    boolean isKept = target != EarnRound.NONE && round.isKept[target];
    state.target = isKept ? round.arm[target] : EarnRound.NONE;
    round.chosen = ruled;
    if (round.explorable == 0) {
      return;
    }
    int[] firsts = {round.best(round.blind, false), round.best(round.blind, true)};
    int bestPaid = round.best(round.paid, false);
    double size = target == EarnRound.NONE ? 0 : Math.abs(weight.applyAsDouble(target));
    double factor = Math.max(LEAST_FACTOR, Math.min(GREATEST_FACTOR, 2 * size));
    double[] mixed = new double[round.size];
    if (round.isAnyAllowed()) {
      beside(state, round, target, firsts, factor, propensities, mixed);
    } else if (decision < (long) turns(round.size) * round.size) {
      mixed[(int) (decision % round.size)] = 1;
    } else {
      alone(state, round, target, firsts, factor, mixed);
    }
    for (int place = 0; place < round.size; place++) {
      if (round.isKept[place]) {
        state.choose(round.arm[place], place == bestPaid, round.size);
      }
    }
    if (target != EarnRound.NONE && !round.isWaiting) {
      state.inform(size * size);
    }
    System.arraycopy(mixed, 0, propensities, 0, round.size);
    round.chosen = drawn(mixed, seededRandom.uniform(SeededRandom.Purpose.EXPLORE));
    explain(round, ruled, firsts[0]);
  }

  /** Sets the reason why the drawn place is played. */
  private static void explain(EarnRound round, int ruled, int first) {
    if (!round.isAnyAllowed()) {
      round.reason = DecisionReason.UNCERTIFIED;
      round.isExplored = round.chosen != first;
    } else if (round.chosen != ruled) {
      round.reason =
          round.isTried[round.chosen] ? DecisionReason.FORCED_EXPLORATION : DecisionReason.EXPLORE;
      round.isExplored = true;
    }
  }

  /** Counts what was taken in the end, which may be another candidate than the chosen one. */
  public static void settle(EarnState state, EarnRound round, int taken) {
    if (round.isTried[taken]) {
      state.tryOne(round.arm[taken], round.isKept[taken]);
    }
    if (round.isKept[taken]) {
      state.play(round.arm[taken]);
    }
  }

  /** Returns how many decisions of each arm go by turns. */
  public static int turns(int arms) {
    return arms <= FEW ? TURNS : (ALL_TURNS + arms - 1) / arms;
  }

  /** Plays the target for those for whom it costs least, else the blind index. */
  private void alone(
      EarnState state, EarnRound round, int target, int[] firsts, double factor, double[] mixed) {
    double aim = target == EarnRound.NONE ? 0 : aim(explore.over(), round.left[target]);
    for (int coin = 0; coin < 2; coin++) {
      double chance = (coin == 0 ? 1 - ASIDE : ASIDE) * (1 - ANY);
      boolean isIn = false;
      if (target != EarnRound.NONE) {
        double gap = Math.max(0, round.blind[firsts[coin]] - round.blind[target]) / factor;
        isIn = gap <= state.greatestGap;
      }
      mixed[isIn ? target : firsts[coin]] += chance;
    }
    addAny(round, mixed, ANY);
    if (target != EarnRound.NONE) {
      double gap = Math.max(0, round.blind[firsts[0]] - round.blind[target]) / factor;
      state.follow(gap, gap <= state.greatestGap, aim);
    }
  }

  /**
   * Tries the target beside what the rule may choose, and what the blind index prefers as well once
   * that is fair, not only admitted.
   */
  private void beside(
      EarnState state,
      EarnRound round,
      int target,
      int[] firsts,
      double factor,
      double[] ruled,
      double[] mixed) {
    double best = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < round.size; place++) {
      best = ruled[place] > 0 ? Math.max(best, round.index[place]) : best;
    }
    double ofTarget = 0;
    boolean isTriable =
        target != EarnRound.NONE
            && (round.isAllowed[target] || mayTry(state, round, target))
            && round.mayPayMore(target);
    if (isTriable) {
      double gap = Math.max(0, best - round.blind[target]) / factor;
      boolean isIn = gap <= state.greatestGap;
      boolean isFair = round.isAnyFair();
      ofTarget = isIn ? (isFair ? factor / 2 : 1) : 0;
      round.isTried[target] = isIn && !round.isAllowed[target];
      state.follow(
          gap, isIn, isFair ? aimBeside(explore.over()) : aim(explore.over(), round.left[target]));
    }
    double rest = 0;
    for (int coin = 0; coin < 2; coin++) {
      double chance = coin == 0 ? 1 - ASIDE : ASIDE;
      boolean isPreferred = round.isAnyFair() && mayTry(state, round, firsts[coin]);
      double preferred = isPreferred ? PREFERRED : 0;
      round.isTried[firsts[coin]] |= isPreferred;
      mixed[firsts[coin]] += chance * preferred;
      rest += chance * (1 - preferred);
    }
    addAny(round, mixed, rest * ANY_BESIDE);
    rest *= 1 - ANY_BESIDE;
    if (target != EarnRound.NONE) {
      mixed[target] += rest * ofTarget;
    }
    for (int place = 0; place < round.size; place++) {
      mixed[place] += rest * (1 - ofTarget) * ruled[place];
    }
  }

  private static void addAny(EarnRound round, double[] mixed, double chance) {
    for (int place = 0; place < round.size; place++) {
      mixed[place] += round.isUnfair(place) ? 0 : chance / round.explorable;
    }
  }

  private static int drawn(double[] chances, double u) {
    double sum = 0;
    int last = 0;
    for (int place = 0; place < chances.length; place++) {
      sum += chances[place];
      if (chances[place] > 0) {
        last = place;
        if (u < sum) {
          return place;
        }
      }
    }
    return last;
  }

  /** Returns whether the allowance of an arm that the rule may not choose lasts. */
  private boolean mayTry(EarnState state, EarnRound round, int place) {
    if (!round.isTriable(place)) {
      return false;
    }
    if (explore.budget() != null) {
      return !explore.isSpent(state.tried());
    }
    double allowance =
        ALLOWANCE * round.whole[place] + TRICKLE * state.decisions / Math.max(1, round.size);
    return !round.isKept[place] || state.tried(round.arm[place]) < allowance;
  }

  /** Returns the share of the people whom a target is to get that lacks so many decisions. */
  public static double aim(ExploreSpec.Over over, double left) {
    return switch (over) {
      case CERTIFY -> GREATEST_AIM;
      case EARN -> Math.max(.1, Math.min(GREATEST_AIM, 500 / left));
      default -> Math.max(.3, Math.min(GREATEST_AIM, 1500 / left));
    };
  }

  /** Returns about how many decisions a target needs that lacks so many of its own. */
  public static double decisions(ExploreSpec.Over over, double own) {
    double decisions = 0;
    for (int step = 0; step < STEPS; step++) {
      decisions += own / STEPS / aim(over, own * (step + .5) / STEPS);
    }
    return decisions;
  }

  /** Returns that share of the people who have a certified arm. */
  public static double aimBeside(ExploreSpec.Over over) {
    return switch (over) {
      case CERTIFY -> .5;
      case EARN -> .1;
      default -> .25;
    };
  }

  /**
   * Keeps the target, or replaces it by the arm whose certificate its own earnings bring soonest,
   * if that is much sooner when both get the share of a target.
   */
  private int target(EarnState state, EarnRound round) {
    int kept = EarnRound.NONE;
    int best = EarnRound.NONE;
    double greatest = 0;
    for (int place = 0; place < round.size; place++) {
      if (round.isWanted(place)) {
        boolean isTarget = round.isKept[place] && round.arm[place] == state.target;
        kept = isTarget ? place : kept;
        double speed = speed(state, round, place, 0);
        boolean isBest = best == EarnRound.NONE || speed > greatest;
        best = isBest ? place : best;
        greatest = isBest ? speed : greatest;
      }
    }
    if (kept == EarnRound.NONE || round.isAlmostFair(kept)) {
      return kept == EarnRound.NONE ? best : kept;
    }
    double now = speed(state, round, kept, aim(explore.over(), round.least[kept]));
    double then = speed(state, round, best, aim(explore.over(), round.least[best]));
    return then > SOONER * now ? best : kept;
  }

  /**
   * Returns the share of what an arm lacks that a decision brings.
   *
   * @param aim what it gets of the people for whom it is not the first choice
   */
  private static double speed(EarnState state, EarnRound round, int place, double aim) {
    double share =
        round.isKept[place] ? state.share(round.arm[place], round.size) : 1.0 / round.size;
    return (share + Math.max(LEAST_SHARE, aim * (1 - share))) / round.least[place];
  }
}
