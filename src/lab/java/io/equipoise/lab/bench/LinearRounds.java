package io.equipoise.lab.bench;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the time of a LinUCB round: one decision and one update in one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LinearRounds {
  /** Selects an implementation of LinUCB, which decides and learns the reward of the chosen arm. */
  public enum Implementation {
    /** LinUCB of this library. */
    LIBRARY(workload -> new LibraryLinUcb(workload)::next),

    /** The plain double loop that updates theta. */
    PLAIN(workload -> PlainLinUcb.playing(workload, false)),

    /** The plain double loop that computes theta for every arm and decision. */
    TEXTBOOK(workload -> PlainLinUcb.playing(workload, true)),

    /** Vowpal Wabbit with epsilon-greedy exploration. */
    VOWPAL_EPSILON_GREEDY(workload -> new VowpalWabbit(workload, "--epsilon 0.1")::next),

    VOWPAL_REGCB(workload -> new VowpalWabbit(workload, "--regcb")::next);

    @SuppressWarnings("ImmutableEnumChecker") // the functions capture nothing
    private final Function<LinearWorkload, IntSupplier> rounds;

    Implementation(Function<LinearWorkload, IntSupplier> rounds) {
      this.rounds = rounds;
    }

    /** Returns the rounds, each of which returns the chosen arm. */
    IntSupplier start(LinearWorkload workload) {
      return rounds.apply(workload);
    }
  }

  /** Name of a {@link LinearWorkload}. */
  @Param("")
  public String workload = "";

  /** Name of a {@link Implementation}. */
  @Param("LIBRARY")
  public Implementation player = Implementation.LIBRARY;

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
