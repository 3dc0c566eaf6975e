package io.equipoise.policy.features;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;

/**
 * Computes what the features of one arm differ by between the two worlds of a comparison. Mutable
 * scratch that is computed again and again; for one thread.
 */
public final class FeatureContrast {
  private final FeatureEncoder encoder;
  private final SeenAttributes seen;
  private final Entries entries = new Entries();
  private final double[] here;
  private final double[] difference;
  private boolean isHidden;

  /** Makes room for the features of an encoder. */
  public FeatureContrast(FeatureEncoder encoder, SeenAttributes seen) {
    this.encoder = encoder;
    this.seen = seen;
    here = new double[encoder.dimension()];
    difference = new double[encoder.dimension()];
  }

  /** Compares what a person and an arm look like in both worlds of a pair. */
  public void compare(Worlds worlds, Profile arm, Pair pair) {
    encoder.encode(worlds.factual(), arm, entries, here);
    encoder.encode(worlds.other(), arm, entries, difference);
    for (int i = 0; i < difference.length; i++) {
      difference[i] -= here[i];
    }
    isHidden = seen.isHidden(pair);
  }

  /** Returns x' - x; owned by this, not to be changed. */
  public double[] difference() {
    return difference;
  }

  /** Returns the guarantee of a pair's interval that has another one if the model holds. */
  public AuditGuarantee guarantee(Pair pair, AuditGuarantee inModel) {
    return seen.guarantee(pair, inModel);
  }

  /** Returns whether the features tell nothing of the effect. */
  public boolean isHidden() {
    return isHidden;
  }
}
