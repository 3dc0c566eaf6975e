package io.equipoise.policy.linear;

import io.equipoise.policy.features.FeatureContrast;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists the differences of features that effects depend on and that follow from the spec.
 * Immutable.
 */
public final class KnownContrasts {
  private final SegmentSpec spec;
  private final FeatureEncoder encoder;
  private final SeenAttributes attributes;
  private final UndisclosedWorlds worlds;
  private final int limit;

  /**
   * Reads a spec.
   *
   * @param features those of the encoder
   */
  public KnownContrasts(
      SegmentSpec spec, FeatureEncoder encoder, SeenAttributes attributes, FeatureMap features) {
    this.spec = spec;
    this.encoder = encoder;
    this.attributes = attributes;
    worlds = UndisclosedWorlds.ofLinear(spec, features);
    limit = spec.fairness().certificates().contrasts();
  }

  /** Returns the number of unordered pairs of levels of sensitive attributes, times the arms. */
  public static int count(SegmentSpec spec) {
    int pairs = 0;
    for (int place : spec.variables().sensitive()) {
      int levels = spec.variables().features().get(place).disclosedLevels();
      pairs += levels * (levels - 1) / 2;
    }
    return pairs * spec.arms().size();
  }

  /**
   * Returns whether some effect depends on a number, so that contrasts of all people are no list.
   */
  public boolean hasNumbers() {
    return new SensitivePairs(spec)
        .ofAnyone().stream().anyMatch(pair -> worlds.ofAnyone(pair).isEmpty());
  }

  /**
   * Returns the contrasts of all people and arms, each once in its {@linkplain
   * ContrastBlock#canonical form} and in their order, but for those with numbers; as many as have
   * intervals of their own at most.
   */
  public List<FeatureVector> all() {
    List<FeatureVector> known = new ArrayList<>();
    Set<List<Double>> seen = new HashSet<>();
    for (List<FeatureVector> ofArm : byArm()) {
      for (FeatureVector c : ofArm) {
        if (known.size() < limit && seen.add(key(c))) {
          known.add(c);
        }
      }
    }
    return known;
  }

  /** Returns the same for each arm of the spec. */
  List<List<FeatureVector>> byArm() {
    return new RememberedInputs(spec).catalog().stream().map(this::ofArm).toList();
  }

  private List<FeatureVector> ofArm(Profile arm) {
    List<FeatureVector> known = new ArrayList<>();
    Set<List<Double>> seen = new HashSet<>();
    for (PairContrast comparison : comparisons(arm)) {
      if (known.size() < limit && seen.add(key(comparison.c()))) {
        known.add(comparison.c());
      }
    }
    return known;
  }

  /**
   * An effect that some people have.
   *
   * @param c its contrast in the {@linkplain ContrastBlock#canonical canonical form}
   */
  public record PairContrast(Pair pair, FeatureVector c) {}

  /**
   * Returns whether the features tell nothing of some comparison of an attribute, or set of them.
   */
  public boolean hidesSome(int attribute) {
    return attributes.hidesSome(attribute);
  }

  /** Returns the effects of an arm, each once for an attribute; at most the limit for each pair. */
  public List<PairContrast> comparisons(Profile arm) {
    FeatureContrast apart = new FeatureContrast(encoder, attributes);
    List<PairContrast> comparisons = new ArrayList<>();
    Map<Integer, Set<List<Double>>> seen = new HashMap<>();
    for (Pair pair : new SensitivePairs(spec).ofAnyone()) {
      Set<List<Double>> ofAttribute =
          seen.computeIfAbsent(pair.attribute(), any -> new HashSet<>());
      int count = 0;
      for (Worlds pairOfWorlds : worlds.ofAnyone(pair)) {
        apart.compare(pairOfWorlds, arm, pair);
        FeatureVector c = ContrastBlock.canonical(FeatureVector.of(apart.difference()));
        boolean isKept =
            !apart.isHidden() && ContrastBlock.sign(c) != 0 && ContrastBlock.isOfLevels(c, 1);
        if (isKept && count < limit && ofAttribute.add(key(c))) {
          comparisons.add(new PairContrast(pair, c));
          count++;
        }
      }
    }
    return comparisons;
  }

  /** Returns what equal contrasts have in common. */
  static List<Double> key(FeatureVector c) {
    return Arrays.stream(c.values()).boxed().toList();
  }
}
