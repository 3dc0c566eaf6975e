package io.equipoise.lab.cclb;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.lab.cclb.CclbInstance.TwoContexts;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.simulation.Resources;
import java.util.ArrayList;
import java.util.List;

/** Reads the shipped definition of the instances. */
final class Scm {
  /** The base model. */
  static final String BASE = "base";

  /** The base model without people with a = 1. */
  static final String HOMOGENEOUS = "homogeneous";

  /** The base model in which one of 200 has a = 1. */
  static final String RARE_GROUP = "rareGroup";

  /** The two-context model; "-P" or "-Q" is appended for its environment. */
  static final String NON_COVERED = "nonCovered";

  /** The same without the candidate that distinguishes the environments. */
  static final String NO_PROBE = "nonCoveredNoProbe";

  private static final String PROBE = "probe";

  private final JsonNode instances = Resources.json("/lab/cclb-scm.json").get("instances");

  double alpha() {
    return instances.get(BASE).get("alpha").doubleValue();
  }

  double rho() {
    return instances.get(BASE).get("rho").doubleValue();
  }

  /** Returns T, the horizon of the figures. */
  int rounds() {
    return instances.get(BASE).get("T").intValue();
  }

  /** Returns the threshold of all instances. */
  double tau() {
    return instances.get(BASE).get("tau").doubleValue();
  }

  /**
   * Makes an instance.
   *
   * @param name a constant of this class, and its environment if it has one
   * @param tau threshold, also for the rejection of rounds
   */
  CclbInstance instance(String name, double tau) {
    JsonNode base = instances.get(BASE);
    return switch (name) {
      case BASE -> base(tau, base.get("pA").doubleValue(), base.get("S").doubleValue());
      case HOMOGENEOUS, RARE_GROUP ->
          base(tau, instances.get(name).get("pA").doubleValue(), base.get("S").doubleValue());
      default -> twoContexts(name, tau);
    };
  }

  BaseInstance base(double tau, double shareOfA, double s) {
    JsonNode base = instances.get(BASE);
    return new BaseInstance(
        new LogisticScale(base.get("n").intValue(), s),
        Resources.numbers(base.get("theta")),
        tau,
        shareOfA,
        Resources.numbers(base.get("decisionGrid")),
        base.get("minFeasible").intValue());
  }

  TwoContexts twoContexts(String name, double tau) {
    int dash = name.indexOf('-');
    JsonNode node = instances.get(NON_COVERED);
    boolean hasProbe = !name.startsWith(NO_PROBE);
    double[] theta =
        Resources.numbers(node.get("environments").get(name.substring(dash + 1)).get("theta"));
    List<KnownRound> rounds = new ArrayList<>();
    for (JsonNode context : node.get("contexts")) {
      List<EncodedCandidate> candidates = new ArrayList<>();
      for (JsonNode decision : context.get("decisions")) {
        boolean isProbe = decision.get("name").textValue().equals(PROBE);
        if (hasProbe || (!isProbe && candidates.size() < 2)) {
          double[] x = Resources.numbers(decision.get("x"));
          double[][][] counterfactuals = {{Resources.numbers(decision.get("xc"))}};
          candidates.add(CounterfactualFeatures.candidate(x, counterfactuals));
        }
      }
      List<List<Alternative>> alternatives = List.of(List.of(new Alternative(0, 0, 1, true)));
      rounds.add(
          KnownRound.of(new LogisticRequest(candidates, alternatives, List.of()), theta, tau));
    }
    return new TwoContexts(
        new LogisticScale(node.get("n").intValue(), node.get("S").doubleValue()),
        node.get("contexts").get(0).get("probability").doubleValue(),
        rounds);
  }
}
