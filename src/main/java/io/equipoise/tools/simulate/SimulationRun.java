package io.equipoise.tools.simulate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the result of one run. Points are cumulative from the first decision on.
 *
 * @param firstCertificates the number of the decision, from 1, whose audit first certified an arm
 *     for an attribute, by {@link Pair}; absent where none did
 * @param firstCertified the number of the first decision that was certified as a whole; 0 if none
 * @param falseCertificates certified decisions whose true effect exceeds tau
 * @param refutation the first refuted assumption; null if none was
 * @param armDecisions decisions by arm, in the order of the spec
 * @param learned rewards that the model learned
 * @param points in the order of decisions
 */
public record SimulationRun(
    long seed,
    Map<Pair, Integer> firstCertificates,
    int firstCertified,
    int falseCertificates,
    @Nullable Refutation refutation,
    List<Integer> armDecisions,
    int learned,
    List<Point> points) {
  public SimulationRun {
    firstCertificates = Collections.unmodifiableMap(new LinkedHashMap<>(firstCertificates));
    armDecisions = List.copyOf(armDecisions);
    points = List.copyOf(points);
  }

  /**
   * Names an assumption that the rewards refuted.
   *
   * @param decision the number of the decision before which it was
   */
  public record Refutation(String assumption, int decision) {}

  /**
   * Identifies an effect by its arm and its attribute.
   *
   * @param attribute its name, or {@code a*b} for a joint one
   */
  public record Pair(String arm, String attribute) {}

  /**
   * Sums up the decisions so far.
   *
   * @param regret the mean of the best truly fair arm minus that of the arm, where above 0
   * @param regretOfBest the mean of the best arm, fair or not, minus that of the arm
   * @param unfair decisions whose true effect exceeds tau
   * @param certified decisions that were certified as a whole
   * @param fallback decisions with the reason FALLBACK or UNCERTIFIED
   * @param reward sum of the mean rewards of the arms
   * @param groups by level of each sensitive attribute, as {@link Simulation#groups} lists them
   */
  public record Point(
      int decisions,
      double regret,
      double regretOfBest,
      int unfair,
      int certified,
      int fallback,
      double reward,
      List<Group> groups) {
    public Point {
      groups = List.copyOf(groups);
    }
  }

  /**
   * Sums up the decisions about people of one level.
   *
   * @param reward sum of the mean rewards of their arms
   */
  public record Group(int decisions, double reward) {}

  /** Returns the sums over the whole run. */
  public Point last() {
    return points.get(points.size() - 1);
  }
}
