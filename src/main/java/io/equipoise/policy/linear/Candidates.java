package io.equipoise.policy.linear;

import io.equipoise.policy.features.Entries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the candidate arms of one request: any number, by arm (its position in the state's
 * dictionary), each with its features and, where effects matter, the features it would have in the
 * counterfactual worlds. Mutable scratch: filled again for each request, grows to the largest, then
 * allocates nothing.
 */
public final class Candidates {
  private final int dimension;
  private final @Nullable FeatureMask mask;
  private final FeatureVector world;
  private final List<FeatureVector> features = new ArrayList<>();
  private final List<List<FeatureVector>> effects = new ArrayList<>();
  private final List<List<Double>> shares = new ArrayList<>();
  private int[] arms = new int[0];
  private int[] source = new int[0];
  private int[] worlds = new int[0];
  private boolean[] isHiding = new boolean[0];
  private double[] lower = new double[0];
  private double[] upper = new double[0];
  private List<List<FeatureVector>> contrasts = List.of();
  private int size;

  /** True if all candidates have the same features, because they were added together. */
  private boolean isAlike;

  /** True if a candidate has worlds or bounds, to be taken away when all are removed. */
  private boolean hasExtras;

  public Candidates(int dimension) {
    this(dimension, null);
  }

  /** Hides the features that a mask drops, so that neither choosing nor learning sees them. */
  public Candidates(int dimension, @Nullable FeatureMask mask) {
    if (mask != null && mask.dimension() != dimension) {
      throw new IllegalArgumentException("mask of " + mask.dimension() + " for " + dimension);
    }
    this.dimension = dimension;
    this.mask = mask;
    world = new FeatureVector(dimension);
  }

  /** Removes all. */
  public void clear() {
    if (hasExtras) {
      withoutExtras(0, size);
      hasExtras = false;
    }
    size = 0;
    contrasts = List.of();
  }

  /** Sets the contrasts of all people for each candidate, by place. */
  void contrasts(List<List<FeatureVector>> byPlace) {
    contrasts = byPlace;
  }

  /** Returns how many contrasts are known of a candidate: of all people, else this person's. */
  int contrasts(int place) {
    return contrasts.isEmpty() ? worlds[place] : contrasts.get(place).size();
  }

  /** Returns one of those. */
  FeatureVector contrast(int place, int which) {
    return contrasts.isEmpty() ? effect(place, which) : contrasts.get(place).get(which);
  }

  private void withoutExtras(int from, int to) {
    Arrays.fill(worlds, from, to, 0);
    Arrays.fill(isHiding, from, to, false);
    Arrays.fill(lower, from, to, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, from, to, Double.POSITIVE_INFINITY);
  }

  /** Adds a candidate, unless its features are refused. */
  public InputCheck add(int arm, double[] x) {
    return put(arm, next().set(x));
  }

  /** Adds a candidate likewise. */
  InputCheck add(int arm, Entries x) {
    return put(arm, next().set(x));
  }

  private FeatureVector next() {
    if (size == features.size()) {
      grow();
    }
    return features.get(size);
  }

  private InputCheck put(int arm, InputCheck inputCheck) {
    if (arm < 0) {
      throw new IllegalArgumentException("arm " + arm);
    }
    if (inputCheck == InputCheck.ADMITTED) {
      if (mask != null) {
        features.get(size).drop(mask);
      }
      isAlike = size == 0;
      arms[size] = arm;
      source[size] = size;
      size++;
    }
    return inputCheck;
  }

  /** Adds arms 0 to this, exclusive, all with the same features, unless those are refused. */
  public InputCheck addAll(int armCount, double[] x) {
    while (size + armCount > features.size()) {
      grow();
    }
    InputCheck inputCheck = features.get(size).set(x);
    if (inputCheck == InputCheck.ADMITTED && armCount > 0) {
      if (mask != null) {
        features.get(size).drop(mask);
      }
      isAlike = size == 0;
      int to = size + armCount;
      for (int arm = 0; arm < armCount; arm++) {
        arms[size + arm] = arm;
        source[size + arm] = size;
      }
      size = to;
    }
    return inputCheck;
  }

  /** Adds a counterfactual world of the candidate added last: its features there. */
  public InputCheck addWorld(double[] x) {
    int place = last();
    InputCheck inputCheck = world.set(x);
    if (inputCheck == InputCheck.ADMITTED) {
      if (mask != null) {
        world.drop(mask);
      }
      List<FeatureVector> known = effects.get(place);
      if (known.size() == worlds[place]) {
        known.add(new FeatureVector(dimension));
      }
      known.get(worlds[place]++).setDifference(world, features(place));
    }
    return inputCheck;
  }

  /**
   * Adds a counterfactual comparison of the candidate added last by the difference x' - x.
   *
   * @param share of the people who have the other level; 0 where x is not of this person
   */
  void addEffect(Entries difference, double share) {
    int place = last();
    while (shares.get(place).size() <= worlds[place]) {
      shares.get(place).add(0.0);
    }
    shares.get(place).set(worlds[place], share);
    List<FeatureVector> known = effects.get(place);
    if (known.size() == worlds[place]) {
      known.add(new FeatureVector(dimension));
    }
    FeatureVector effect = known.get(worlds[place]++);
    InputCheck inputCheck = effect.set(difference);
    if (inputCheck != InputCheck.ADMITTED) {
      throw new IllegalArgumentException(inputCheck.meaning());
    }
    if (mask != null) {
      effect.drop(mask);
    }
  }

  /** Adds a comparison of the candidate added last of whose effect its features tell nothing. */
  public void addHiddenEffect() {
    isHiding[last()] = true;
  }

  /** Bounds the mean reward of the candidate added last: causal bounds. */
  public void bound(double low, double high) {
    if (!(low <= high)) {
      throw new IllegalArgumentException("bounds [" + low + ", " + high + "]");
    }
    int place = last();
    lower[place] = low;
    upper[place] = high;
  }

  /** Returns the place of the candidate added last, which is about to get a world or bounds. */
  private int last() {
    if (size == 0) {
      throw new IllegalStateException("no candidate was added");
    }
    hasExtras = true;
    return size - 1;
  }

  private void grow() {
    int length = Math.max(8, 2 * features.size());
    while (features.size() < length) {
      features.add(new FeatureVector(dimension));
      effects.add(new ArrayList<>());
      shares.add(new ArrayList<>());
    }
    arms = Arrays.copyOf(arms, length);
    source = Arrays.copyOf(source, length);
    worlds = Arrays.copyOf(worlds, length);
    isHiding = Arrays.copyOf(isHiding, length);
    lower = Arrays.copyOf(lower, length);
    upper = Arrays.copyOf(upper, length);
    withoutExtras(size, length);
  }

  /**
   * Returns the number of candidates; their places are 0 to this, exclusive, as they were added.
   */
  public int size() {
    return size;
  }

  public int arm(int place) {
    return arms[place];
  }

  public FeatureVector features(int place) {
    return features.get(source[place]);
  }

  /** Returns whether all candidates are known to have the same features. */
  boolean isAlike() {
    return isAlike;
  }

  /** Returns the number of counterfactual worlds of a candidate. */
  public int worlds(int place) {
    return worlds[place];
  }

  /** Returns x' - x for a counterfactual world of a candidate. */
  public FeatureVector effect(int place, int which) {
    return effects.get(place).get(which);
  }

  /** Returns the share of the people who have the other level of a world. */
  double share(int place, int which) {
    return which < shares.get(place).size() ? shares.get(place).get(which) : 0;
  }

  /** Returns whether some effect of a candidate may be any, for all that its features tell. */
  boolean isHiding(int place) {
    return isHiding[place];
  }

  double lower(int place) {
    return lower[place];
  }

  double upper(int place) {
    return upper[place];
  }

  /**
   * Features that a policy must not see: the Naive baseline of Fair-LinUCB, section 5.2.2, which
   * drops the sensitive attribute and what is correlated with it. What is dropped counts as zero,
   * so the dimension stays. Immutable.
   */
  public static final class FeatureMask {
    private final int dimension;
    private final BitSet dropped;

    private FeatureMask(int dimension, BitSet dropped) {
      this.dimension = dimension;
      this.dropped = dropped;
    }

    /** Drops these features. */
    public static FeatureMask dropping(int dimension, List<Integer> features) {
      BitSet dropped = new BitSet(dimension);
      for (int feature : features) {
        if (feature < 0 || feature >= dimension) {
          throw new IllegalArgumentException("feature " + feature + " of " + dimension);
        }
        dropped.set(feature);
      }
      return new FeatureMask(dimension, dropped);
    }

    public int dimension() {
      return dimension;
    }

    /** Returns whether a feature is dropped. */
    public boolean isDropped(int feature) {
      return dropped.get(feature);
    }

    /** Returns the dropped features in ascending order. */
    public List<Integer> dropped() {
      return dropped.stream().boxed().toList();
    }
  }
}
