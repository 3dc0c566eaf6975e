package io.equipoise.causal.effect;

import static io.equipoise.event.GapPartKind.INDIRECT;
import static io.equipoise.event.GapPartKind.SPURIOUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.TwinNetwork;
import io.equipoise.causal.effect.GapParts.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the rule against enumeration: a random structural model of binary variables, whose noise
 * decides by a random truth table, is played in the factual world and in the world that sets the
 * attribute and the matched mediators, with the same noise.
 */
class GapPartsTest {
  private static final int GRAPHS = Tier.count(300, 10_000);

  /** V0.. are the variables in causal order; S is the attribute, Y the last. */
  private record Question(
      CausalGraph graph, List<String> order, List<String> confounders, List<String> mediators) {
    List<Level> levels() {
      return GapPartsTest.levels(confounders, mediators.stream().map(List::of).toList());
    }

    /** Says whether the effect of S alone on a person, all mediators held, is refused. */
    boolean isDirectRefused() {
      Set<String> given = new TreeSet<>(confounders);
      given.addAll(mediators);
      Set<String> set = new TreeSet<>(mediators);
      set.add("S");
      return TwinNetwork.of(graph, set).openPath("Y", Set.of("S"), given, Set.of()).isPresent();
    }

    boolean isRefused() {
      return GapParts.violation(graph, "S", "Y", levels()).isPresent();
    }
  }

  private static List<Level> levels(List<String> confounders, List<List<String>> mediators) {
    List<Level> levels = new ArrayList<>(List.of(new Level("N", SPURIOUS, confounders)));
    mediators.forEach(it -> levels.add(new Level("W", INDIRECT, it)));
    return levels;
  }

  private static Question question(SplittableRandom random) {
    List<String> order = new ArrayList<>();
    int before = random.nextInt(3);
    int after = random.nextInt(1, 4);
    for (int i = 0; i < before; i++) {
      order.add("N" + i);
    }
    order.add("S");
    for (int i = 0; i < after; i++) {
      order.add("W" + i);
    }
    order.add("Y");
    GraphBuilder builder = CausalGraph.builder();
    order.forEach(builder::node);
    double density = random.nextDouble(.3, .8);
    for (int i = 0; i < order.size(); i++) {
      for (int j = i + 1; j < order.size(); j++) {
        if (random.nextDouble() < density) {
          builder.directed(order.get(i), order.get(j));
        }
      }
    }
    for (int pairs = random.nextInt(4); pairs > 0; pairs--) {
      int one = random.nextInt(order.size());
      int other = random.nextInt(order.size());
      if (one != other) {
        builder.bidirected(order.get(one), order.get(other));
      }
    }
    CausalGraph graph = builder.build();
    var descendants = graph.descendants(List.of("S"));
    List<String> confounders = new ArrayList<>();
    List<String> mediators = new ArrayList<>();
    for (String name : order.subList(0, order.size() - 1)) {
      if (name.equals("S") || random.nextInt(4) == 0) {
        continue;
      }
      (descendants.contains(name) ? mediators : confounders).add(name);
    }
    return new Question(graph, order, confounders, mediators);
  }

  @Test
  void whatTheRuleIdentifiesIsTheCounterfactualMeanInEveryModel() {
    SplittableRandom random = new SplittableRandom(7);
    int identified = 0;
    int refusedAndWrong = 0;
    int direct = 0;
    int denied = 0;
    for (int i = 0; i < GRAPHS; i++) {
      Question question = question(random);
      boolean isRefused = question.isRefused();
      FunctionalModel model = new FunctionalModel(question, random);
      double error = model.largestError();
      if (!question.isDirectRefused()) {
        direct++;
        assertEquals(0, model.errorOfPersons, 1e-9, question.toString());
      }
      if (!isRefused) {
        identified++;
        assertEquals(0, error, 1e-9, question.toString());
      }
      refusedAndWrong += isRefused && error > 1e-9 ? 1 : 0;
      for (int part :
          GapParts.denied(question.graph, "S", "Y", question.levels()).stream().toArray()) {
        denied++;
        assertEquals(0, model.parts[part], 1e-9, "part " + part + " of " + question);
      }
    }
    Tier.found(GapPartsTest.class, "graphs identified", identified);
    Tier.found(GapPartsTest.class, "graphs refused, formula wrong", refusedAndWrong);
    Tier.found(
        GapPartsTest.class, "graphs refused, formula right", GRAPHS - identified - refusedAndWrong);
    Tier.found(GapPartsTest.class, "graphs with an identified direct effect", direct);
    Tier.found(GapPartsTest.class, "parts that the graph denies", denied);
    assertTrue(denied > GRAPHS / 2, denied + " parts denied");
    assertTrue(direct > identified, direct + " direct effects of persons identified");
    assertTrue(identified > GRAPHS / 10, identified + " identified");
    assertTrue(refusedAndWrong > GRAPHS / 10, refusedAndWrong + " refused and wrong");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
a hidden cause of S and N   | dag { N -> Y; S -> W -> Y; S -> Y; S <-> N }     | N | W     | true
M-bias through N            | dag { S -> W -> Y; S -> Y; S <-> N; N <-> Y }    | N | W     | false
M-bias, N is left out       | dag { S -> W -> Y; S -> Y; S <-> N; N <-> Y }    |   | W     | true
a back door is left out     | dag { N -> Y; N -> S -> W -> Y }                 |   | W     | false
a hidden cause of S and Y   | dag { S -> W -> Y; S <-> Y }                     |   | W     | false
a hidden cause of W and Y   | dag { S -> W -> Y; W <-> Y }                     |   | W     | false
a hidden cause of S and W   | dag { S -> W -> Y; S <-> W }                     |   | W     | false
a recanting witness         | dag { S -> U -> W -> Y; U -> Y }                 |   | W     | false
the witness is matched      | dag { S -> U -> W -> Y; U -> Y }                 |   | U,W   | true
the witness in wrong order  | dag { S -> U -> W -> Y; U -> Y }                 |   | W,U   | false
mediators in wrong order    | dag { S -> W -> U -> Y }                         |   | U,W   | false
the pair in wrong order     | dag { S -> U -> W -> Y; U -> Y }                 |   | W*U   | true
a shared hidden cause       | dag { S -> U -> Y; S -> W -> Y; U <-> W }        |   | U,W   | false
shared, matched together    | dag { S -> U -> Y; S -> W -> Y; U <-> W }        |   | U*W   | true
a mediator after the outcome| dag { S -> Y -> W }                              |   | W     | false
a latent node               | dag { L [latent]; S -> W -> Y; L -> W; L -> Y }  |   | W     | false
a latent mediator           | dag { W [latent]; S -> W -> Y }                  |   | W     | false
no descendant               | dag { S -> Y; N -> Y }                           |   | N     | false
a descendant                | dag { S -> W -> Y }                              | W |       | false
a selected sample           | dag { C [selected]; S -> W -> Y; W -> C }        |   | W     | false
""")
  void namedGraphsAreIdentifiedOrRefused(
      String name, String graph, String confounders, String mediators, boolean isIdentified) {
    List<String> n = confounders == null ? List.of() : List.of(confounders.split(","));
    List<List<String>> levels =
        mediators == null
            ? List.of()
            : List.of(mediators.split(",")).stream().map(it -> List.of(it.split("\\*"))).toList();
    var violation = GapParts.violation(DagittyText.parse(graph, 99), "S", "Y", levels(n, levels));
    assertEquals(isIdentified, violation.isEmpty(), name + ": " + violation);
  }

  /** All worlds of a model with their probabilities. */
  private static final class FunctionalModel {
    private static final int NOISE = 4;
    private final Question question;
    private final int size;
    private final List<int[]> parents = new ArrayList<>();
    private final double[][] noise;
    private final int[][][] table;
    private final int hidden;
    private double errorOfPersons;
    private double[] parts = {};

    FunctionalModel(Question question, SplittableRandom random) {
      this.question = question;
      size = question.order.size();
      List<List<Integer>> causes = new ArrayList<>();
      question.order.forEach(it -> causes.add(new ArrayList<>()));
      int next = size;
      for (int i = 0; i < size; i++) {
        String name = question.order.get(i);
        for (String parent : question.graph.parents(name)) {
          causes.get(i).add(question.order.indexOf(parent));
        }
        for (String sibling : question.graph.siblings(name)) {
          int other = question.order.indexOf(sibling);
          if (i < other) {
            causes.get(i).add(next);
            causes.get(other).add(next++);
          }
        }
      }
      hidden = next - size;
      noise = new double[size][NOISE];
      table = new int[size][NOISE][];
      for (int i = 0; i < size; i++) {
        parents.add(causes.get(i).stream().mapToInt(it -> it).toArray());
        double sum = 0;
        for (int u = 0; u < NOISE; u++) {
          noise[i][u] = random.nextDouble(.2, 1);
          sum += noise[i][u];
          table[i][u] = new int[1 << parents.get(i).length];
          for (int row = 0; row < table[i][u].length; row++) {
            table[i][u][row] = u < 2 ? u : random.nextInt(2); // both values are possible
          }
        }
        for (int u = 0; u < NOISE; u++) {
          noise[i][u] /= sum;
        }
      }
    }

    /** Returns the values of all variables as bits; those in {@code held} are as in {@code as}. */
    private int play(int[] u, int latents, int held, int as) {
      int values = latents << size;
      for (int i = 0; i < size; i++) {
        int row = 0;
        for (int parent : parents.get(i)) {
          row = 2 * row + (values >> parent & 1);
        }
        int value = (held >> i & 1) == 1 ? as >> i & 1 : table[i][u[i]][row];
        values |= value << i;
      }
      return values;
    }

    private int bits(List<String> names) {
      int bits = 0;
      for (String name : names) {
        bits |= 1 << question.order.indexOf(name);
      }
      return bits;
    }

    /** Returns the largest difference of V_l from the counterfactual mean, over all levels. */
    double largestError() {
      int s = bits(List.of("S"));
      int y = size - 1;
      int levels = question.mediators.size() + 1;
      double[] truth = new double[levels];
      double zero = 0;
      double[] truths = new double[1 << size];
      double[] zeros = new double[1 << size];
      int all = bits(question.confounders) | bits(question.mediators);
      double[] rows = new double[1 << size];
      int worlds = 1 << (2 * size + hidden);
      int[] u = new int[size];
      for (int world = 0; world < worlds; world++) {
        double p = 1.0 / (1 << hidden);
        for (int i = 0; i < size; i++) {
          u[i] = (world >> (2 * i)) & 3;
          p *= noise[i][u[i]];
        }
        int latents = world >> (2 * size);
        int fact = play(u, latents, 0, 0);
        rows[fact & (1 << size) - 1] += p;
        if ((fact & s) == 0) {
          zero += p;
          for (int level = 0; level < levels; level++) {
            int held = s | bits(question.mediators.subList(0, level));
            truth[level] += p * (play(u, latents, held, fact | s) >> y & 1);
          }
          int held = s | bits(question.mediators);
          zeros[fact & all] += p;
          truths[fact & all] += p * (play(u, latents, held, fact | s) >> y & 1);
        }
      }
      double largest = 0;
      parts = new double[levels + 1];
      double before = standardized(rows, 0, s, y);
      for (int level = 0; level < levels; level++) {
        List<String> given = new ArrayList<>(question.confounders);
        given.addAll(question.mediators.subList(0, level));
        double formula = standardized(rows, bits(given), s, y);
        largest = Math.max(largest, Math.abs(truth[level] / zero - formula));
        parts[level] = before - formula;
        before = formula;
      }
      parts[levels] = before - ofReference(rows, s, y);
      errorOfPersons = largestOfPersons(rows, truths, zeros, all | s, s, y);
      return largest;
    }

    private static double ofReference(double[] rows, int s, int y) {
      double sum = 0;
      double total = 0;
      for (int row = 0; row < rows.length; row++) {
        double p = (row & s) == 0 ? rows[row] : 0;
        sum += (row >> y & 1) * p;
        total += p;
      }
      return sum / total;
    }

    /** The same for the people of each stratum of all that is matched: the direct effect of one. */
    private static double largestOfPersons(
        double[] rows, double[] truths, double[] zeros, int given, int s, int y) {
      double[] one = new double[rows.length];
      double[] sum = new double[rows.length];
      for (int row = 0; row < rows.length; row++) {
        one[row & given] += rows[row];
        sum[row & given] += (row >> y & 1) * rows[row];
      }
      double largest = 0;
      for (int row = 0; row < rows.length; row++) {
        if (zeros[row] > 0) {
          double formula = sum[row | s] / one[row | s];
          largest = Math.max(largest, Math.abs(truths[row] / zeros[row] - formula));
        }
      }
      return largest;
    }

    /** Sum over the stratum of P(stratum | S = 0) E[Y | S = 1, stratum]. */
    private static double standardized(double[] rows, int given, int s, int y) {
      double[] zero = new double[rows.length];
      double[] one = new double[rows.length];
      double[] sum = new double[rows.length];
      double total = 0;
      for (int row = 0; row < rows.length; row++) {
        if ((row & s) == 0) {
          zero[row & given] += rows[row];
          total += rows[row];
        } else {
          one[row & given] += rows[row];
          sum[row & given] += (row >> y & 1) * rows[row];
        }
      }
      double mean = 0;
      for (int row = 0; row < rows.length; row++) {
        mean += zero[row] == 0 ? 0 : zero[row] / total * sum[row] / one[row];
      }
      return mean;
    }
  }
}
