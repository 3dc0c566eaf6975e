package io.equipoise.policy.constraint;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Explores where the need for knowledge is not met by ordinary play
 * (docs/math/logistic.md#forced-exploration; ours, and no theorem is claimed).
 *
 * <p>The need is the faded sum G of gradients of effects that stood in the way of better-paid
 * candidates. Where play does not shrink trace(H^-1 G) like 1/t, the candidate that shrinks it most
 * is taken instead, never one that is known to be unfair. If none is informative it stops: then no
 * traffic of this kind can tell.
 *
 * @param cap explorations allowed in t decisions, as a multiple of t^(2/3)
 * @param covered play covers the need from playGain t = covered on
 * @param informative least gain worth an exploration, as a multiple of trace t^(-2/3)
 * @param needRate weight of a decision in G
 * @param playRate weight of a decision in the gain of play
 */
public record ForcedExploration(
    double cap, double covered, double informative, double needRate, double playRate) {
  private static final double STRICTLY = 1e-18;

  /** The constants that were measured. */
  public static final ForcedExploration DEFAULT = new ForcedExploration(4, 0.1, 0.1, 0.02, 0.01);

  /**
   * States what to do in one decision.
   *
   * @param candidate the base, or what is explored in its place
   * @param need r sqrt(trace(H^-1 G)), on the reward's scale
   * @param remembered the block after this decision but for the count of explorations
   */
  public record DrawnExploration(int candidate, int base, double need, OverlapDeficit remembered) {
    /**
     * Returns the block after this decision: what was played in the base's place counts, whether
     * this plan or something else put it there.
     */
    public OverlapDeficit next(int played) {
      if (played == base) {
        return remembered;
      }
      OverlapDeficit counted = remembered.copy();
      counted.countExplored();
      return counted;
    }
  }

  /** Plans one decision; pure. */
  public DrawnExploration plan(
      OverlapDeficit before,
      ShrinkingScreen screen,
      CandidateScores candidateScores,
      Contrasts contrasts,
      DualBlock duals,
      int base,
      int start) {
    long t = duals.decisions() + 1;
    OverlapDeficit next = before.copy();
    remember(next, screen, candidateScores, contrasts, duals, base);
    int n = next.dimension();
    DMatrixRMaj inverse = contrasts.inverse();
    DMatrixRMaj half = new DMatrixRMaj(n, n);
    DMatrixRMaj spread = new DMatrixRMaj(n, n);
    CommonOps_DDRM.mult(inverse, next.g(), half);
    CommonOps_DDRM.mult(half, inverse, spread);
    double trace = CommonOps_DDRM.trace(half);
    double need = contrasts.radius() * Math.sqrt(Math.max(0, trace));
    double removed = trace > 0 ? gain(contrasts, spread, base) / trace : 0;
    next.playGain(before.playGain() + playRate * (removed - before.playGain()));

    double twoThirds = StrictMath.cbrt((double) t * t);
    boolean isDue =
        next.playGain() * t < covered
            && need > screen.slack(t)
            && before.explored() < cap * twoThirds;
    int chosen = base;
    if (isDue) {
      int best =
          Scan.best(
              candidateScores.candidates(),
              start,
              STRICTLY,
              candidate -> screen.mayBeFair(candidateScores, candidate),
              candidate -> gain(contrasts, spread, candidate));
      boolean isWorthIt =
          best >= 0 && gain(contrasts, spread, best) >= informative * trace / twoThirds;
      chosen = isWorthIt ? best : base;
    }
    return new DrawnExploration(chosen, base, need, next);
  }

  /** Fades G and adds the gradient of the effect that keeps a better-paid candidate out. */
  private void remember(
      OverlapDeficit next,
      ShrinkingScreen screen,
      CandidateScores candidateScores,
      Contrasts contrasts,
      DualBlock duals,
      int base) {
    CommonOps_DDRM.scale(1 - needRate, next.g());
    int wanted = screen.wanted(candidateScores, duals, base);
    if (wanted >= 0) {
      double[] c = contrasts.gradient(wanted, screen.worst(candidateScores, wanted));
      for (int row = 0; row < c.length; row++) {
        for (int column = 0; column < c.length; column++) {
          next.g().add(row, column, needRate * c[row] * c[column]);
        }
      }
    }
  }

  /** Returns by how much trace(H^-1 G) falls if a candidate is observed once. */
  private static double gain(Contrasts contrasts, DMatrixRMaj spread, int candidate) {
    double[] x = contrasts.features(candidate);
    double weight = contrasts.weight(candidate);
    double apart = quadratic(spread, x);
    return weight * apart / (1 + weight * quadratic(contrasts.inverse(), x));
  }

  private static double quadratic(DMatrixRMaj matrix, double[] x) {
    double sum = 0;
    for (int row = 0; row < x.length; row++) {
      double dot = 0;
      for (int column = 0; column < x.length; column++) {
        dot += matrix.unsafe_get(row, column) * x[column];
      }
      sum += x[row] * dot;
    }
    return sum;
  }
}
