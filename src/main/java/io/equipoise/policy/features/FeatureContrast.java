package io.equipoise.policy.features;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes what the features of one arm differ by between the two worlds of a comparison: 0 where
 * they do not depend on what changes. Mutable scratch that is computed again and again; for one
 * thread.
 */
public final class FeatureContrast {
  private final FeatureEncoder encoder;
  private final SeenAttributes seen;
  private final Entries here = new Entries();
  private final Entries there = new Entries();
  private final Entries entries = new Entries();
  private final double[] difference;

  /** The features that depend on what an attribute's comparisons change. */
  private final Map<Integer, int[]> changing = new HashMap<>();

  private boolean isHidden;

  /** Makes room for the features of an encoder. */
  public FeatureContrast(FeatureEncoder encoder, SeenAttributes seen) {
    this.encoder = encoder;
    this.seen = seen;
    difference = new double[encoder.dimension()];
  }

  /** Compares what a person and an arm look like in both worlds of a pair. */
  public void compare(Worlds worlds, Profile arm, Pair pair) {
    int[] parts =
        changing.computeIfAbsent(pair.attribute(), any -> encoder.partsOf(pair.changed()));
    encoder.encode(worlds.factual(), arm, parts, here);
    encoder.encode(worlds.other(), arm, parts, there);
    entries.setDifference(there, here);
    isHidden = seen.isHidden(pair);
  }

  /** Returns x' - x; owned by this, not to be changed. */
  public double[] difference() {
    entries.copyTo(difference);
    return difference;
  }

  /** Returns the same without what is 0; owned by this, not to be changed. */
  public Entries entries() {
    return entries;
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
