package io.equipoise.policy.linear;

/**
 * How a model forgets in a drifting world.
 *
 * @param discount weight of an observation a round later, in (0, 1]; 1 forgets nothing
 * @param window rounds after which an observation is removed; 0 keeps all
 */
public record Forgetting(double discount, int window) {
  /** Keeps everything: statistics are sums, and learners merge. */
  public static final Forgetting NOTHING = new Forgetting(1, 0);

  public Forgetting {
    if (!(discount > 0 && discount <= 1) || window < 0 || (discount < 1 && window > 0)) {
      throw new IllegalArgumentException(
          "discount " + discount + " must be in (0, 1], window " + window + " 0 or more, not both");
    }
  }

  /** Weights an observation of k rounds ago by discount^k. */
  public static Forgetting discount(double discount) {
    return new Forgetting(discount, 0);
  }

  /** Keeps the observations of the last rounds. */
  public static Forgetting window(int rounds) {
    return new Forgetting(1, rounds);
  }

  /** Says whether nothing is forgotten. */
  public boolean isNothing() {
    return discount == 1 && window == 0;
  }
}
