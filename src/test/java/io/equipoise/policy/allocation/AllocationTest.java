package io.equipoise.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Rows 1, u1, u2, x1, x2 with rewards that grow by 1/24 with x1 and by 1/6 with x2: the best arm is
 * (1, 1) everywhere, and to be sure of both effects at f = 2 costs 2 / (1/24) + 2 / (1/6) = 60.
 */
class AllocationTest {
  private static final double F = 2;
  private static final double X1 = 1 / 24.0;
  private static final double X2 = 1 / 6.0;

  private static AllocationProblem problem(boolean isPruned) {
    List<double[]> rows = new ArrayList<>();
    List<Double> gaps = new ArrayList<>();
    List<double[]> best = new ArrayList<>();
    for (int cell = 0; cell < 16; cell++) {
      int x1 = cell >> 1 & 1;
      int x2 = cell & 1;
      double[] row = {1, cell >> 3, cell >> 2 & 1, x1, x2};
      double gap = (1 - x1) * X1 + (1 - x2) * X2;
      if (gap == 0) {
        best.add(row);
      } else if (!isPruned || x2 == 1) {
        rows.add(row);
        gaps.add(gap);
      }
    }
    return new AllocationProblem(
        rows.toArray(new double[0][]),
        gaps.stream().mapToDouble(it -> it).toArray(),
        best.toArray(new double[0][]),
        F);
  }

  private static double[] solved(AllocationProblem problem) {
    return Objects.requireNonNull(BarrierSolver.solve(problem));
  }

  /** Gaps and features over many orders of magnitude, rows that are all but the same. */
  @Test
  void whateverTheRowsThereIsAnAnswerAndItIsFeasible() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    int unsolved = 0;
    for (int instance = 0; instance < 300; instance++) {
      int k = 1 + random.nextInt(12);
      double[][] rows = new double[k][4];
      double[] gaps = new double[k];
      for (int i = 0; i < k; i++) {
        gaps[i] = Math.pow(10, -5 * random.nextDouble());
        for (int a = 0; a < 4; a++) {
          double near = i > 0 && random.nextInt(3) == 0 ? rows[0][a] : 0;
          rows[i][a] = near + Math.pow(10, -6 * random.nextDouble()) * (random.nextInt(3) - 1);
        }
      }
      AllocationProblem problem =
          new AllocationProblem(rows, gaps, new double[][] {{1, 0, 0, 0}}, 20);
      double[] pulls = BarrierSolver.solve(problem);
      boolean isGood = pulls == null || isFeasible(problem, pulls);
      assertTrue(isGood, "seed " + seed + ", instance " + instance);
      unsolved += pulls == null ? 1 : 0;
    }
    assertTrue(unsolved < 30, unsolved + " of 300 without a solution");
  }

  @Test
  void theCostOfTheKnownProblemIsFoundToAThousandth() {
    AllocationProblem problem = problem(false);
    assertEquals(60.0, problem.cost(solved(problem)), 0.15);
  }

  @Test
  void armsThatAreLeftAloneCostNothing() {
    AllocationProblem problem = problem(true);
    assertEquals(48.0, problem.cost(solved(problem)), 0.12);
  }

  @Test
  void everyRowIsToldApartAndNoCheaperNeighborTellsThemApart() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    for (int instance = 0; instance < 50; instance++) {
      AllocationProblem problem = drawn(random);
      double[] pulls = solved(problem);
      assertTrue(isFeasible(problem, pulls), "seed " + seed + ", instance " + instance);
      double cost = problem.cost(pulls);
      for (int trial = 0; trial < 200; trial++) {
        double[] other = pulls.clone();
        double size = Math.pow(10, -3 * random.nextDouble());
        for (int j = 0; j < other.length; j++) {
          other[j] *= Math.exp(size * (random.nextDouble() - 0.5));
        }
        boolean isCheaper = problem.cost(other) < 0.998 * cost;
        assertTrue(
            !isCheaper || !isFeasible(problem, other), "seed " + seed + ", instance " + instance);
      }
    }
  }

  private static AllocationProblem drawn(SplittableRandom random) {
    int k = 2 + random.nextInt(8);
    double[][] rows = new double[k][3];
    double[] gaps = new double[k];
    for (int i = 0; i < k; i++) {
      gaps[i] = 0.05 + 0.5 * random.nextDouble();
      for (int a = 0; a < 3; a++) {
        rows[i][a] = random.nextDouble() - 0.5;
      }
    }
    double[][] best = {{random.nextDouble(), random.nextDouble(), 0}};
    return new AllocationProblem(rows, gaps, best, F);
  }

  private static boolean isFeasible(AllocationProblem problem, double[] pulls) {
    double[][] widths = Objects.requireNonNull(problem.widths(pulls));
    boolean isFeasible = true;
    for (int i = 0; i < pulls.length; i++) {
      isFeasible &= pulls[i] >= 0 && widths[i][i] <= problem.limit(i) * (1 + 1e-9);
    }
    return isFeasible;
  }
}
