package io.equipoise.tools.bench;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Time of a LinUCB round: one decision and one update in one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LinearRounds {
  /** Name of a {@link LinearWorkload}. */
  @Param("")
  public String workload = "";

  /** Name of a {@link LinearImplementation}. */
  @Param("LIBRARY")
  public LinearImplementation player = LinearImplementation.LIBRARY;

  private IntSupplier play = () -> 0;

  /** Creates the model without observations. */
  @Setup
  public void start() {
    play = player.start(LinearWorkload.named(workload));
  }

  /** Runs a round; returns the chosen arm. */
  @Benchmark
  public int round(ProcessorTime time) {
    time.count();
    return play.getAsInt();
  }
}
