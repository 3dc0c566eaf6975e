package io.equipoise.policy.features;

/**
 * Maps the features of a map to their places among those of the same map over variables with other
 * levels. The other features there are 0 for everybody and every arm of the levels of before. A
 * feature that is gone is 0 for everybody and every arm of the levels there. Immutable.
 *
 * @param places of the features of before, each once, -1 where one is gone; not to be written to
 * @param among how many features there are then
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record FeaturePlaces(int[] places, int among) {
  /** Returns the place of a feature of before. */
  public int of(int feature) {
    return places[feature];
  }

  /** Returns how many features there were. */
  public int count() {
    return places.length;
  }

  /** Returns whether every feature stays where it is and none is new. */
  public boolean isIdentity() {
    boolean isSame = places.length == among;
    for (int feature = 0; feature < places.length; feature++) {
      isSame &= places[feature] == feature;
    }
    return isSame;
  }

  /** Returns whether a feature is gone. */
  public boolean isGone(int feature) {
    return places[feature] < 0;
  }

  /** Returns a vector of the features of before, which may be padded, with 0 in the new places. */
  public double[] spread(double[] x) {
    double[] wide = new double[among];
    for (int feature = 0; feature < places.length; feature++) {
      if (!isGone(feature)) {
        wide[places[feature]] = x[feature];
      }
    }
    return wide;
  }
}
