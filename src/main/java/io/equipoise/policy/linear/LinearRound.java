package io.equipoise.policy.linear;

import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.Choice;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.kernel.Kernels;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides once for a {@link LinearRule}, by place among the candidates. Reusable, by one thread:
 * {@code begin} sets rule, blocks and candidates, which are valid until {@link #release}, and all
 * arrays are scratch of that decision. It grows to the largest request, then allocates nothing. To
 * the rule that earns while certifying, an arm of the spec has the status that it has by the
 * effects of all people, one that only the request has that of this person's.
 */
public class LinearRound extends DecisionRound<FeatureVector> {
  final RidgeWorkspace workspace;
  final NormalDraws normals = new NormalDraws();
  final double[] sampled;

  /** Theta of an arm without an observation. */
  final double[] flat;

  double[][] theta = new double[0][];
  double[] width = new double[0];
  double[] beta = new double[0];
  double[] effect = new double[0];
  double[] charged = new double[0];
  int fallback;

  /** The factor of the index's radius. */
  double scale;

  double gamma;
  double bestMean;
  int visited;

  private @Nullable LinearRule rule;
  private @Nullable LinearBlocks blocks;
  private @Nullable Candidates candidates;
  private long t;

  public LinearRound(int dimension) {
    workspace = new RidgeWorkspace(dimension);
    sampled = new double[Kernels.padded(dimension)];
    flat = new double[Kernels.padded(dimension)];
  }

  /** Starts a decision of a rule. */
  final void begin(LinearRule by, LinearBlocks of, Candidates among, long round) {
    rule = by;
    blocks = of;
    candidates = among;
    t = round;
    begin(among.size());
    visited = size;
    fallback = NONE;
    gamma = 0;
  }

  /** Lets go of the segment's blocks. */
  void release() {
    rule = null;
    blocks = null;
    candidates = null;
  }

  @Override
  protected void grow(int length) {
    super.grow(length);
    theta = new double[length][];
    width = new double[length];
    beta = new double[length];
    effect = new double[length];
    charged = new double[length];
  }

  private LinearRule rule() {
    return Objects.requireNonNull(rule);
  }

  LinearBlocks blocks() {
    return Objects.requireNonNull(blocks);
  }

  Candidates candidates() {
    return Objects.requireNonNull(candidates);
  }

  /** Returns the features of a candidate. */
  FeatureVector x(int place) {
    return candidates().features(place);
  }

  /** Returns the key of a candidate's regression. */
  int key(int place) {
    return rule().key(candidates().arm(place));
  }

  /** Returns whether all candidates have one regression. */
  boolean isShared() {
    return rule().isShared;
  }

  RidgeRegression ridge(int place) {
    return blocks().ridge(key(place));
  }

  /** Returns the regression that effects are bounded by. */
  RidgeRegression complete(int place) {
    return blocks().complete(key(place));
  }

  @Nullable ContrastBlock contrasts(int place) {
    return blocks().contrasts(key(place));
  }

  int position(int place) {
    return blocks().position(key(place));
  }

  @Override
  protected void score() {
    rule().score(t, this);
  }

  @Override
  protected void constrain() {
    rule().constrain(this);
  }

  @Override
  protected void pick(SeededRandom seededRandom) {
    if (rule().pick(seededRandom, this)) {
      explain();
    }
  }

  @Override
  protected void settle() {
    rule().settle(this);
  }

  /** Returns nothing: a rule alone audits nothing. */
  @Override
  protected List<AuditFinding> audit(int place) {
    return List.of();
  }

  @Override
  protected boolean[] certified() {
    return isEligible;
  }

  @Override
  protected EarnRound.Terms terms() {
    return rule().terms;
  }

  @Override
  protected @Nullable FeatureVector look(int place, EarnRound round) {
    return rule().effectRule.look(this, place, round);
  }

  @Override
  protected double weight(int place, FeatureVector contrast) {
    RidgeRegression complete = complete(place);
    if (complete.isEmpty()) {
      return 1;
    }
    SymmetricMatrix.times(complete.inverse, contrast, sampled);
    return SymmetricMatrix.dot(sampled, x(place)) / SymmetricMatrix.dot(sampled, contrast);
  }

  @Override
  protected EarnState earning() {
    return blocks().earning();
  }

  @Override
  protected void keep(EarnState earning) {
    blocks().earningChanged();
  }

  /** Returns for how many candidates a width was computed. */
  public int visited() {
    return visited;
  }

  /** Returns the gamma in force: that of eq. 7, or what was found for it. */
  public double gamma() {
    return gamma;
  }

  /** Returns the decision as a record of its own; there must have been a candidate. */
  public Choice toChoice() {
    return toChoice(fairSetSize > 0 && isEligible[chosen]);
  }

  /**
   * Draws standard normal numbers that belong to one decision: SplitMix64 (Steele, Lea and Flood
   * 2014) seeded by the decision's draw, then Box and Muller 1958. Reusable scratch.
   */
  static final class NormalDraws {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final double TWO_TO_53 = 0x1.0p53;

    private long state;
    private double spare;
    private boolean hasSpare;

    void begin(SeededRandom seededRandom) {
      state = (long) (seededRandom.uniform(SeededRandom.Purpose.POSTERIOR) * TWO_TO_53);
      hasSpare = false;
    }

    double next() {
      if (hasSpare) {
        hasSpare = false;
        return spare;
      }
      double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform()));
      double angle = 2 * Math.PI * uniform();
      spare = radius * StrictMath.sin(angle);
      hasSpare = true;
      return radius * StrictMath.cos(angle);
    }

    private double uniform() {
      state += GAMMA;
      long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return ((z ^ (z >>> 31)) >>> 11) / TWO_TO_53;
    }
  }
}
