package io.equipoise.local.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Times of one thing done several times, in milliseconds of this thread on a processor, so that
 * what else the machine does is not counted.
 */
final class Stopwatch {
  private static final double NANOS_A_MILLI = 1e6;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final double[] millis;
  private int count;

  Stopwatch(int runs) {
    millis = new double[runs];
  }

  void time(Runnable work) {
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    millis[count++] = (threads.getCurrentThreadCpuTime() - start) / NANOS_A_MILLI;
  }

  /** Returns the time below which a share of the runs stayed; 0.5 is the median. */
  double quantile(double share) {
    double[] sorted = Arrays.copyOf(millis, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (share * count))];
  }
}
