package io.equipoise.lab.bench;

import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the time of a window of rounds and the state size at its end, for one model that keeps
 * learning. Both should stay constant.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LongRounds {
  /** A policy that decides, audits and learns, round after round. */
  interface Model {
    void round();

    /** Returns the size of the state in a checkpoint, bytes. */
    int stateBytes();

    boolean isFinite();
  }

  /** Name of LinUCB with one theta among the policies. */
  static final String RIDGE = "RIDGE";

  /** A {@link LogisticPolicyName}, or {@value #RIDGE}. */
  @Param(RIDGE)
  public String policy = RIDGE;

  /** Length of the feature vectors. */
  @Param("4")
  public int dimension = 4;

  /** Candidates of each request. */
  @Param("20")
  public int candidates = 20;

  private Model play = new RidgeLongRun(new LogisticWorld(dimension, candidates));
  private Size size = new Size();

  /** Reports the state size, which JMH reads after each window. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Size {
    /** State size in a checkpoint, bytes. */
    public int stateBytes;
  }

  /** Creates the model without observations. */
  @Setup
  public void start() {
    LogisticWorld world = new LogisticWorld(dimension, candidates);
    play =
        policy.equals(RIDGE)
            ? new RidgeLongRun(world)
            : new LogisticLongRun(LogisticPolicyName.valueOf(policy), world);
  }

  /** Runs one round. */
  @Benchmark
  public void round(Size size) {
    play.round();
    this.size = size;
  }

  /** Measures the state at the end of a window. */
  @TearDown(Level.Iteration)
  public void measure() {
    if (!play.isFinite()) {
      throw new IllegalStateException(policy + ": an estimate is not finite");
    }
    size.stateBytes = play.stateBytes();
  }
}
