package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.policy.bestarm.BatchSearch.SampleSource;
import io.equipoise.policy.bestarm.ExperimentRun.Counted;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ExperimentPropertyTest {
  private static final int RUNS = Tier.count(100, 3000);

  private final Map<String, Integer> seen = new HashMap<>();

  @Test
  void anExperimentInStepsEqualsTheBatchSearchOnTheSameSamples() {
    for (int run = 0; run < RUNS; run++) {
      long seed = 20_260_101L + run;
      try {
        compare(new SplittableRandom(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    for (String what :
        List.of("BestFairArm", "NoFairArm", "late", "missing", "held", "restarted")) {
      assertTrue(seen.getOrDefault(what, 0) > 3, what + " is hardly ever seen: " + seen);
    }
  }

  private void compare(SplittableRandom random) {
    CsrModel model = RandomModels.model(random, 2 + random.nextInt(4), 1 + random.nextInt(4), 2);
    Algorithm algorithm = List.of(Algorithm.values()).get(random.nextInt(4));
    Mode mode = List.of(Mode.values()).get(random.nextInt(3));
    FairnessEstimate fairness = List.of(FairnessEstimate.values()).get(random.nextInt(2));
    double bound = .02 + random.nextDouble() * (random.nextBoolean() ? .1 : .8);
    Design design =
        Fixtures.design(model, algorithm, mode, fairness, 600 + random.nextInt(400), bound);
    RunSettings runSettings =
        new RunSettings(
            "e",
            1,
            random.nextLong(),
            0,
            ExperimentRun.WINDOW,
            random.nextBoolean() ? OptionalDouble.of(0) : OptionalDouble.empty(),
            algorithm.isCumulative && random.nextBoolean() ? .9 : 1);
    ExperimentRun run =
        new ExperimentRun(new ExperimentSteps(design, runSettings, random.nextBoolean()), random);
    run.run(100_000);
    assertNotNull(run.end, "the experiment ends");
    assertTrue(run.cost <= design.costs().budget() * design.settings().samples() + 1e-9);
    BatchSearch.Result batch =
        new BatchSearch(design).run((phase, quota, into) -> feed(run, phase, quota, into));
    assertEquals(batch.verdicts().size(), run.phases.size());
    for (int i = 0; i < run.phases.size(); i++) {
      assertSame(batch.verdicts().get(i), run.phases.get(i).verdict());
    }
    assertEquals(
        batch.conclusion() instanceof Conclusion.NoFairArm,
        run.end instanceof TerminalRecord.NoFairArm);
    count(run);
  }

  /** What an experiment was to pull is what the batch search would; what came of it may be less. */
  private static void feed(ExperimentRun run, Phase phase, int[][] quota, SampleSource.Sink into) {
    if (phase.pulls() > 0) {
      int[][] pulls = run.pulls.get(phase.place());
      for (int type = 0; type < quota.length; type++) {
        assertArrayEquals(quota[type], pulls[type], "quotas are met exactly");
      }
    }
    for (Counted counted : run.counted) {
      if (counted.phase() == phase.place()) {
        Sample sample = counted.sample();
        into.add(
            sample.type(),
            sample.group(),
            sample.arm(),
            sample.cell(),
            sample.level(),
            sample.reward());
      }
    }
  }

  private static void assertSame(SearchVerdict batch, SearchVerdict live) {
    assertEquals(batch.phase(), live.phase());
    assertEquals(batch.before(), live.before());
    assertEquals(batch.fair(), live.fair());
    assertEquals(batch.leader(), live.leader());
    assertEquals(batch.after(), live.after());
    assertEquals(batch.end(), live.end());
    assertEquals(batch.eliminated().size(), live.eliminated().size());
    for (int i = 0; i < batch.eliminated().size(); i++) {
      Elimination wanted = batch.eliminated().get(i);
      Elimination found = live.eliminated().get(i);
      assertEquals(wanted.arm(), found.arm());
      assertEquals(wanted.reason(), found.reason());
      assertEquals(wanted.value(), found.value(), 1e-9);
    }
  }

  private void count(ExperimentRun run) {
    TerminalRecord end = run.end;
    assertNotNull(end);
    seen.merge(end.getClass().getSimpleName(), 1, Integer::sum);
    seen.merge("restarted", run.restarts, Integer::sum);
    for (PhaseRecord phase : run.phases) {
      seen.merge("late", (int) phase.counters().late(), Integer::sum);
      seen.merge("missing", (int) phase.counters().missing(), Integer::sum);
      seen.merge("held", (int) phase.counters().notSampled(), Integer::sum);
    }
  }
}
