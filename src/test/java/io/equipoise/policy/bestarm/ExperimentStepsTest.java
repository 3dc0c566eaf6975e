package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.bestarm.ExperimentRun.State;
import io.equipoise.policy.bestarm.ExperimentSteps.PhaseEnd;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExperimentStepsTest {
  private static final CsrModel MODEL = RandomModels.model(new SplittableRandom(5), 3, 2, 2);

  private final Design design = Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 100, .5);
  private final ExperimentSteps steps =
      new ExperimentSteps(design, conduct(OptionalDouble.of(0), 1));
  private final State state = State.begin(steps);
  private final SearchProgress searchProgress = state.progress();

  private static RunSettings conduct(OptionalDouble defaultReward, double minClosedFraction) {
    return new RunSettings("shop", 1, 7, 1, 1000, defaultReward, minClosedFraction);
  }

  private int draw() {
    return steps.draw(searchProgress, 0, 1, .5);
  }

  private void count(int arm, double reward) {
    steps.count(searchProgress, state.sums(), 0, new Sample(0, 0, arm, 1, 0, reward));
  }

  @Test
  void contextsBeyondTheQuotaAreHeldUntilThePhaseCloses() {
    int pulls = design.plan().get(0).pulls();
    for (int i = 0; i < pulls; i++) {
      assertNotEquals(Urn.NOT_SAMPLED, draw());
    }
    assertEquals(Urn.NOT_SAMPLED, draw());
    for (int i = 0; i < pulls; i++) {
      assertFalse(steps.isDone(searchProgress), "waits for " + (pulls - i));
      steps.miss(searchProgress, 0);
    }
    assertTrue(steps.isDone(searchProgress));
    PhaseEnd closed = steps.close(searchProgress, state.sums());
    assertNull(closed.end());
    assertEquals(1, closed.phase().phase().l());
    assertEquals(1, closed.phase().counters().notSampled());
    assertEquals(pulls, closed.phase().counters().missing());
    assertNotEquals(Urn.NOT_SAMPLED, draw());
    assertEquals(1, searchProgress.open.phase().place());
  }

  @Test
  void someoneWithoutACellIsHeld() {
    assertEquals(Urn.NOT_SAMPLED, steps.draw(searchProgress, 0, -1, .5));
    assertEquals(0, searchProgress.pulls);
  }

  @Test
  void aSampleAfterTheEndChangesNothing() {
    draw();
    searchProgress.isOver = true;
    byte[] before = state.bytes();
    count(0, 1);
    steps.miss(searchProgress, 0);
    assertEquals(0, state.sums().arrived(0));
    assertEquals(Arrays.toString(before), Arrays.toString(state.bytes()));
  }

  @Test
  void theArmThatWasFoundIsServedWithItsCertificate() {
    SplittableRandom random = new SplittableRandom(3);
    TerminalRecord end = null;
    while (end == null) {
      int cell = random.nextInt(2);
      int group = random.nextInt(2);
      int drawn = steps.draw(searchProgress, group, cell, random.nextDouble());
      int phase = searchProgress.open.phase().place();
      assertNotEquals(Urn.NOT_SAMPLED, drawn);
      Sample sample = new Sample(0, group, drawn, cell, random.nextInt(2), random.nextInt(2));
      steps.count(searchProgress, state.sums(), phase, sample);
      while (steps.isDone(searchProgress)) {
        end = steps.close(searchProgress, state.sums()).end();
      }
    }
    TerminalRecord.BestFairArm found = assertInstanceOf(TerminalRecord.BestFairArm.class, end);
    assertTrue(found.margin() > 0);
    assertTrue(found.pulls() <= 100);
    assertTrue(searchProgress.isOver);
    assertEquals(found.finding().arm(), searchProgress.served);
  }

  @Test
  void anExperimentWithMorePhasesThanSamplesEndsToo() {
    for (Algorithm algorithm : Algorithm.values()) {
      Design tiny = Fixtures.design(MODEL, algorithm, Mode.NATURAL, 5, 2);
      ExperimentSteps few = new ExperimentSteps(tiny, conduct(OptionalDouble.empty(), 1));
      State begun = State.begin(few);
      TerminalRecord end = null;
      int pulls = 0;
      while (end == null) {
        if (few.isDone(begun.progress())) {
          end = few.close(begun.progress(), begun.sums()).end();
        } else {
          int arm = few.draw(begun.progress(), 0, 0, .5);
          int phase = begun.progress().open.phase().place();
          few.count(begun.progress(), begun.sums(), phase, new Sample(0, 0, arm, 0, 0, 1));
          pulls++;
        }
      }
      assertTrue(begun.progress().isOver, algorithm.wire());
      assertTrue(pulls <= 5, algorithm.wire());
    }
  }

  @Test
  void everyPartOfAConfigurationIsInItsHash() {
    String hash = steps.configHash();
    assertEquals(hash, new ExperimentSteps(design, conduct(OptionalDouble.of(0), 1)).configHash());
    assertNotEquals(
        hash, new ExperimentSteps(design, conduct(OptionalDouble.of(1), 1)).configHash());
    Design other = Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 101, .5);
    assertNotEquals(
        hash, new ExperimentSteps(other, conduct(OptionalDouble.of(0), 1)).configHash());
    CsrModel model = RandomModels.model(new SplittableRandom(6), 3, 2, 2);
    other = Fixtures.design(model, Algorithm.CSR_V2, Mode.NATURAL, 100, .5);
    assertNotEquals(
        hash, new ExperimentSteps(other, conduct(OptionalDouble.of(0), 1)).configHash());
  }

  @Test
  void anExperimentThatForgetsPhasesMustWaitForAllWindows() {
    Design first = Fixtures.design(MODEL, Algorithm.CSR_V1, Mode.NATURAL, 100, .5);
    RunSettings graceful = conduct(OptionalDouble.empty(), .98);
    String message =
        assertThrows(IllegalArgumentException.class, () -> new ExperimentSteps(first, graceful))
            .getMessage();
    assertNotNull(message);
    assertTrue(message.contains("csr-v1 forgets earlier phases"), message);
    assertThrows(IllegalArgumentException.class, () -> conduct(OptionalDouble.of(1.5), 1));
  }

  /** 30 arms, 10 phases: dense bins take 283 KB, and cells far less. */
  @Test
  void theStateIsAsBigAsPlanned() {
    CsrModel model = Fixtures.model("loose");
    Design large = Fixtures.design(model, Algorithm.CSR_V2, Mode.SEPARATE, 10_000, .15);
    RunSettings runSettings = conduct(OptionalDouble.empty(), 1);
    State bins = State.begin(new ExperimentSteps(large, runSettings, true));
    State cells = State.begin(new ExperimentSteps(large, runSettings));
    int before = bins.bytes().length;
    for (int arm = 0; arm < 30; arm++) {
      for (int type = 0; type < 3; type++) {
        bins.sums().add(type, type == 2 ? 1 : 0, arm, 0, 0, 1);
        cells.sums().add(type, type == 2 ? 1 : 0, arm, 0, 0, 1);
      }
    }
    int dense = bins.bytes().length - before;
    assertEquals(
        3 * 30 * (30 * 13 * 8 + 28), dense, "27,000 doubles, one bin and two sums more an arm");
    assertTrue(cells.bytes().length < dense, "cells take " + cells.bytes().length);
  }

  @Test
  void bytesThatCannotBeAStateAreRefused() {
    draw();
    count(0, 1);
    byte[] whole = state.bytes();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(RuntimeException.class, () -> State.of(part, design), "cut at " + length);
    }
    byte[] other = whole.clone();
    other[0] = 9;
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> State.of(other, design))
                .getMessage());
    assertTrue(message.contains("format 9"), message);
  }
}
