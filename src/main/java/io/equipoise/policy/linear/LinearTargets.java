package io.equipoise.policy.linear;

import io.equipoise.event.PropensityKind;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.CertifyFirst;
import io.equipoise.policy.constraint.CertifyRound;
import io.equipoise.policy.constraint.CertifyState;
import io.equipoise.policy.linear.LinearFairness.Limited;
import io.equipoise.segmentspec.ExploreSpec;
import org.jspecify.annotations.Nullable;

/**
 * Plays by {@link CertifyFirst} over ridge regressions: an arm of the spec has the status that it
 * has by the effects of all people, one that only the request has that of this person's. Immutable.
 */
final class LinearTargets {
  private final CertifyFirst certifyFirst;
  private final Limited limited;
  private final boolean isShared;

  LinearTargets(ExploreSpec explore, Limited limited, boolean isShared) {
    certifyFirst = new CertifyFirst(explore.share(), explore.budget(), explore.floor());
    this.limited = limited;
    this.isShared = isShared;
  }

  /**
   * Puts what it explores in the place of the rule's choice, but for a candidate that was taken.
   *
   * @param taken {@link LinearRound#NONE} if none was
   */
  void play(
      LinearBlocks blocks,
      Candidates candidates,
      SeededRandom seededRandom,
      LinearRound out,
      int taken) {
    CertifyState state = blocks.certifying();
    CertifyRound round = new CertifyRound(out.size);
    FeatureVector[] widest = new FeatureVector[out.size];
    for (int place = 0; place < out.size; place++) {
      widest[place] = look(blocks, candidates, place, round);
      describe(blocks, candidates, place, round, out);
    }
    certifyFirst.mix(
        state,
        round,
        out.chosen,
        out.propensity,
        place -> weight(blocks, candidates, place, widest[place], out),
        seededRandom);
    out.kind = PropensityKind.EXACT;
    out.excluded = round.chosen() == out.chosen ? out.excluded : LinearRound.NONE;
    out.reason = round.reason() == null ? out.reason : round.reason();
    out.isExplored = round.isExplored();
    out.isCertified = out.fairSetSize > 0 && out.isEligible[round.chosen()];
    out.chosen = taken == LinearRound.NONE ? round.chosen() : taken;
    CertifyFirst.settle(state, round, out.chosen);
    blocks.certifyingChanged();
  }

  private void describe(
      LinearBlocks blocks, Candidates candidates, int place, CertifyRound round, LinearRound out) {
    int arm = candidates.arm(place);
    double width =
        Math.sqrt(blocks.ridge(key(candidates, place)).squaredWidth(candidates.features(place)));
    double factor = out.beta[place] > 0 ? out.beta[place] : CertifyFirst.WIDTHS;
    round.candidate(place, arm, blocks.isKnown(arm), out.mean[place], width, factor);
    if (out.fairSetSize > 0 && out.isEligible[place]) {
      round.allow(place);
    }
  }

  /** Returns the weight that a reward of this person would have in a contrast. */
  private double weight(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      @Nullable FeatureVector c,
      LinearRound out) {
    RidgeRegression arm = blocks.complete(key(candidates, place));
    if (c == null || arm.isEmpty()) {
      return 1;
    }
    SymmetricMatrix.times(arm.inverse, c, out.sampled);
    return SymmetricMatrix.dot(out.sampled, candidates.features(place))
        / SymmetricMatrix.dot(out.sampled, c);
  }

  /** Adds the effects of a candidate; returns the undecided contrast with the widest interval. */
  private @Nullable FeatureVector look(
      LinearBlocks blocks, Candidates candidates, int place, CertifyRound round) {
    double tau = limited.limit().tau();
    int key = key(candidates, place);
    RidgeRegression arm = blocks.complete(key);
    ContrastBlock contrasts = blocks.contrasts(key);
    int position = blocks.position(key);
    FeatureVector widest = null;
    if (candidates.isHiding(place)) {
      round.unknownEffect(place);
    }
    for (int which = 0; which < candidates.contrasts(place); which++) {
      FeatureVector c = candidates.contrast(place, which);
      double lower = limited.effects().lower(arm, contrasts, position, c);
      double upper = limited.effects().upper(arm, contrasts, position, c);
      widest = round.effect(place, lower, upper, tau) ? c : widest;
    }
    return widest;
  }

  private int key(Candidates candidates, int place) {
    return isShared ? LinearBlocks.SHARED : candidates.arm(place);
  }
}
