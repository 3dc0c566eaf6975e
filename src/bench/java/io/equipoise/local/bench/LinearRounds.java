package io.equipoise.local.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of a round, a decision and an update, on one thread: the library, the plain double loop, and
 * Vowpal Wabbit by its Java interface, which takes lines of text and parses them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 1)
@Threads(1)
public class LinearRounds {
  /** Place of a workload in {@link LinearWorkload#all}: (i), (ii), (iii) and (iii) with levels. */
  @Param({"0", "1", "3", "4"})
  public int workload;

  private LinearPlay library;
  private PlainPlay plain;
  private VowpalPlay greedy;
  private VowpalPlay regcb;

  @Setup
  public void start() throws Exception {
    LinearWorkload played = LinearWorkload.all(1).get(workload);
    library = new LinearPlay(played);
    plain = new PlainPlay(played);
    greedy = new VowpalPlay(played, "--epsilon 0.1");
    regcb = new VowpalPlay(played, "--regcb");
  }

  @TearDown
  public void stop() throws Exception {
    greedy.close();
    regcb.close();
  }

  @Benchmark
  public int equipoise() {
    return library.next();
  }

  @Benchmark
  public int plainLoop() {
    return plain.next();
  }

  @Benchmark
  public int vowpalWabbitEpsilonGreedy() {
    return greedy.next();
  }

  @Benchmark
  public int vowpalWabbitRegcb() {
    return regcb.next();
  }
}
