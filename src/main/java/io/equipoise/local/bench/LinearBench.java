package io.equipoise.local.bench;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.linear.Candidates;
import io.equipoise.bandit.linear.Explore;
import io.equipoise.bandit.linear.LinearFairness;
import io.equipoise.bandit.linear.LinearIndex;
import io.equipoise.bandit.linear.LinearPolicy;
import io.equipoise.bandit.linear.LinearRound;
import io.equipoise.bandit.linear.MemoryLinearBlocks;
import io.equipoise.bandit.linear.Radius;
import io.equipoise.bandit.linear.RidgeModel;
import io.equipoise.bandit.linear.RidgeWorkspace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays one workload with the library and with the plain loop, in turns of equal length, and
 * compares the medians of the turns. A round is a decision and an update; both play the same rounds
 * and must choose the same arms.
 */
final class LinearBench {
  private static final double LAMBDA = 1;
  private static final double ALPHA = 0.5;

  private final LinearWorkload workload;
  private final LinearPolicy policy;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final LinearRound round;
  private final RidgeWorkspace workspace;
  private final Draw draw = new Draw(0, "bench", "0");
  private final PlainLinUcb plain;

  /** Processor time of this thread: what others do on the machine does not count. */
  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();

  private int[] choices = new int[0];
  private long visited;
  private long disagreements;
  private int played;

  LinearBench(LinearWorkload workload) {
    this.workload = workload;
    int d = workload.dimension;
    policy =
        new LinearPolicy(
            RidgeModel.of(d, LAMBDA),
            false,
            new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
            new LinearFairness.None(),
            Explore.NEVER);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(d);
    round = new LinearRound(d);
    workspace = new RidgeWorkspace(d);
    plain = new PlainLinUcb(workload.arms, d, LAMBDA, ALPHA);
  }

  /** Plays turns of so many rounds, the first ones to warm up; returns what was found. */
  Map<String, Object> run(int turnRounds, int warmTurns, int turns) {
    List<Double> library = new ArrayList<>();
    List<Double> loop = new ArrayList<>();
    choices = new int[turnRounds];
    for (int turn = 0; turn < warmTurns + turns; turn++) {
      visited = turn <= warmTurns ? 0 : visited;
      long start = clock.getCurrentThreadCpuTime();
      playLibrary(turnRounds);
      long middle = clock.getCurrentThreadCpuTime();
      playPlain(turnRounds);
      long end = clock.getCurrentThreadCpuTime();
      played += turnRounds;
      if (turn >= warmTurns) {
        library.add((middle - start) / (double) turnRounds);
        loop.add((end - middle) / (double) turnRounds);
      }
    }
    return found(library, loop, (long) turns * turnRounds);
  }

  private void playLibrary(int rounds) {
    for (int i = 0; i < rounds; i++) {
      int place = (played + i) % workload.contexts.length;
      double[][] context = workload.contexts[place];
      candidates.clear();
      if (context.length == 1) {
        candidates.addAll(workload.arms, context[0]);
      } else {
        for (int arm = 0; arm < workload.arms; arm++) {
          candidates.add(arm, context[arm]);
        }
      }
      int chosen = policy.choose(blocks, candidates, played + i + 1, draw, round);
      visited += round.visited();
      choices[i] = chosen;
      double reward = workload.rewards[place][chosen];
      policy.learn(
          blocks, chosen, candidates.features(chosen), 0, reward, played + i + 1, workspace);
    }
  }

  private void playPlain(int rounds) {
    for (int i = 0; i < rounds; i++) {
      int place = (played + i) % workload.contexts.length;
      int chosen = plain.choose(workload.contexts[place]);
      disagreements += chosen == choices[i] ? 0 : 1;
      plain.learn(chosen, workload.features(place, chosen), workload.rewards[place][chosen]);
    }
  }

  private Map<String, Object> found(List<Double> library, List<Double> loop, long rounds) {
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
    found.put("ratio", median(loop) / median(library));
    found.put("nanosARound", median(library));
    found.put("plainNanosARound", median(loop));
    found.put("rounds", rounds);
    found.put("widthsComputedARound", each);
    found.put("differentChoices", disagreements);
    found.put("flopsARound", flops);
    found.put("gigaflops", flops / median(library));
    found.put("bytesReadARound", 8 * (each * products + update + means));
    found.put("gigabytesASecond", 8 * (each * products + update + means) / median(library));
    return found;
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
