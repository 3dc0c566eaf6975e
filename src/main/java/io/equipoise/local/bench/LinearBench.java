package io.equipoise.local.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Plays one workload with the library and with the plain loop in its two forms, in turns of equal
 * length, and compares the medians of the turns. A round is a decision and an update; all play the
 * same rounds and must choose the same arms.
 */
final class LinearBench {
  private final LinearWorkload workload;
  private final LinearPlay library;
  private final PlainLinUcb plain;
  private final PlainLinUcb textbook;

  /** Processor time of this thread: what others do on the machine does not count. */
  private final ThreadMXBean clock = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private int[] choices = new int[0];
  private long visited;
  private long disagreements;
  private int played;

  LinearBench(LinearWorkload workload) {
    this.workload = workload;
    library = new LinearPlay(workload);
    plain = plain(false);
    textbook = plain(true);
  }

  private PlainLinUcb plain(boolean isTextbook) {
    return new PlainLinUcb(
        workload.arms, workload.dimension, LinearPlay.LAMBDA, LinearPlay.ALPHA, isTextbook);
  }

  /** Plays turns of so many rounds, the first ones to warm up; returns what was found. */
  Map<String, Object> run(int turnRounds, int warmTurns, int turns) {
    double[] ours = new double[turns];
    double[] loop = new double[turns];
    double[] book = new double[turns];
    choices = new int[turnRounds];
    long allocated = 0;
    for (int turn = -warmTurns; turn < turns; turn++) {
      visited = turn <= 0 ? 0 : visited;
      long before = clock.getThreadAllocatedBytes(Thread.currentThread().getId());
      long start = clock.getCurrentThreadCpuTime();
      playLibrary(turnRounds);
      long middle = clock.getCurrentThreadCpuTime();
      long after = clock.getThreadAllocatedBytes(Thread.currentThread().getId());
      playPlain(plain, turnRounds);
      long late = clock.getCurrentThreadCpuTime();
      playPlain(textbook, turnRounds);
      long end = clock.getCurrentThreadCpuTime();
      played += turnRounds;
      if (turn >= 0) {
        ours[turn] = (middle - start) / (double) turnRounds;
        loop[turn] = (late - middle) / (double) turnRounds;
        book[turn] = (end - late) / (double) turnRounds;
        allocated += after - before;
      }
    }
    Map<String, Object> found = found(median(ours), median(loop), (long) turns * turnRounds);
    found.put("textbookRatio", median(book) / median(ours));
    found.put("textbookNanosARound", median(book));
    found.put("leastNanosARound", least(ours));
    found.put("leastPlainNanosARound", least(loop));
    found.put("leastTextbookNanosARound", least(book));
    found.put("bytesAllocatedARound", allocated / ((double) turns * turnRounds));
    return found;
  }

  private void playLibrary(int rounds) {
    for (int i = 0; i < rounds; i++) {
      choices[i] = library.next();
      visited += library.visited();
    }
  }

  private void playPlain(PlainLinUcb loop, int rounds) {
    for (int i = 0; i < rounds; i++) {
      int place = (played + i) % workload.contexts.length;
      int chosen = loop.choose(workload.contexts[place]);
      disagreements += chosen == choices[i] ? 0 : 1;
      loop.learn(chosen, workload.features(place, chosen), workload.rewards[place][chosen]);
    }
  }

  private Map<String, Object> found(double nanos, double plainNanos, long rounds) {
    double each = (double) visited / rounds;
    int d = workload.dimension;
    long nonzeros = Arrays.stream(workload.contexts[0][0]).filter(value -> value != 0).count();
    boolean isSparse = 3 * nonzeros <= d;
    double products = isSparse ? nonzeros * (nonzeros + 1) / 2.0 : d * (d + 1) / 2.0;
    double update = d * (d + 1) / 2.0 * 2 + (isSparse ? nonzeros * d : (double) d * d);
    double means = (double) workload.arms * nonzeros;
    double flops = 2 * (each * products + update + means);
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("workload", workload.name);
    found.put("ratio", plainNanos / nanos);
    found.put("nanosARound", nanos);
    found.put("plainNanosARound", plainNanos);
    found.put("rounds", rounds);
    found.put("widthsComputedARound", each);
    found.put("differentChoices", disagreements);
    found.put("flopsARound", flops);
    found.put("gigaflops", flops / nanos);
    found.put("bytesReadARound", 8 * (each * products + update + means));
    found.put("gigabytesASecond", 8 * (each * products + update + means) / nanos);
    return found;
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
