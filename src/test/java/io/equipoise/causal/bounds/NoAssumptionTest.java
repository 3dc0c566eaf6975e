package io.equipoise.causal.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.Tier;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.RandomModel;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the bounds of confounded arms with the truth, with closed forms and with programs. */
@Tag("slow")
class NoAssumptionTest {
  private static final double TEST_TOLERANCE = 1e-9;
  private static final int MODELS = Tier.count(60, 20_000);
  private static final int ROWS = 400;
  private static final double DELTA = 0.1;

  private static final String BOW = "dag { X -> Y; X <-> Y }";

  @Test
  void aConfoundedArmHasTheBoundsOfRobinsAndManski() {
    ContingencyTable table = table(sizes(2, 2), "XY", 400, 200, 250, 150);
    List<BoundRecord> bounds = bounds(BOW, List.of(), table, Confidence.NONE);
    assertInterval(bounds.get(0), 0.20, 0.60);
    assertInterval(bounds.get(1), 0.15, 0.75);
    assertThat(bounds.get(0).rows()).isEqualTo(1000);
    assertThat(bounds.get(0).flags()).isEmpty();
    List<BoundRecord> sampled = bounds(BOW, List.of(), table, Confidence.DEFAULT);
    assertThat(sampled.get(0).cells()).isEqualTo(4);
    assertInterval(
        sampled.get(0),
        ClopperPearson.lower(200, 1000, 0.05 / 4),
        1 - ClopperPearson.lower(400, 1000, 0.05 / 4));
  }

  @Test
  void theyAreConditionalOnTheContextAndOfEveryLevel() {
    ContingencyTable table =
        table(sizes(2, 3, 3), "CXY", 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    List<BoundRecord> bounds =
        bounds("dag { X -> Y; X <-> Y; C -> X; C -> Y }", List.of("C"), table, Confidence.NONE);
    assertInterval(bounds.get(0), 2 / 45.0, 1 - (1 + 3) / 45.0);
    assertInterval(bounds.get(5), 2 / 45.0, 1 - (3 + 1) / 45.0);
  }

  /** The eight forms of Balke and Pearl 1997 for each arm. */
  @Test
  void aBinaryInstrumentGivesTheBoundsOfBalkeAndPearl() {
    SplittableRandom random = new SplittableRandom(41);
    for (int round = 0; round < 200; round++) {
      Model model = new Model(2, 2, random);
      double[][][] p = model.given(); // z, x, y
      double[] low = {
        max(
            p[1][0][1],
            p[0][0][1],
            p[0][0][1] + p[0][1][1] - p[1][0][0] - p[1][1][1],
            p[0][1][0] + p[0][0][1] - p[1][0][0] - p[1][1][0]),
        max(
            p[0][1][1],
            p[1][1][1],
            -p[0][0][0] - p[0][1][0] + p[1][0][0] + p[1][1][1],
            -p[0][1][0] - p[0][0][1] + p[1][0][1] + p[1][1][1])
      };
      double[] high = {
        -max(
            p[1][0][0] - 1,
            p[0][0][0] - 1,
            -(p[0][1][0] + p[0][0][1] + p[1][0][1] + p[1][1][1]),
            -(p[0][0][1] + p[0][1][1] + p[1][1][0] + p[1][0][1])),
        -max(
            p[1][1][0] - 1,
            p[0][1][0] - 1,
            -(p[0][0][0] + p[0][1][1] + p[1][0][1] + p[1][1][1]),
            -(p[0][0][1] + p[0][1][1] + p[1][0][0] + p[1][1][1]))
      };
      // The same instrument inside and outside of the context.
      for (List<String> context : List.of(List.<String>of(), List.of("Z"))) {
        List<BoundRecord> bounds =
            bounds("dag { Z -> X -> Y; X <-> Y }", context, model.table(), Confidence.NONE);
        int contexts = bounds.size() / 2;
        assertThat(bounds.get(0).formula())
            .endsWith(
                "(∩_Z [P(X,Y|Z), P(X,Y|Z) + 1 - P(X|Z)] ∩_Z≠Z'"
                    + " [1 - p(X,¬Y|Z) - p(¬X,Y|Z) - p(X,¬Y|Z') - p(¬X,¬Y|Z'),"
                    + " p(X,Y|Z) + p(¬X,¬Y|Z) + p(X,Y|Z') + p(¬X,Y|Z')], p = P(X,Y|Z))");
        for (int row = 0; row < bounds.size(); row++) {
          assertInterval(bounds.get(row), low[row / contexts], high[row / contexts]);
        }
      }
    }
  }

  /** Compares them with linear programs over all ways to answer to arm and instrument. */
  @Test
  void anInstrumentOfAnyNumberOfLevelsGivesSharpBoundsOfBinaryArms() {
    SplittableRandom random = new SplittableRandom(42);
    for (int round = 0; round < Tier.count(8, 1000); round++) {
      Model model = new Model(2 + random.nextInt(2), 2, random);
      List<BoundRecord> bounds =
          bounds("dag { Z -> X -> Y; X <-> Y }", List.of(), model.table(), Confidence.NONE);
      for (int x = 0; x < 2; x++) {
        assertInterval(bounds.get(x), model.least(x, 1), 1 - model.least(x, 0));
      }
    }
  }

  /** Arms of more levels have the intersection over the instrument's levels (Manski 1990). */
  @Test
  void armsOfMoreLevelsHaveTheNaturalBounds() {
    SplittableRandom random = new SplittableRandom(43);
    for (int round = 0; round < 200; round++) {
      Model model = new Model(2 + random.nextInt(3), 3 + random.nextInt(2), random);
      List<BoundRecord> bounds =
          bounds("dag { Z -> X -> Y; X <-> Y }", List.of(), model.table(), Confidence.NONE);
      assertThat(bounds.get(0).formula()).endsWith(" ∩_Z [P(X,Y|Z), P(X,Y|Z) + 1 - P(X|Z)]");
      double[][][] p = model.given();
      for (int x = 0; x < bounds.size(); x++) {
        double low = 0;
        double high = 1;
        for (double[][] z : p) {
          low = Math.max(low, z[x][1]);
          high = Math.min(high, 1 - z[x][0]);
        }
        assertInterval(bounds.get(x), low, high);
        assertThat(model.truth(x)).isBetween(low - 1e-9, high + 1e-9);
      }
    }
  }

  /** Z is an instrument only given W, which is averaged out. */
  @Test
  void anInstrumentMayNeedCovariates() {
    CausalGraph graph = DagittyText.parse("dag { Z -> X -> Y; X <-> Y; W -> Z; W -> Y }");
    BoundPlan plan = BoundPlanner.of(graph).plan(BoundQuery.of("Y", List.of("X"), List.of()));
    assertThat(plan.toText())
        .isEqualTo(
            "[P(X,Y), P(X,Y) + 1 - P(X)]"
                + " ∩ Σ_W P(W) · ∩_Z [P(X,Y|W,Z), P(X,Y|W,Z) + 1 - P(X|W,Z)]");
  }

  /** Only the confounded part of an arm leaves rows out. */
  @Test
  void anUnconfoundedPartOfTheArmIsACondition() {
    CausalGraph graph = DagittyText.parse("dag { A -> Y; B -> Y; A <-> Y; C -> B; C -> Y }");
    BoundPlan plan =
        BoundPlanner.of(graph).plan(BoundQuery.of("Y", List.of("A", "B"), List.of("C")));
    assertThat(plan.toText()).isEqualTo("[P(A,Y|B,C), P(A,Y|B,C) + 1 - P(A|B,C)]");
  }

  @Test
  void aSelectedLogHasTheBoundsOnlyWhereSelectionFollowsFromTheContext() {
    assertThat(text("W", "dag { S [selected]; X -> Y; X <-> Y; W -> Y; W -> S }"))
        .isEqualTo("[P(X,Y|W,S=1), P(X,Y|W,S=1) + 1 - P(X|W,S=1)]");
    for (String cause : List.of("X", "Y")) {
      String graph = "dag { S [selected]; X -> Y; X <-> Y; W -> Y; " + cause + " -> S }";
      assertThat(text("W", graph)).as(cause).isEqualTo("[0, 1]");
    }
    // A census of the selected variables is what is missing.
    String byArm = "dag { S [selected]; X -> Y; X <-> Y; W -> Y; W -> X; X -> S }";
    assertThat(text("W", byArm, "X", "W"))
        .isEqualTo("[P(Y|W,X,S=1) P(X|W), P(Y|W,X,S=1) P(X|W) + 1 - P(X|W)]");
  }

  /** A cell without rows leaves the sum without value, but not the bounds. */
  @Test
  void anIdentifiedArmWithAnEmptyCellStillHasBounds() {
    ContingencyTable table = table(sizes(2, 2, 2), "WXY", 10, 30, 40, 20, 50, 50, 0, 0);
    List<BoundRecord> bounds =
        bounds("dag { X -> Y; W -> X; W -> Y }", List.of(), table, Confidence.NONE);
    assertInterval(bounds.get(1), 0.1, 0.8);
    assertThat(bounds.get(1).flags()).containsExactly(BoundFlag.UNSUPPORTED);
  }

  @Test
  void theyContainTheTruthOfRandomConfoundedModels() {
    SplittableRandom random = new SplittableRandom(44);
    int narrow = 0;
    int missed = 0;
    int informative = 0;
    for (int round = 0; round < MODELS; round++) {
      CausalGraph graph = confounded(random);
      RandomModel model = RandomModel.of(graph, random);
      List<String> context = new ArrayList<>(graph.observed());
      context.removeAll(List.of("X", "Y"));
      context.removeIf(name -> random.nextBoolean());
      BoundPlan plan = BoundPlanner.of(graph).plan(BoundQuery.of("Y", List.of("X"), context));
      for (BoundRecord bound : plan.evaluate(model.evidence(), Confidence.NONE)) {
        double truth = truth(model, bound);
        assertThat(truth)
            .as(() -> "round " + model.graph() + " " + bound)
            .isBetween(bound.lower() - TEST_TOLERANCE, bound.upper() + TEST_TOLERANCE);
        narrow += bound.upper() - bound.lower() < 1 ? 1 : 0;
      }
      boolean isMissed = false;
      ContingencyTable rows = sample(model.evidence().tables().get(0), random);
      ObservedValues sampled =
          graph.selection().isPresent()
              ? ObservedValues.selected(rows)
              : ObservedValues.unselected(rows);
      for (BoundRecord bound : plan.evaluate(sampled, new Confidence(DELTA))) {
        double truth = truth(model, bound);
        isMissed |= truth < bound.lower() || truth > bound.upper();
        informative += bound.upper() - bound.lower() < 1 ? 1 : 0;
      }
      missed += isMissed ? 1 : 0;
    }
    Tier.found(NoAssumptionTest.class, "bounds of confounded arms that are not [0, 1]", narrow);
    Tier.foundShare(
        NoAssumptionTest.class, "sampled logs with a miss at delta " + DELTA, missed, MODELS);
    assertThat(narrow).isGreaterThan(MODELS);
    assertThat(informative).isGreaterThan(MODELS);
    assertThat((double) missed / MODELS).isLessThanOrEqualTo(DELTA);
  }

  /** Draws up to three covariates before the arm, each of which may be an instrument. */
  private static CausalGraph confounded(SplittableRandom random) {
    GraphBuilder graph = CausalGraph.builder();
    int covariates = random.nextInt(4);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < covariates; i++) {
      String name = "V" + i;
      graph.node(name);
      names.forEach(before -> edge(graph, before, name, random.nextInt(6)));
      names.add(name);
    }
    graph.node("X").node("Y").directed("X", "Y").bidirected("X", "Y");
    for (String name : names) {
      edge(graph, name, "X", random.nextInt(3));
      edge(graph, name, "Y", random.nextInt(6));
    }
    if (random.nextInt(4) == 0) {
      graph.selection("S");
      List<String> causes = new ArrayList<>(names);
      causes.add(random.nextInt(3) == 0 ? "Y" : "X");
      graph.directed(causes.get(random.nextInt(causes.size())), "S");
    }
    return graph.build();
  }

  private static void edge(GraphBuilder graph, String from, String to, int drawn) {
    if (drawn == 1) {
      graph.bidirected(from, to);
    } else if (drawn < 3) {
      graph.directed(from, to);
    }
  }

  private static double truth(RandomModel model, BoundRecord bound) {
    return model.truth(Map.of("Y", 1), levels(bound.arm()), levels(bound.context()));
  }

  private static Map<String, Integer> levels(Map<String, String> labels) {
    Map<String, Integer> levels = new HashMap<>();
    labels.forEach((name, label) -> levels.put(name, Integer.parseInt(label)));
    return levels;
  }

  private static ContingencyTable sample(ContingencyTable exact, SplittableRandom random) {
    Map<Long, Integer> counts = new TreeMap<>();
    for (int row = 0; row < ROWS; row++) {
      double at = random.nextDouble();
      long drawn = 0;
      for (long code : exact.codes()) {
        drawn = code;
        at -= exact.weight(code);
        if (at < 0) {
          break;
        }
      }
      counts.merge(drawn, 1, Integer::sum);
    }
    return ContingencyTable.of(exact.variables(), counts);
  }

  private static String text(String context, String graph, String... census) {
    return BoundPlanner.of(DagittyText.parse(graph))
        .withCensus(List.of(census))
        .plan(BoundQuery.of("Y", List.of("X"), List.of(context)))
        .toText();
  }

  private static List<BoundRecord> bounds(
      String graph, List<String> context, ContingencyTable table, Confidence confidence) {
    return BoundPlanner.of(DagittyText.parse(graph))
        .plan(BoundQuery.of("Y", List.of("X"), context))
        .evaluate(ObservedValues.unselected(table), confidence);
  }

  private static void assertInterval(BoundRecord bound, double low, double high) {
    assertThat(bound.lower()).as(bound::toString).isCloseTo(low, within(TEST_TOLERANCE));
    assertThat(bound.upper()).as(bound::toString).isCloseTo(high, within(TEST_TOLERANCE));
  }

  private static double max(double... values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).max().orElseThrow();
  }

  private static int[] sizes(int... sizes) {
    return sizes;
  }

  /** The variables are named by one letter each, the first slowest. */
  private static ContingencyTable table(int[] sizes, String names, double... weights) {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      List<String> levels = IntStream.range(0, sizes[i]).mapToObj(Integer::toString).toList();
      variables.add(new Variable(names.substring(i, i + 1), levels));
    }
    return ContingencyTable.dense(variables, weights);
  }

  /** A hidden cause with three levels of an arm with an instrument and of a binary outcome. */
  private static final class Model {
    private static final int HIDDEN = 3;
    private final int arms;
    private final double[] z;
    private final double[][][] x; // by z, u
    private final double[][] y; // by x, u: the chance of 1

    Model(int instruments, int arms, SplittableRandom random) {
      this.arms = arms;
      z = share(instruments, random);
      x = new double[instruments][HIDDEN][];
      y = new double[arms][HIDDEN];
      for (double[][] row : x) {
        for (int u = 0; u < HIDDEN; u++) {
          row[u] = share(arms, random);
        }
      }
      for (double[] row : y) {
        for (int u = 0; u < HIDDEN; u++) {
          row[u] = random.nextDouble();
        }
      }
    }

    private static double[] share(int size, SplittableRandom random) {
      double[] share = new double[size];
      double total = 0;
      for (int i = 0; i < size; i++) {
        share[i] = -Math.log(random.nextDouble(0.01, 1));
        total += share[i];
      }
      for (int i = 0; i < size; i++) {
        share[i] /= total;
      }
      return share;
    }

    /** Returns P(x, y | z). */
    double[][][] given() {
      double[][][] p = new double[z.length][arms][2];
      for (int at = 0; at < z.length; at++) {
        for (int arm = 0; arm < arms; arm++) {
          for (int u = 0; u < HIDDEN; u++) {
            p[at][arm][1] += x[at][u][arm] * y[arm][u] / HIDDEN;
            p[at][arm][0] += x[at][u][arm] * (1 - y[arm][u]) / HIDDEN;
          }
        }
      }
      return p;
    }

    double truth(int arm) {
      return (y[arm][0] + y[arm][1] + y[arm][2]) / HIDDEN;
    }

    ContingencyTable table() {
      List<Double> weights = new ArrayList<>();
      double[][][] p = given();
      for (int at = 0; at < z.length; at++) {
        for (double[] arm : p[at]) {
          weights.add(z[at] * arm[0]);
          weights.add(z[at] * arm[1]);
        }
      }
      double[] all = weights.stream().mapToDouble(it -> it).toArray();
      return NoAssumptionTest.table(sizes(z.length, arms, 2), "ZXY", all);
    }

    /**
     * Returns the least P(y | do(x)) over all shares of the 4 * 2^z types of people, by the dual
     * program: multipliers of the cells whose sum over the cells of any type is at most its y.
     */
    double least(int arm, int y) {
      int cells = 4 * z.length;
      List<LinearConstraint> constraints = new ArrayList<>();
      for (int type = 0; type < 4 << z.length; type++) {
        double[] row = new double[cells];
        for (int at = 0; at < z.length; at++) {
          int armOf = type >> (2 + at) & 1;
          row[4 * at + 2 * armOf + (type >> armOf & 1)] = 1;
        }
        int has = (type >> arm & 1) == y ? 1 : 0;
        constraints.add(new LinearConstraint(row, Relationship.LEQ, has));
      }
      double[] objective = new double[cells];
      for (int cell = 0; cell < cells; cell++) {
        objective[cell] = given()[cell / 4][cell / 2 % 2][cell % 2];
      }
      return new SimplexSolver()
          .optimize(
              new LinearObjectiveFunction(objective, 0),
              new LinearConstraintSet(constraints),
              GoalType.MAXIMIZE,
              new NonNegativeConstraint(false))
          .getValue();
    }
  }
}
