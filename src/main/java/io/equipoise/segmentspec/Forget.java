package io.equipoise.segmentspec;

/**
 * Sets how a model forgets in a drifting world.
 *
 * @param discount weight of an observation one round later, in (0, 1]; 1 forgets nothing
 * @param rounds rounds after which an observation is removed; 0 keeps all
 */
public record Forget(double discount, int rounds) {
  /** Keeps everything: statistics are sums, and learners merge. */
  public static final Forget NOTHING = new Forget(1, 0);

  public Forget {
    if (!(discount > 0 && discount <= 1) || rounds < 0 || (discount < 1 && rounds > 0)) {
      throw new IllegalArgumentException(
          "discount " + discount + " must be in (0, 1], rounds " + rounds + " 0 or more, not both");
    }
  }

  /** Weights an observation of k rounds ago by discount^k. */
  public static Forget discount(double discount) {
    return new Forget(discount, 0);
  }

  /** Keeps the observations of the last rounds. */
  public static Forget rounds(int rounds) {
    return new Forget(1, rounds);
  }

  /** Returns whether nothing is forgotten. */
  public boolean isNothing() {
    return discount == 1 && rounds == 0;
  }
}
