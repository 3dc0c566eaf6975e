package io.equipoise.lab.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Adds processor time to JMH's elapsed time, which grows with other load on the machine. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ProcessorTime {
  /** Name of the additional result. */
  static final String NANOS = "processorNanos";

  /** Mean processor time of a call, ns. */
  public double processorNanos;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long start;
  private long calls;

  /** Starts to measure this thread. */
  @Setup(Level.Iteration)
  public void start() {
    calls = 0;
    start = threads.getCurrentThreadCpuTime();
  }

  void count() {
    calls++;
  }

  /** Computes the mean. */
  @TearDown(Level.Iteration)
  public void stop() {
    processorNanos = (threads.getCurrentThreadCpuTime() - start) / (double) calls;
  }
}
