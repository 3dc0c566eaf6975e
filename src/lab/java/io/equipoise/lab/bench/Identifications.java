package io.equipoise.lab.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.Identification;
import io.equipoise.causal.effect.IdentifiedEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the time to identify P(y | do(x)) in graphs of realistic size. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class Identifications {
  static final int NODES = 70;

  private static final int REACH = 6;

  /** Number of graphs. */
  @Param("500")
  public int graphs;

  /** Seed of the graphs and of the effects. */
  @Param("1")
  public long seed;

  private final List<Asked> asked = new ArrayList<>();
  private int count;

  private record Asked(CausalGraph graph, String x, String y) {}

  /** Draws the graphs. */
  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(seed);
    SparseGraphs draws = new SparseGraphs(random, REACH);
    for (int i = 0; i < graphs; i++) {
      asked.add(
          new Asked(
              draws.draw(NODES),
              "V" + (NODES / 3 + random.nextInt(10)),
              "V" + (NODES - 1 - random.nextInt(10))));
    }
  }

  /** Identifies one effect, or finds that it is not identified. */
  @Benchmark
  public IdentifiedEffect identified() {
    Asked one = asked.get(count++ % asked.size());
    return Identification.of(one.graph).effect(List.of(one.y), List.of(one.x));
  }
}
