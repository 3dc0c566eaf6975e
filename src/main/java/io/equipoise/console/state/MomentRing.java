package io.equipoise.console.state;

/** Sums values and their squares by time bucket, and counts them. */
final class MomentRing {
  private final Ring count = new Ring();
  private final Ring sum = new Ring();
  private final Ring squares = new Ring();

  void add(long bucket, double value) {
    if (Double.isFinite(value)) {
      count.add(bucket, 1);
      sum.add(bucket, value);
      squares.add(bucket, value * value);
    }
  }

  SampleMoments at(long bucket) {
    return new SampleMoments((long) count.at(bucket), sum.at(bucket), squares.at(bucket));
  }

  SampleMoments total(long last) {
    return new SampleMoments((long) count.total(last), sum.total(last), squares.total(last));
  }
}
