package io.equipoise.segmentspec;

/**
 * How a model forgets in a drifting world.
 *
 * @param discount weight of an observation one round later, in (0, 1]; 1 forgets nothing
 * @param rounds rounds after which an observation is removed; 0 keeps all
 */
public record Forget(double discount, int rounds) {
  /** Keeps everything. */
  public static final Forget NOTHING = new Forget(1, 0);
}
