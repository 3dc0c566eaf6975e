package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Makes requests: the features f(Z) of every candidate, and one vector for each alternative level
 * of a constraint. Confounders and mediators keep their observed values, so effects are direct
 * (Chen, Tian and Quinn 2025, eq. 3).
 *
 * <p>A constraint names one sensitive attribute or several. Its alternatives are all other joint
 * levels (intersectional fairness).
 */
public final class CounterfactualFeatures {
  /** Greatest number of joint levels of an intersection. */
  public static final int MAX_JOINT_LEVELS = 64;

  private final CclbFeatureMap map;
  private final int[] levels;
  private final int[][] constraints;

  /**
   * Makes the map of requests.
   *
   * @param levels number of levels of every sensitive attribute
   * @param constraints for each the indices of the attributes it names, at least one, ascending
   * @throws IllegalArgumentException if a constraint names no or an unknown attribute, or more than
   *     {@value #MAX_JOINT_LEVELS} joint levels
   */
  public CounterfactualFeatures(CclbFeatureMap map, int[] levels, int[][] constraints) {
    this.map = map;
    this.levels = levels.clone();
    this.constraints = new int[constraints.length][];
    for (int place = 0; place < constraints.length; place++) {
      this.constraints[place] = constraints[place].clone();
      check(constraints[place]);
    }
  }

  private void check(int[] attributes) {
    long joint = 1;
    for (int attribute : attributes) {
      if (attribute < 0 || attribute >= levels.length) {
        throw new IllegalArgumentException(
            "sensitive attribute " + attribute + " of " + levels.length);
      }
      joint = Math.min(Integer.MAX_VALUE, joint * levels[attribute]);
    }
    boolean isAscending = true;
    for (int i = 1; i < attributes.length; i++) {
      isAscending &= attributes[i] > attributes[i - 1];
    }
    boolean isIntersection = attributes.length > 1;
    if (attributes.length == 0 || !isAscending || (isIntersection && joint > MAX_JOINT_LEVELS)) {
      throw new IllegalArgumentException(
          String.format(
              "a constraint on the attributes %s with %d joint levels; name at least one, in"
                  + " ascending order, and no more than %d joint levels",
              Arrays.toString(attributes), joint, MAX_JOINT_LEVELS));
    }
  }

  /**
   * Returns the request of a context.
   *
   * @param sensitive factual level index of every sensitive attribute
   * @param context confounders and mediators, as the map takes them
   * @param decisions values of every candidate, as the map takes them
   */
  public LogisticRequest request(int[] sensitive, double[] context, List<double[]> decisions) {
    for (int attribute = 0; attribute < levels.length; attribute++) {
      if (sensitive[attribute] < 0 || sensitive[attribute] >= levels[attribute]) {
        throw new IllegalArgumentException(
            "level " + sensitive[attribute] + " of sensitive attribute " + attribute);
      }
    }
    List<EncodedCandidate> candidates = new ArrayList<>();
    for (double[] decision : decisions) {
      double[][][] counterfactuals = new double[constraints.length][][];
      for (int place = 0; place < constraints.length; place++) {
        counterfactuals[place] = counterfactuals(place, sensitive, context, decision);
      }
      candidates.add(candidate(features(sensitive, context, decision), counterfactuals));
    }
    return new LogisticRequest(candidates, alternatives(sensitive), List.of());
  }

  /** Returns a candidate of a person who discloses all values, and whose features tell them. */
  public static EncodedCandidate candidate(double[] x, double[][][] counterfactuals) {
    double[][][] factuals = new double[counterfactuals.length][][];
    boolean[][] isHidden = new boolean[counterfactuals.length][];
    for (int place = 0; place < counterfactuals.length; place++) {
      int count = counterfactuals[place].length;
      factuals[place] = Collections.nCopies(count, x).toArray(double[][]::new);
      isHidden[place] = new boolean[count];
    }
    return new EncodedCandidate(x, factuals, counterfactuals, isHidden);
  }

  private double[] features(int[] sensitive, double[] context, double[] decision) {
    double[] x = new double[map.dimension()];
    map.write(sensitive, context, decision, x);
    return x;
  }

  private double[][] counterfactuals(
      int place, int[] sensitive, double[] context, double[] decision) {
    int joint = joint(place);
    int factual = index(place, sensitive);
    List<double[]> vectors = new ArrayList<>();
    for (int other = 0; other < joint; other++) {
      if (other != factual) {
        vectors.add(features(with(place, sensitive, other), context, decision));
      }
    }
    return vectors.toArray(double[][]::new);
  }

  private List<List<Alternative>> alternatives(int[] sensitive) {
    List<List<Alternative>> all = new ArrayList<>();
    for (int place = 0; place < constraints.length; place++) {
      boolean isOne = constraints[place].length == 1;
      int attribute = isOne ? constraints[place][0] : levels.length + place;
      int factual = index(place, sensitive);
      List<Alternative> ofConstraint = new ArrayList<>();
      for (int other = 0; other < joint(place); other++) {
        if (other != factual) {
          ofConstraint.add(new Alternative(attribute, factual, other, true));
        }
      }
      all.add(ofConstraint);
    }
    return all;
  }

  private int joint(int place) {
    int joint = 1;
    for (int attribute : constraints[place]) {
      joint *= levels[attribute];
    }
    return joint;
  }

  /** Returns the joint level of the constraint's attributes, the first the most significant. */
  private int index(int place, int[] sensitive) {
    int index = 0;
    for (int attribute : constraints[place]) {
      index = index * levels[attribute] + sensitive[attribute];
    }
    return index;
  }

  private int[] with(int place, int[] sensitive, int joint) {
    int[] changed = sensitive.clone();
    int rest = joint;
    for (int i = constraints[place].length - 1; i >= 0; i--) {
      int attribute = constraints[place][i];
      changed[attribute] = rest % levels[attribute];
      rest /= levels[attribute];
    }
    return changed;
  }
}
