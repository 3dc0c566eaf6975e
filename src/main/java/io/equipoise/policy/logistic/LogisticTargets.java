package io.equipoise.policy.logistic;

import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.CertifyFirst;
import io.equipoise.policy.constraint.CertifyRound;
import io.equipoise.policy.constraint.CertifyState;
import io.equipoise.segmentspec.ExploreSpec;
import org.jspecify.annotations.Nullable;

/**
 * Plays by {@link CertifyFirst} over a logistic model: a candidate has the status that it has by
 * the audit of its effects on this person. Immutable.
 */
final class LogisticTargets {
  private static final long KEY = 4;

  private final LogisticRule policy;
  private final CertifyFirst certifyFirst;

  LogisticTargets(LogisticRule policy, ExploreSpec explore) {
    this.policy = policy;
    certifyFirst = new CertifyFirst(explore.share(), explore.budget(), explore.floor());
  }

  /** Forgets what was remembered; says whether there was anything. */
  static boolean startAnew(ModelState modelState) {
    boolean isKept = modelState.get(KEY) != null;
    modelState.remove(KEY);
    return isKept;
  }

  /**
   * Returns what it explores in the place of the rule's choice, and remembers what is played.
   *
   * @param audited the model that the audit asks
   * @param start where the scan of candidates begins
   * @param propensities of the rule before, of both together afterwards
   * @param taken the candidate that is played whatever is returned; null if there is none
   */
  CertifyRound play(
      ModelState modelState,
      LogisticRound round,
      LogisticState audited,
      Request request,
      LogisticRequest asked,
      int start,
      double[] propensities,
      SeededRandom seededRandom,
      @Nullable Integer taken) {
    LogisticChoice ruled = round.choose(start);
    boolean[] isAllowed = round.allowed(start);
    CertifyRound targets = new CertifyRound(asked.size());
    double[][] widest = new double[asked.size()][];
    for (int place = 0; place < asked.size(); place++) {
      int position = request.candidates().get(place).position();
      double mean = round.mean(place);
      double bonus = Math.max(0, ruled.optimistic()[place] - mean);
      targets.candidate(place, position, position >= 0, mean, bonus, 1);
      if (isAllowed[place]) {
        targets.allow(place);
      }
      widest[place] = policy.look(audited, asked, place, targets);
    }
    CertifyState state =
        modelState.get(KEY) instanceof CertifyState stored ? stored : new CertifyState();
    certifyFirst.mix(
        state,
        targets,
        ruled.candidate(),
        propensities,
        place -> weight(audited, asked.candidates().get(place).x(), widest[place]),
        seededRandom);
    CertifyFirst.settle(state, targets, taken == null ? targets.chosen() : taken);
    modelState.put(KEY, state);
    return targets;
  }

  /** Returns the weight that a reward for features x would have in a difference of log odds. */
  private static double weight(LogisticState audited, double[] x, double @Nullable [] difference) {
    if (difference == null || audited.model().rewards() == 0) {
      return 1;
    }
    double[] solved = new double[x.length];
    audited.model().estimate().curvature().solve(difference, solved);
    return Vectors.dot(solved, x) / Vectors.dot(solved, difference);
  }
}
