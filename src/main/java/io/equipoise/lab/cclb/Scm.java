package io.equipoise.lab.cclb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.LogisticScale;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** Reads the shipped definition of the instances. */
final class Scm {
  /** The base model. */
  static final String BASE = "base";

  /** The base model in which nobody has a = 1. */
  static final String HOMOGENEOUS = "homogeneous";

  /** The base model in which one of 200 has a = 1. */
  static final String RARE_GROUP = "rareGroup";

  /** The two-context model; "-P" or "-Q" is appended for its environment. */
  static final String NON_COVERED = "nonCovered";

  /** The same without the candidate that could tell the environments apart. */
  static final String NO_PROBE = "nonCoveredNoProbe";

  private static final String PROBE = "probe";

  private final JsonNode instances = read("cclb-scm.json").get("instances");

  static JsonNode read(String name) {
    try (InputStream in = Scm.class.getResourceAsStream("/lab/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the resource lab/" + name + " is missing");
      }
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource lab/" + name, e);
    }
  }

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
   * @param name a constant of this class, with its environment where it has some
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
        numbers(base.get("theta")),
        tau,
        shareOfA,
        StreamSupport.stream(base.get("decisionGrid").spliterator(), false)
            .map(JsonNode::doubleValue)
            .toList(),
        base.get("minFeasible").intValue());
  }

  TwoContextInstance twoContexts(String name, double tau) {
    int dash = name.indexOf('-');
    JsonNode node = instances.get(NON_COVERED);
    boolean hasProbe = !name.startsWith(NO_PROBE);
    List<List<EncodedCandidate>> contexts = new ArrayList<>();
    for (JsonNode context : node.get("contexts")) {
      List<EncodedCandidate> candidates = new ArrayList<>();
      for (JsonNode decision : context.get("decisions")) {
        boolean isProbe = decision.get("name").textValue().equals(PROBE);
        if (hasProbe || (!isProbe && candidates.size() < 2)) {
          double[][][] counterfactuals = {{numbers(decision.get("xc"))}};
          candidates.add(new EncodedCandidate(numbers(decision.get("x")), counterfactuals));
        }
      }
      contexts.add(candidates);
    }
    return new TwoContextInstance(
        new LogisticScale(node.get("n").intValue(), node.get("S").doubleValue()),
        numbers(node.get("environments").get(name.substring(dash + 1)).get("theta")),
        tau,
        node.get("contexts").get(0).get("probability").doubleValue(),
        contexts);
  }

  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = array.get(i).doubleValue();
    }
    return numbers;
  }
}
