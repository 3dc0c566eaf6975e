package io.equipoise.lab.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Separators;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the time of d-separation and of minimal separators in a random graph, this library's and
 * naive.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
public class GraphQuestions {
  private static final double GIVEN = 0.1;
  private static final int REACH = 50;
  private static final int QUESTIONS = 9;

  /** Number of nodes. */
  @Param("100")
  public int nodes;

  /** Seed of the graph and of the queries. */
  @Param("1")
  public long seed;

  private final List<Question> questions = new ArrayList<>();
  private CausalGraph graph = CausalGraph.builder().build();
  private NaiveSeparation naive = new NaiveSeparation(graph);
  private int asked;

  private record Question(String x, String y, Set<String> z) {}

  /** Draws the graph and the queries; checks that both implementations agree. */
  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(seed);
    graph = new SparseGraphs(random, REACH).draw(nodes);
    naive = new NaiveSeparation(graph);
    for (int i = 0; i < QUESTIONS; i++) {
      String x = "V" + (nodes / 3 + i);
      String y = "V" + (nodes - 1 - i);
      Set<String> z = new HashSet<>();
      for (String node : graph.nodes()) {
        if (random.nextDouble() < GIVEN && !node.equals(x) && !node.equals(y)) {
          z.add(node);
        }
      }
      questions.add(new Question(x, y, z));
      if (Separation.separated(graph, List.of(x), List.of(y), z) != naive.separated(x, y, z)) {
        throw new IllegalStateException(x + ", " + y + " of " + nodes + ": the results differ");
      }
    }
  }

  private Question next(ProcessorTime time) {
    time.count();
    return questions.get(asked++ % questions.size());
  }

  /** Runs one query. */
  @Benchmark
  public boolean separated(ProcessorTime time) {
    Question q = next(time);
    return Separation.separated(graph, List.of(q.x), List.of(q.y), q.z);
  }

  /** Runs one query with the naive reference. */
  @Benchmark
  public boolean naiveSeparated(ProcessorTime time) {
    Question q = next(time);
    return naive.separated(q.x, q.y, q.z);
  }

  /** Finds one minimal separator. */
  @Benchmark
  public Set<String> minimal(ProcessorTime time) {
    Question q = next(time);
    return Separators.between(graph, List.of(q.x), List.of(q.y)).minimal().orElseThrow();
  }

  /** Finds one minimal separator with the naive reference, which is quadratic. */
  @Benchmark
  public Set<String> naiveMinimal(ProcessorTime time) {
    Question q = next(time);
    return naive.minimal(q.x, q.y);
  }
}
