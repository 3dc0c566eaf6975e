package io.equipoise.policy.logistic;

import java.util.List;

/**
 * Encodes the candidates of one request as features; their number may differ from request to
 * request.
 *
 * @param candidates at least one
 * @param alternatives what the counterfactual vectors stand for: for each constraint its
 *     alternatives, in the order of {@link Candidate#counterfactuals}
 * @param worlds for each of them the levels of the person in the world that it is compared with;
 *     empty in replications
 */
public record LogisticRequest(
    List<EncodedCandidate> candidates,
    List<List<Alternative>> alternatives,
    List<List<int[]>> worlds) {
  /** Copies the lists. */
  public LogisticRequest {
    candidates = List.copyOf(candidates);
    alternatives = alternatives.stream().map(List::copyOf).toList();
    worlds = worlds.stream().map(List::copyOf).toList();
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("a request without candidates");
    }
    for (EncodedCandidate encodedCandidate : candidates) {
      check(encodedCandidate, alternatives);
    }
  }

  /**
   * A candidate.
   *
   * @param x what is learned from if it is chosen, length n
   * @param factuals what each counterfactual is compared with, by constraint and alternative: x,
   *     but where the person's value is undisclosed, and every pair of values is compared
   * @param counterfactuals features with another value of the sensitive attributes, by constraint
   *     and alternative, each of length n
   * @param isHidden by constraint and alternative, whether features tell nothing of the effect
   * @param places where x is not zero, ascending
   * @param others the same of each counterfactual
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record EncodedCandidate(
      double[] x,
      double[][][] factuals,
      double[][][] counterfactuals,
      boolean[][] isHidden,
      int[] places,
      int[][][] others) {
    /** Makes a candidate of these vectors. */
    public EncodedCandidate(
        double[] x, double[][][] factuals, double[][][] counterfactuals, boolean[][] isHidden) {
      this(x, factuals, counterfactuals, isHidden, Vectors.nonzeros(x), places(counterfactuals));
    }

    private static int[][][] places(double[][][] vectors) {
      int[][][] places = new int[vectors.length][][];
      for (int constraint = 0; constraint < vectors.length; constraint++) {
        places[constraint] = new int[vectors[constraint].length][];
        for (int i = 0; i < vectors[constraint].length; i++) {
          places[constraint][i] = Vectors.nonzeros(vectors[constraint][i]);
        }
      }
      return places;
    }
  }

  /**
   * A counterfactual value. Equal ones that follow each other are the same for several values of
   * what the person does not disclose, of which one is the person's.
   *
   * @param attribute index of the sensitive attribute; of an intersection, that of its constraint
   *     after all attributes
   * @param factual level index, of an intersection the index of the joint level
   * @param counterfactual level index likewise
   * @param isIdentified whether the effect can be bounded for what the person discloses
   */
  public record Alternative(int attribute, int factual, int counterfactual, boolean isIdentified) {}

  /** Returns the factual features of every candidate. */
  double[][] features() {
    double[][] features = new double[candidates.size()][];
    for (int i = 0; i < features.length; i++) {
      features[i] = candidates.get(i).x();
    }
    return features;
  }

  public int size() {
    return candidates.size();
  }

  private static void check(
      EncodedCandidate encodedCandidate, List<List<Alternative>> alternatives) {
    int constraints = encodedCandidate.counterfactuals().length;
    if (constraints != alternatives.size() || encodedCandidate.factuals().length != constraints) {
      throw new IllegalArgumentException(
          "counterfactuals for " + constraints + " constraints of " + alternatives.size());
    }
    for (int constraint = 0; constraint < constraints; constraint++) {
      int given = encodedCandidate.counterfactuals()[constraint].length;
      if (given != alternatives.get(constraint).size()
          || given != encodedCandidate.factuals()[constraint].length) {
        throw new IllegalArgumentException(
            String.format(
                "constraint %d has %d counterfactuals of %d",
                constraint, given, alternatives.get(constraint).size()));
      }
    }
  }
}
