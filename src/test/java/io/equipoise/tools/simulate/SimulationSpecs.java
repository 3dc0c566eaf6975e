package io.equipoise.tools.simulate;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;

/** Small specs of every policy family for simulations. */
public final class SimulationSpecs {
  /** Has one effect of gender for all offers. */
  static final String ADDITIVE =
      "{name: linucb, model: shared, features: [one-hot: income, one-hot: gender, one-hot: offer]}";

  /** Pays one half; large offers pay women .3 less. */
  public static final String WORLD =
      """
      base-rate: 0.5
      effects:
        - {offer: standard, effect: 0.1}
        - {offer: large, gender: f, effect: -0.3}
      """;

  private static final String SPEC =
      """
      name: offers
      version: 1
      segments: default
      variables:
        gender: {role: sensitive, levels: [f, m], missing: %s}
        income: {role: context, levels: [low, high]}
        offer: {role: action, levels: [small, standard, large]}
        accepted: {role: reward}
      graph: "dag { {gender income} -> offer {gender income offer} -> accepted }"
      reward: {range: [0, 1]}
      policy: %s
      fairness: {tau: 0.2}
      join: {reward-window: 1d, fallback: offer=standard}
      """;

  private static final String FEATURES =
      "features: [intercept, one-hot: income, one-hot: gender, one-hot: offer,"
          + " product: [{one-hot: gender}, {one-hot: offer}]]";

  private SimulationSpecs() {}

  /** Returns the spec of a policy in flow style, in which gender may be undisclosed. */
  public static CompiledSpec of(String policy) {
    return of(policy, "level");
  }

  static CompiledSpec of(String policy, String missing) {
    return CompiledSpec.of(SpecParser.parse(SPEC.formatted(missing, policy)));
  }

  public static CompiledSpec cells() {
    return of("{name: f-ucb, explore: {share: 0.2, over: all}}");
  }

  public static CompiledSpec ridge() {
    return of(
        "{name: linucb, constraint: hard, explore: {share: 0.2, over: all}, %s}"
            .formatted(FEATURES));
  }

  /** Returns a policy with dual variables, which change at each decision. */
  public static CompiledSpec dual() {
    return of(
        "{name: dual-upper, theta-norm: 5, explore: {share: 0.2, over: all}, %s}"
            .formatted(FEATURES));
  }

  static CompiledSpec logistic() {
    return of(
        "{name: screen, theta-norm: 5, explore: {share: 0.2, over: all}, %s}".formatted(FEATURES));
  }

  public static CompiledSpec allocation() {
    return of("{name: oam, horizon: 5000}", "reject");
  }
}
