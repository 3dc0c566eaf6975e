package io.equipoise.bandit.linear;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Why;
import io.equipoise.bandit.linear.LinearFairness.DualPenalty;
import io.equipoise.bandit.linear.LinearFairness.GroupBalance;
import io.equipoise.bandit.linear.LinearFairness.HardConstraint;
import org.jspecify.annotations.Nullable;

/**
 * A policy over linear rewards as a composition of parts: regression, index, fairness, exploration.
 * Immutable and safe for use by many threads; all that is learnt lives in {@link LinearBlocks}, all
 * scratch in {@link LinearRound}.
 *
 * <p>Ties within 1e-9 of the best score go to the candidate that was added first. The choice is a
 * function of blocks, candidates, round and draw. A draw is asked for only by exploration and by
 * {@link LinearIndex.Posterior}.
 */
public final class LinearPolicy {
  private final RidgeModel model;
  private final boolean isShared;
  private final LinearIndex index;
  private final LinearFairness fairness;
  private final Explore explore;
  private final @Nullable GroupBalancer balancer;
  private final @Nullable PosteriorSampler sampler;
  private final IndexPart indexPart;
  private final @Nullable UcbScan scan;

  /**
   * Composes a policy.
   *
   * @param isShared whether one theta serves all arms, else each arm has its own
   */
  public LinearPolicy(
      RidgeModel model,
      boolean isShared,
      LinearIndex index,
      LinearFairness fairness,
      Explore explore) {
    this.model = model;
    this.isShared = isShared;
    this.index = index;
    this.fairness = fairness;
    this.explore = explore;
    indexPart = new IndexPart(index);
    sampler =
        indexPart.posterior() == null
            ? null
            : new PosteriorSampler(indexPart.posterior(), isShared);
    balancer = fairness instanceof GroupBalance balance ? new GroupBalancer(balance) : null;
    boolean isBare = index instanceof LinearIndex.Ucb && fairness instanceof LinearFairness.None;
    scan = isBare ? new UcbScan(((LinearIndex.Ucb) index).radius(), isShared) : null;
    if (balancer != null && indexPart.radius() == null) {
      throw new IllegalArgumentException("group balance is scaled by the widths of a UCB index");
    }
    if (explore.share() > 0
        && explore.over() == Explore.Over.FAIR_SET
        && !(fairness instanceof HardConstraint)) {
      throw new IllegalArgumentException("exploring over FAIR_SET needs a hard constraint");
    }
  }

  public RidgeModel model() {
    return model;
  }

  public boolean isShared() {
    return isShared;
  }

  public LinearFairness fairness() {
    return fairness;
  }

  public LinearIndex index() {
    return index;
  }

  /** Returns how many values of the sensitive attribute group means are kept for. */
  public int groupValues() {
    return balancer == null ? 0 : balancer.values();
  }

  Forgetting groupForgetting() {
    return balancer == null ? Forgetting.NOTHING : balancer.forgetting();
  }

  int key(int arm) {
    return isShared ? LinearBlocks.SHARED : arm;
  }

  /**
   * Chooses a candidate. Blocks are read only, but for a model that forgets, whose blocks are
   * brought to the round, and for a dual penalty, which moves its variable.
   *
   * @param round decisions served so far, this one included, so at least 1
   * @return its place, or {@link LinearRound#NONE} if there is no candidate
   */
  public int choose(
      LinearBlocks blocks, Candidates candidates, long round, Draw draw, LinearRound out) {
    out.begin(candidates.size());
    if (out.size == 0) {
      return LinearRound.NONE;
    }
    advance(blocks, candidates, round, out);
    if (scan != null) {
      scan.choose(blocks, candidates, out);
      explore(draw, out);
      return out.chosen;
    }
    score(blocks, candidates, out);
    constrain(blocks, candidates, out);
    if (sampler == null) {
      indexPart.fill(candidates, out);
      out.chosen = rule(blocks, candidates, out);
      out.propensity[out.chosen] = 1;
    } else {
      out.normals.begin(draw);
      sampler.sample(
          blocks,
          candidates,
          out,
          scored -> {
            indexPart.clip(candidates, scored);
            out.chosen = rule(blocks, candidates, out);
            return out.chosen;
          });
    }
    explain(out);
    explore(draw, out);
    settle(blocks, out);
    return out.chosen;
  }

  private void advance(LinearBlocks blocks, Candidates candidates, long round, LinearRound out) {
    if (!model.forgetting().isNothing()) {
      for (int place = 0; place < out.size; place++) {
        int key = key(candidates.arm(place));
        model.advance(blocks.ridge(key), round, out.workspace);
        blocks.changed(key);
      }
    }
    if (balancer != null && !groupForgetting().isNothing()) {
      balancer.advance(blocks, candidates, round);
    }
  }

  private void score(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    Radius radius = indexPart.radius();
    for (int place = 0; place < out.size; place++) {
      RidgeArm ridge = blocks.ridge(key(candidates.arm(place)));
      FeatureVector x = candidates.features(place);
      out.mean[place] = ridge.mean(x);
      if (indexPart.needsWidth()) {
        out.width[place] = Math.sqrt(ridge.squaredWidth(x));
        out.beta[place] = radius == null ? 0 : radius.of(ridge);
      }
    }
  }

  /** Finds the effects that the fairness part judges by, and who is eligible. */
  private void constrain(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    if (fairness instanceof HardConstraint hard) {
      out.fairSetSize = 0;
      for (int place = 0; place < out.size; place++) {
        out.effect[place] = effect(blocks, candidates, place, hard.effects(), true);
        out.isEligible[place] = out.effect[place] <= hard.tau();
        out.fairSetSize += out.isEligible[place] ? 1 : 0;
      }
    } else if (fairness instanceof DualPenalty dual) {
      for (int place = 0; place < out.size; place++) {
        out.effect[place] =
            effect(blocks, candidates, place, dual.effects(), dual.onUpperEnd());
      }
    }
  }

  /** Returns the largest effect over a candidate's counterfactual worlds, or its upper end. */
  private double effect(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      RidgeEffects effects,
      boolean onUpperEnd) {
    RidgeArm ridge = blocks.ridge(key(candidates.arm(place)));
    double worst = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      double effect = onUpperEnd ? effects.worst(ridge, c) : Math.abs(ridge.mean(c));
      worst = Math.max(worst, effect);
    }
    return worst;
  }

  /** Turns indices into scores and picks. */
  private int rule(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    System.arraycopy(out.index, 0, out.score, 0, out.size);
    if (balancer != null) {
      balancer.add(blocks, candidates, out);
    } else if (fairness instanceof DualPenalty dual) {
      double phi = blocks.state().dual;
      for (int place = 0; place < out.size; place++) {
        out.score[place] -= phi * (out.effect[place] - dual.tau());
      }
    }
    return out.fairSetSize == 0 ? leastEffect(out) : Argmax.of(out.score, out.isEligible, out.size);
  }

  private static int leastEffect(LinearRound out) {
    int least = 0;
    for (int place = 1; place < out.size; place++) {
      least = out.effect[place] < out.effect[least] - Argmax.TOLERANCE ? place : least;
    }
    return least;
  }

  private static void explain(LinearRound out) {
    boolean isBestPaid = true;
    int foregone = out.chosen;
    for (int place = 0; place < out.size; place++) {
      boolean isAdmitted = out.isEligible[place] || out.fairSetSize == 0;
      isBestPaid &= !isAdmitted || out.mean[place] <= out.mean[out.chosen] + Argmax.TOLERANCE;
      boolean isLeft = !out.isEligible[place] && place != out.chosen;
      if (isLeft && out.score[place] > out.score[foregone] + Argmax.TOLERANCE) {
        foregone = place;
      }
    }
    out.foregone = foregone == out.chosen ? LinearRound.NONE : foregone;
    out.isCertified = out.fairSetSize > 0;
    out.why =
        out.fairSetSize == 0 ? Why.FALLBACK : isBestPaid ? Why.EXPLOIT : Why.EXPLORE;
  }

  /** Mixes the rule's propensities with uniform ones, and plays one of those for the share. */
  private void explore(Draw draw, LinearRound out) {
    if (explore.share() == 0) {
      return;
    }
    boolean isOverAll = explore.over() == Explore.Over.ALL;
    int drawnFrom = isOverAll ? out.size : out.fairSetSize;
    if (drawnFrom <= 0) {
      return;
    }
    double each = explore.share() / drawnFrom;
    double u = draw.uniform(Draw.Purpose.EXPLORE) / each;
    int skip = u < drawnFrom ? (int) u : -1;
    for (int place = 0; place < out.size; place++) {
      out.propensity[place] *= 1 - explore.share();
      if (isOverAll || out.isEligible[place]) {
        out.propensity[place] += each;
        if (skip-- == 0) {
          out.why = place == out.chosen ? out.why : Why.EXPLORE;
          out.chosen = place;
          out.isCertified = out.fairSetSize > 0 && out.isEligible[place];
        }
      }
    }
    if (out.kind == PropensityKind.DETERMINISTIC) {
      out.kind = PropensityKind.EXACT;
    }
  }

  private void settle(LinearBlocks blocks, LinearRound out) {
    if (fairness instanceof DualPenalty dual) {
      PolicyState state = blocks.state();
      state.decisions++;
      double step = dual.cap() / Math.max(100, Math.sqrt(state.decisions));
      double excess = out.effect[out.chosen] - dual.tau() + dual.epsilon();
      state.dual = Math.max(0, Math.min(dual.cap(), state.dual + step * excess));
      blocks.stateChanged();
    }
  }

  /**
   * Learns a reward of an arm, also of one that is no candidate any more; refuses, and changes
   * nothing, what could poison the state.
   *
   * @param group value of the sensitive attribute; ignored where no group means are kept
   * @param round decisions served when the reward is learnt
   */
  public Admission learn(
      LinearBlocks blocks,
      int arm,
      FeatureVector x,
      int group,
      double reward,
      long round,
      RidgeWorkspace workspace) {
    if (balancer != null && (group < 0 || group >= balancer.values())) {
      throw new IllegalArgumentException("group " + group + " of " + balancer.values());
    }
    int key = key(arm);
    Admission admission = model.learn(blocks.ridge(key), x, reward, round, workspace);
    if (admission == Admission.ADMITTED) {
      if (balancer != null) {
        balancer.observe(blocks, arm, group, reward, round);
      }
      blocks.changed(key);
      blocks.changed(arm);
    }
    return admission;
  }

  /**
   * Forgets the mean rewards of the groups over all arms, as at the start of a new phase: what they
   * were ahead by in the old one is not worked off any more. Those of single arms stay.
   */
  public void resetGroupMeans(LinearBlocks blocks) {
    blocks.groups(LinearBlocks.SHARED).reset();
    blocks.changed(LinearBlocks.SHARED);
  }
}
