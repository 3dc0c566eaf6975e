package io.equipoise.bandit.csr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.csr.Event.ContextArrived;
import io.equipoise.bandit.csr.Event.LevelObserved;
import io.equipoise.bandit.csr.Event.OutcomeArrived;
import io.equipoise.bandit.csr.Event.TimePassed;
import io.equipoise.bandit.csr.Output.Decided;
import io.equipoise.bandit.csr.Output.Ended;
import io.equipoise.bandit.csr.Output.PhaseClosed;
import io.equipoise.bandit.csr.Output.Settled;
import io.equipoise.bandit.csr.Output.Settlement;
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
 * An experiment on simulated traffic with all that can go wrong: delays, outcomes that never come
 * or come twice or too late, contexts that come twice, people without a known group, and restarts
 * in the middle. A second experiment takes the same events without restarts.
 */
final class ExperimentRun {
  static final long WINDOW = 40;

  /** A sample that was counted: in which phase, and what it was. */
  record Counted(int phase, int type, int group, int arm, int cell, int level, double reward) {}

  private record Due(long time, int number, Event event) {}

  final List<PhaseRecord> phases = new ArrayList<>();
  final List<Counted> counted = new ArrayList<>();
  final Map<Integer, int[][]> pulls = new HashMap<>();
  private final Map<Integer, Integer> settledOf = new HashMap<>();
  final Map<Settlement, Integer> settlements = new HashMap<>();
  @Nullable TerminalRecord end;
  double cost;
  int holds;
  int restarts;

  private final Experiment experiment;
  private final Conduct conduct;
  private final SplittableRandom random;
  private final Map<String, Decided> answers = new HashMap<>();
  private final Map<String, ContextArrived> contexts = new HashMap<>();
  private final Map<String, int[]> levels = new HashMap<>();
  private final Map<String, Double> rewards = new HashMap<>();
  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparingLong(Due::time).thenComparingInt(Due::number));
  private ExperimentState state;
  private MemoryPulls pending = new MemoryPulls();
  private final ExperimentState calm;
  private final MemoryPulls calmPending = new MemoryPulls();
  private int number;

  ExperimentRun(Experiment experiment, Conduct conduct, SplittableRandom random) {
    this.experiment = experiment;
    this.conduct = conduct;
    this.random = random;
    state = experiment.begin();
    calm = experiment.begin();
  }

  /** Sends contexts until the experiment is over. */
  void run(int most) {
    CsrModel model = experiment.design().model();
    double[][] law = new double[2][model.cells()];
    for (int z = 0; z < model.cells(); z++) {
      law[0][z] = model.law(0, z);
      law[1][z] = model.law(1, z);
    }
    for (int i = 0; i < most && end == null; i++) {
      int group = random.nextDouble() < model.share(0) ? 0 : 1;
      int cell = RandomModels.draw(random, law[group]);
      int told = random.nextInt(50) == 0 ? CsrModel.UNKNOWN_GROUP : group;
      ContextArrived context = new ContextArrived("c" + i, i, told, cell);
      contexts.put(context.id(), context);
      add(i, context);
      if (random.nextInt(10) == 0) {
        add(i + random.nextInt((int) WINDOW - 1), context);
      }
      if (i % 5 == 0) {
        add(i, new TimePassed(i - 3));
      }
      while (!queue.isEmpty() && queue.element().time() <= i) {
        on(queue.remove().event());
      }
    }
    assertArrayEquals(bytes(calm), bytes(state), "restarts change nothing");
  }

  private void add(long time, Event event) {
    queue.add(new Due(time, number++, event));
  }

  private void on(Event event) {
    if (random.nextInt(20) == 0) {
      restart();
    }
    int place = state.phase().place();
    List<Output> out = experiment.on(event, state, pending);
    assertEquals(out.size(), experiment.on(event, calm, calmPending).size());
    for (Output output : out) {
      if (output instanceof Decided decided) {
        decided(decided, (ContextArrived) event);
      } else if (output instanceof Settled settled) {
        settlements.merge(settled.how(), 1, Integer::sum);
        settledOf.merge(settled.phase(), 1, Integer::sum);
        assertTrue(
            conduct.minClosedFraction() == 1 || event instanceof TimePassed,
            "where a phase may end early outcomes enter when their window closes");
        settled(settled, place);
      } else if (output instanceof PhaseClosed closed) {
        phases.add(closed.phase());
        Phase phase = closed.phase().phase();
        int awaited = phase.pulls() - settledOf.getOrDefault(phase.place(), 0);
        assertTrue(
            awaited <= (1 - conduct.minClosedFraction()) * phase.pulls() + 1e-9, "waits enough");
        place = closed.phase().phase().place() + 1;
      } else if (output instanceof Ended ended) {
        end = ended.result();
      }
    }
  }

  private void restart() {
    restarts++;
    ByteBuffer written = ByteBuffer.wrap(bytes(state));
    state = ExperimentState.readFrom(written, experiment.design());
    assertEquals(0, written.remaining());
    ByteBuffer waiting = ByteBuffer.allocate(pending.byteLength());
    pending.appendTo(waiting);
    pending = MemoryPulls.readFrom(waiting.flip());
    assertEquals(0, waiting.remaining());
  }

  static byte[] bytes(ExperimentState state) {
    ByteBuffer bytes = ByteBuffer.allocate(state.byteLength());
    state.appendTo(bytes);
    assertEquals(0, bytes.remaining());
    return bytes.array();
  }

  private void decided(Decided decided, ContextArrived context) {
    Decided known = answers.putIfAbsent(decided.id(), decided);
    if (known != null) {
      assertTrue(decided.isRepeat());
      assertEquals(known.arm(), decided.arm(), "a repeated context is answered alike");
      assertEquals(known.role(), decided.role());
      return;
    }
    if (decided.role() == Role.NOT_SAMPLED) {
      holds++;
    }
    if (decided.role() == Role.SAMPLE) {
      CsrModel model = experiment.design().model();
      int types = experiment.design().settings().mode().types();
      pulls
          .computeIfAbsent(decided.phase(), phase -> new int[types][model.arms()])[decided.type()][
          decided.arm()]++;
      cost += experiment.design().costs().of(decided.arm());
      answer(decided, context, model);
    }
  }

  private void answer(Decided decided, ContextArrived context, CsrModel model) {
    double[] row = new double[model.levels()];
    for (int v = 0; v < row.length; v++) {
      row[v] = model.probability(decided.arm(), context.cell(), v);
    }
    int level = RandomModels.draw(random, row);
    double reward = random.nextInt(3) == 0 ? level == 0 ? .7 : .2 : random.nextInt(2);
    levels.put(decided.id(), new int[] {-1});
    if (random.nextInt(4) > 0) {
      add(context.time(), new LevelObserved(decided.id(), level));
      levels.put(decided.id(), new int[] {level});
    }
    int kind = random.nextInt(20);
    if (kind > 1) {
      long delay = kind == 2 ? WINDOW + 5 : random.nextInt((int) WINDOW - 10);
      long time = context.time() + delay;
      OutcomeArrived outcome = new OutcomeArrived(decided.id(), time, level, reward);
      add(time, outcome);
      if (delay <= WINDOW) {
        rewards.put(decided.id(), reward);
        levels.put(decided.id(), new int[] {level});
      }
      if (kind == 3) {
        add(time + 1, new OutcomeArrived(decided.id(), time, level, 1 - reward));
      }
    }
  }

  private void settled(Settled settled, int place) {
    if (settled.how() == Settlement.COUNTED || settled.how() == Settlement.COUNTED_LATE) {
      Decided decided = answers.get(settled.id());
      ContextArrived context = contexts.get(settled.id());
      int level = levels.get(settled.id())[0];
      Double reward = rewards.get(settled.id());
      counted.add(
          new Counted(
              place,
              decided.type(),
              context.group(),
              decided.arm(),
              context.cell(),
              level,
              reward == null ? conduct.defaultReward().orElseThrow() : reward));
    }
  }
}
