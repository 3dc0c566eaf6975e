package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.bestarm.ExperimentSteps.PhaseEnd;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An experiment on simulated traffic: delays, outcomes that never come, people without a known
 * group, and restarts in the middle. A second experiment takes the same steps without restarts.
 */
final class ExperimentRun {
  static final long WINDOW = 40;

  /** The state of an experiment, which a restart writes and reads back. */
  record State(SearchProgress progress, SampleSums sums) {
    static State begin(ExperimentSteps steps) {
      return new State(steps.begin(), steps.emptySums());
    }

    byte[] bytes() {
      ByteBuffer bytes = ByteBuffer.allocate(progress.byteLength() + sums.byteLength());
      return bytes.put(progress.toBytes()).put(sums.toBytes()).array();
    }

    static State of(byte[] bytes, Design design) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      SearchProgress progress = StoredBytes.read(new SearchProgress(design), in);
      SampleSums empty = SampleSums.empty(in.get(in.position()), design);
      State read = new State(progress, StoredBytes.read(empty, in));
      assertEquals(0, in.remaining());
      return read;
    }
  }

  /** A sample that was counted while a phase was open. */
  record Counted(int phase, Sample sample) {}

  /** What is known of a pull when it is settled; no sample if it has no reward. */
  private record Due(long time, int number, int phase, @Nullable Sample sample) {}

  final List<PhaseRecord> phases = new ArrayList<>();
  final List<Counted> counted = new ArrayList<>();
  final Map<Integer, int[][]> pulls = new HashMap<>();
  private final Map<Integer, Integer> settled = new HashMap<>();
  @Nullable TerminalRecord end;
  double cost;
  int restarts;

  private final ExperimentSteps steps;
  private final SplittableRandom random;
  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparingLong(Due::time).thenComparingInt(Due::number));
  private State state;
  private final State calm;
  private int number;

  ExperimentRun(ExperimentSteps steps, SplittableRandom random) {
    this.steps = steps;
    this.random = random;
    state = State.begin(steps);
    calm = State.begin(steps);
  }

  /** Sends contexts until the experiment is over. */
  void run(int most) {
    CsrModel model = steps.design.model();
    double[][] law = new double[2][model.cells()];
    for (int z = 0; z < model.cells(); z++) {
      law[0][z] = model.law(0, z);
      law[1][z] = model.law(1, z);
    }
    close();
    for (int time = 0; time < most && end == null; time++) {
      settle(time);
      if (end == null) {
        int group = random.nextDouble() < model.share(0) ? 0 : 1;
        int cell = RandomModels.draw(random, law[group]);
        decide(time, random.nextInt(50) == 0 ? CsrModel.UNKNOWN_GROUP : group, cell);
      }
      if (random.nextInt(20) == 0) {
        restarts++;
        state = State.of(state.bytes(), steps.design);
      }
    }
    assertArrayEquals(calm.bytes(), state.bytes(), "restarts change nothing");
  }

  private void decide(long time, int group, int cell) {
    double u = random.nextDouble();
    int drawn = steps.draw(state.progress, group, cell, u);
    assertEquals(drawn, steps.draw(calm.progress, group, cell, u));
    if (drawn == Urn.NOT_SAMPLED) {
      return;
    }
    CsrModel model = steps.design.model();
    int types = steps.design.settings().mode().types();
    int arm = drawn % model.arms();
    int type = drawn / model.arms();
    int phase = state.progress.open.phase().place();
    pulls.computeIfAbsent(phase, any -> new int[types][model.arms()])[type][arm]++;
    cost += steps.design.costs().of(arm);
    double[] row = new double[model.levels()];
    for (int v = 0; v < row.length; v++) {
      row[v] = model.probability(arm, cell, v);
    }
    int level = RandomModels.draw(random, row);
    double reward = random.nextInt(3) == 0 ? level == 0 ? .7 : .2 : random.nextInt(2);
    boolean isRewarded = random.nextInt(20) > 1;
    boolean isDefault = steps.runSettings.defaultReward().isPresent();
    double counts = isRewarded ? reward : steps.runSettings.defaultReward().orElse(Double.NaN);
    Sample sample =
        isRewarded || isDefault ? new Sample(type, group, arm, cell, level, counts) : null;
    boolean isEarly = isRewarded && !steps.runSettings.isGraceful();
    long delay = isEarly ? random.nextInt((int) WINDOW) : WINDOW;
    queue.add(new Due(time + delay, number++, phase, sample));
  }

  private void settle(long time) {
    while (!queue.isEmpty() && queue.element().time() <= time && end == null) {
      Due due = queue.remove();
      settled.merge(due.phase(), 1, Integer::sum);
      Sample sample = due.sample();
      if (sample == null) {
        steps.miss(state.progress, due.phase());
        steps.miss(calm.progress, due.phase());
      } else {
        counted.add(new Counted(state.progress.open.phase().place(), sample));
        steps.count(state.progress, state.sums, due.phase(), sample);
        steps.count(calm.progress, calm.sums, due.phase(), sample);
      }
      close();
    }
  }

  private void close() {
    while (steps.isDone(state.progress)) {
      assertTrue(steps.isDone(calm.progress));
      PhaseEnd closed = steps.close(state.progress, state.sums);
      steps.close(calm.progress, calm.sums);
      phases.add(closed.phase());
      end = closed.end();
      Phase phase = closed.phase().phase();
      int awaited = phase.pulls() - settled.getOrDefault(phase.place(), 0);
      double mayBeAwaited = (1 - steps.runSettings.minClosedFraction()) * phase.pulls();
      assertTrue(awaited <= mayBeAwaited + 1e-9, "waits enough");
    }
  }
}
