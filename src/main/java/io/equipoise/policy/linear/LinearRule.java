package io.equipoise.policy.linear;

import io.equipoise.event.PropensityKind;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.linear.LinearFairness.GroupBalance;
import io.equipoise.policy.linear.LinearFairness.Limited;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import org.jspecify.annotations.Nullable;

/**
 * Composes a policy over linear rewards of parts: regression, index, fairness, exploration.
 * Immutable and safe for use by many threads; all that is learned lives in {@link LinearBlocks},
 * all scratch in {@link LinearRound}.
 *
 * <p>Ties within 1e-9 of the best score go to the candidate that was added first. The choice is a
 * function of blocks, candidates, round and draw. A draw is asked for only by exploration and by
 * {@link LinearIndex.Posterior}.
 */
public final class LinearRule {
  private final RidgeModel model;
  final boolean isShared;
  private final LinearIndex index;
  private final LinearFairness fairness;
  final ExploreSpec explore;
  final EarnRound.Terms terms;
  final EffectRule effectRule;
  private final @Nullable GroupBalancer balancer;
  private final @Nullable PosteriorSampler sampler;
  private final IndexPart indexPart;
  private final @Nullable UcbScan scan;

  /**
   * Composes a policy.
   *
   * @param isShared whether one theta serves all arms, else each arm has its own
   */
  public LinearRule(
      RidgeModel model,
      boolean isShared,
      LinearIndex index,
      LinearFairness fairness,
      ExploreSpec explore) {
    this(model, isShared, index, fairness, explore, new EarnRound.Terms(0, 1, .05, 1));
  }

  /**
   * Composes a policy.
   *
   * @param terms what the forecast of certificates takes from a spec
   */
  LinearRule(
      RidgeModel model,
      boolean isShared,
      LinearIndex index,
      LinearFairness fairness,
      ExploreSpec explore,
      EarnRound.Terms terms) {
    this.model = model;
    this.isShared = isShared;
    this.index = index;
    this.fairness = fairness;
    this.explore = explore;
    this.terms = terms;
    effectRule = new EffectRule(fairness);
    indexPart = new IndexPart(index);
    sampler =
        indexPart.posterior() == null
            ? null
            : new PosteriorSampler(indexPart.posterior(), isShared);
    balancer = fairness instanceof GroupBalance balance ? new GroupBalancer(balance) : null;
    boolean isBare = index instanceof LinearIndex.Ucb && fairness instanceof LinearFairness.None;
    scan = isBare ? new UcbScan(((LinearIndex.Ucb) index).radius()) : null;
    if (balancer != null && indexPart.radius() == null) {
      throw new IllegalArgumentException("group balance is scaled by the widths of a UCB index");
    }
    if (explore.earns() && !isScreening()) {
      throw new IllegalArgumentException(
          "exploring until arms are certified needs a hard constraint or a screen");
    }
    if (explore.share() > 0
        && explore.over() == ExploreSpec.Over.FAIR_SET
        && !Limited.isHard(fairness)) {
      throw new IllegalArgumentException("exploring over FAIR_SET needs a hard constraint");
    }
  }

  /** Returns whether arms are explored until they are certified. */
  boolean earns() {
    return explore.earns();
  }

  public RidgeModel model() {
    return model;
  }

  public LinearFairness fairness() {
    return fairness;
  }

  public LinearIndex index() {
    return index;
  }

  boolean countsRewards() {
    return indexPart.countsRewards();
  }

  /** Returns how many values of the sensitive attribute group means are kept for. */
  public int groupValues() {
    return balancer == null ? 0 : balancer.values();
  }

  /** Returns group means without a reward. */
  public GroupMeans newGroups() {
    return new GroupMeans(groupValues(), groupForgetting());
  }

  Forget groupForgetting() {
    return balancer == null ? Forget.NOTHING : balancer.forgetting();
  }

  /** Returns whether an arm that is not certified is only tried while none is. */
  boolean isLockedIn() {
    boolean triesAll = explore.share() > 0 && explore.over() != ExploreSpec.Over.FAIR_SET;
    return isScreening() && !isShared && !triesAll;
  }

  /** Returns whether an arm that is not certified may be left out. */
  boolean isScreening() {
    return fairness instanceof Limited limited && limited.isSelective();
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
      LinearBlocks blocks,
      Candidates candidates,
      long round,
      SeededRandom seededRandom,
      LinearRound out) {
    out.begin(this, blocks, candidates, round);
    if (out.size == 0) {
      return LinearRound.NONE;
    }
    out.choose(explore, seededRandom, LinearRound.NONE);
    out.settle();
    return out.chosen;
  }

  /** Scores all, unless {@link UcbScan} leaves out some. */
  void score(long round, LinearRound out) {
    advance(round, out);
    out.scale = indexPart.scale(out);
    if (scan != null) {
      return;
    }
    Radius radius = indexPart.radius();
    for (int place = 0; place < out.size; place++) {
      RidgeRegression ridge = out.ridge(place);
      FeatureVector x = out.x(place);
      out.mean[place] = ridge.mean(x);
      if (indexPart.needsWidth()) {
        out.width[place] = Math.sqrt(ridge.squaredWidth(x));
        out.beta[place] = radius == null ? 0 : out.scale * radius.of(ridge, out.position(place));
      }
    }
  }

  /** Finds the effects that the constraint limits, and who is eligible. */
  void constrain(LinearRound out) {
    effectRule.constrain(out);
  }

  /** Chooses by the index; says whether it is still to be explained. */
  boolean pick(SeededRandom seededRandom, LinearRound out) {
    if (scan != null) {
      scan.choose(out);
      return false;
    }
    if (sampler == null) {
      indexPart.fill(out);
      out.chosen = best(out);
      out.propensity[out.chosen] = 1;
      return true;
    }
    out.normals.begin(seededRandom);
    sampler.sample(
        out,
        scored -> {
          indexPart.clip(scored);
          scored.chosen = best(scored);
          return scored.chosen;
        });
    return true;
  }

  /** Turns indices into scores; returns the best of the eligible, or the fallback. */
  private int best(LinearRound out) {
    System.arraycopy(out.index, 0, out.score, 0, out.size);
    if (balancer != null) {
      balancer.add(out);
    }
    effectRule.charge(out);
    return out.fairSetSize == 0 ? out.fallback : Argmax.of(out.score, out.isEligible, out.size);
  }

  /** Moves the dual variable by the effect of what is played. */
  void settle(LinearRound out) {
    effectRule.settle(out);
    if (scan != null) {
      scan.scorePlayed(out);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same regression unless incomplete rows came
  private void advance(long round, LinearRound out) {
    LinearBlocks blocks = out.blocks();
    Candidates candidates = out.candidates();
    if (!model.forgetting().isNothing()) {
      for (int place = 0; place < out.size; place++) {
        int key = key(candidates.arm(place));
        RidgeRegression ridge = blocks.ridge(key);
        RidgeRegression complete = blocks.complete(key);
        model.advance(ridge, round, out.workspace);
        if (complete != ridge) {
          model.advance(complete, round, out.workspace);
        }
        blocks.changed(key);
      }
    }
    if (balancer != null && !groupForgetting().isNothing()) {
      balancer.advance(blocks, candidates, round);
    }
  }

  /**
   * Learns a reward of an arm, also of one that is no candidate any more; refuses, and changes
   * nothing, what could poison the state.
   *
   * @param group value of the sensitive attribute; ignored where no group means are kept
   * @param round decisions served when the reward is learned
   */
  public InputCheck learn(
      LinearBlocks blocks,
      int arm,
      FeatureVector x,
      int group,
      double reward,
      long round,
      RidgeWorkspace workspace) {
    return learn(blocks, null, arm, x, group, reward, round, workspace);
  }

  /**
   * Learns a reward likewise, after contrasts have seen it.
   *
   * @param contrasts of the regression of the arm; null if none are kept of it
   */
  InputCheck learn(
      LinearBlocks blocks,
      @Nullable ContrastBlock contrasts,
      int arm,
      FeatureVector x,
      int group,
      double reward,
      long round,
      RidgeWorkspace workspace) {
    if (balancer != null && (group < 0 || group >= balancer.values())) {
      throw new IllegalArgumentException("group " + group + " of " + balancer.values());
    }
    if (arm < 0) {
      throw new IllegalArgumentException("arm " + arm);
    }
    int key = key(arm);
    InputCheck inputCheck = model.learn(blocks.ridge(key), contrasts, x, reward, round, workspace);
    if (inputCheck == InputCheck.ADMITTED) {
      if (countsRewards()) {
        blocks.ridge(key).count(reward);
      }
      if (balancer != null) {
        balancer.observe(blocks, arm, group, reward, round);
      }
      blocks.changed(key);
      blocks.changed(arm);
    }
    return inputCheck;
  }

  /** Reads a {@link LinearIndex} once, so that a round need not. */
  private static final class IndexPart {
    private final LinearIndex inner;
    final boolean isClipped;

    IndexPart(LinearIndex index) {
      LinearIndex part = index;
      boolean clipped = false;
      while (part instanceof LinearIndex.Clipped outer) {
        part = outer.inner();
        clipped = true;
      }
      inner = part;
      isClipped = clipped;
    }

    LinearIndex.@Nullable Posterior posterior() {
      return inner instanceof LinearIndex.Posterior posterior ? posterior : null;
    }

    /** Returns the radius of a UCB index, else null. */
    @Nullable Radius radius() {
      return inner instanceof LinearIndex.Ucb ucb ? ucb.radius() : null;
    }

    boolean countsRewards() {
      return inner instanceof LinearIndex.Ucb ucb && ucb.range() != null;
    }

    /** Returns the factor of the radius in this decision. */
    double scale(LinearRound out) {
      return inner instanceof LinearIndex.Ucb ucb ? ucb.scale(out) : 1;
    }

    boolean needsWidth() {
      return !(inner instanceof LinearIndex.Mean);
    }

    /** Fills the index from means and widths. */
    void fill(LinearRound out) {
      boolean hasRadius = inner instanceof LinearIndex.Ucb;
      for (int place = 0; place < out.size; place++) {
        double bonus = hasRadius ? out.beta[place] * out.width[place] : 0;
        out.index[place] = out.mean[place] + bonus;
      }
      clip(out);
    }

    void clip(LinearRound out) {
      Candidates candidates = out.candidates();
      for (int place = 0; isClipped && place < out.size; place++) {
        double index = Math.max(candidates.lower(place), out.index[place]);
        out.index[place] = Math.min(candidates.upper(place), index);
      }
    }
  }

  /**
   * Draws what candidates are worth from the posterior, jointly (Agrawal and Goyal 2013). With a
   * model for each arm the draws are independent normals; with a shared theta, theta itself is
   * drawn.
   */
  private record PosteriorSampler(LinearIndex.Posterior part, boolean isShared) {
    /**
     * Fills the index by the draw that decides, and the propensities by shares of the places that
     * {@code winner} names over this draw and as many more as make up the number. As the draw that
     * decides is among them the chosen place has a share always, which is above its probability on
     * average; from one draw it is 1, an estimate too.
     */
    void sample(LinearRound out, Winner winner) {
      boolean isFactored = isShared && factor(out.blocks().ridge(LinearBlocks.SHARED), out);
      double share = 1.0 / part.draws();
      for (int draw = part.draws() - 1; draw >= 0; draw--) {
        draw(out, isFactored);
        int place = winner.of(out);
        out.propensity[place] += share;
      }
      out.kind = PropensityKind.ESTIMATED;
      out.draws = part.draws();
    }

    /** Picks the place that wins where these are the indices. */
    interface Winner {
      int of(LinearRound out);
    }

    private static boolean factor(RidgeRegression ridge, LinearRound out) {
      return !ridge.isEmpty() && out.workspace.cholesky.factor(ridge.gram, ridge.rho);
    }

    private void draw(LinearRound out, boolean isFactored) {
      if (!isShared) {
        for (int place = 0; place < out.size; place++) {
          out.index[place] = out.mean[place] + part.scale() * out.width[place] * out.normals.next();
        }
        return;
      }
      RidgeRegression ridge = out.blocks().ridge(LinearBlocks.SHARED);
      double[] theta = out.sampled;
      double flat = part.scale() / Math.sqrt(ridge.rho);
      for (int i = 0; i < ridge.dimension(); i++) {
        theta[i] = out.normals.next();
      }
      if (isFactored) {
        out.workspace.cholesky.color(theta);
        flat = part.scale();
      }
      for (int i = 0; i < ridge.dimension(); i++) {
        theta[i] = ridge.theta(i) + flat * theta[i];
      }
      for (int place = 0; place < out.size; place++) {
        out.index[place] = SymmetricMatrix.dot(theta, out.x(place));
      }
    }
  }
}
