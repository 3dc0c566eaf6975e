package io.equipoise.evidence;

/** Bets on the value scores of a policy: evidence about its running mean value. Mutable. */
public final class PolicyValue implements MeanEvidence {
  private final BetMixture low = new BetMixture();
  private final BetMixture high = new BetMixture();

  public void add(RowScores row) {
    low.add(row.value(false));
    high.add(row.value(true));
  }

  @Override
  public long rows() {
    return low.rows();
  }

  /** Returns the estimated mean value. */
  public double mean() {
    return low.mean();
  }

  /** Returns an interval; each end fails, at any row ever, with at most a probability of level. */
  public Ends ends(double level) {
    return new Ends(low.lower(level, 0, 1), 1 - high.lower(level, 0, 1));
  }

  @Override
  public double[] above(double x) {
    return low.bets(x);
  }

  @Override
  public double[] below(double x) {
    return high.bets(1 - x);
  }
}
