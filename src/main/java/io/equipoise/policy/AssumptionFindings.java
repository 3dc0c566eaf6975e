package io.equipoise.policy;

import io.equipoise.segmentspec.FeatureMap;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the models of a policy assume; the tests of a spec's assumptions follow from it.
 */
public interface AssumptionFindings {
  /**
   * Adds an assumption that cannot be tested.
   *
   * @param name what is assumed, for people
   */
  void untested(String name, String why);

  /** Adds that the tables of the spec are those of these mediators given their parents. */
  void tables(List<String> mediators);

  /**
   * Adds that the mean reward depends on nothing but some variables.
   *
   * @param rewardScale the sub-Gaussian scale that the certificates use
   */
  void cells(Collection<String> variables, double rewardScale);

  /**
   * Adds that the mean reward is a function of features.
   *
   * @param model the kind of function, for people
   * @param isForgetful whether the model forgets, so that it allows a drift
   * @param rewardScale the sub-Gaussian scale that the certificates use; null if the model assumes
   *     none
   */
  void features(
      FeatureMap features, String model, boolean isForgetful, @Nullable Double rewardScale);

  /** Adds an assumption against which the model itself collects evidence. */
  void evidence(ModelEvidence evidence);
}
