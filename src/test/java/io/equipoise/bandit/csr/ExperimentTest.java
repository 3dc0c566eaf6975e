package io.equipoise.bandit.csr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.csr.Event.Abort;
import io.equipoise.bandit.csr.Event.ContextArrived;
import io.equipoise.bandit.csr.Event.LevelObserved;
import io.equipoise.bandit.csr.Event.OutcomeArrived;
import io.equipoise.bandit.csr.Event.TimePassed;
import io.equipoise.bandit.csr.Output.Decided;
import io.equipoise.bandit.csr.Output.Ended;
import io.equipoise.bandit.csr.Output.Ignored;
import io.equipoise.bandit.csr.Output.PhaseClosed;
import io.equipoise.bandit.csr.Output.Reason;
import io.equipoise.bandit.csr.Output.Refused;
import io.equipoise.bandit.csr.Output.Settled;
import io.equipoise.bandit.csr.Output.Settlement;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExperimentTest {
  private static final CsrModel MODEL = RandomModels.model(new SplittableRandom(5), 3, 2, 2);

  private final Design design = Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 100, .5);
  private final Experiment experiment = new Experiment(design, conduct(OptionalDouble.of(0), 1));
  private final ExperimentState state = experiment.begin();
  private final MemoryPulls pending = new MemoryPulls();

  private static Conduct conduct(OptionalDouble defaultReward, double minClosedFraction) {
    return new Conduct("shop", 1, 7, 1, 1000, defaultReward, minClosedFraction);
  }

  private List<Output> on(Event event) {
    return experiment.on(event, state, pending);
  }

  private Decided context(String id) {
    return assertInstanceOf(Decided.class, on(new ContextArrived(id, 0, 0, 1)).get(0));
  }

  /** Gives out the quota of the first phase. */
  private int fillPhase() {
    int pulls = design.plan().get(0).pulls();
    for (int i = 0; i < pulls; i++) {
      assertEquals(Role.SAMPLE, context("c" + i).role());
    }
    return pulls;
  }

  @Test
  void contextsBeyondTheQuotaAreHeldByTheIncumbentUntilThePhaseCloses() {
    int pulls = fillPhase();
    Decided held = context("more");
    assertEquals(new Decided("more", Role.NOT_SAMPLED, 1, -1, -1, false), held);
    List<Output> out = on(new TimePassed(1000));
    assertEquals(pulls, out.stream().filter(Settled.class::isInstance).count());
    PhaseRecord record = assertInstanceOf(PhaseClosed.class, out.get(out.size() - 1)).phase();
    assertEquals(1, record.phase().l());
    assertEquals(1, record.counters().notSampled());
    assertEquals(Role.SAMPLE, context("next").role());
    assertEquals(1, state.phase().place());
  }

  @Test
  void aRepeatedContextIsAnsweredAlikeAndCountedOnce() {
    Decided first = context("c");
    Decided again = context("c");
    assertTrue(again.isRepeat());
    assertEquals(first.arm(), again.arm());
    assertEquals(1, state.pulls());
  }

  @Test
  void anOutcomeCountsOnceAndOnlyWithinItsWindow() {
    context("a");
    context("b");
    OutcomeArrived outcome = new OutcomeArrived("a", 1000, 0, 1);
    assertEquals(List.of(new Settled("a", 0, Settlement.COUNTED)), on(outcome));
    assertEquals(List.of(new Ignored("a", Reason.DUPLICATE)), on(outcome));
    assertEquals(List.of(new Ignored("b", Reason.LATE)), on(new OutcomeArrived("b", 1001, 0, 1)));
    assertEquals(List.of(new Ignored("x", Reason.UNKNOWN)), on(new OutcomeArrived("x", 0, 0, 1)));
    assertEquals(1, state.sums.arrived(0));
  }

  @Test
  void whatCannotBeAnOutcomeIsRefusedWithItsReasonAndThePullStaysOpen() {
    context("a");
    assertRefused("must be in [0, 1], not 1.5", new OutcomeArrived("a", 1, 0, 1.5));
    assertRefused("must be in [0, 1], not NaN", new OutcomeArrived("a", 1, 0, Double.NaN));
    assertRefused("no level number 2", new OutcomeArrived("a", 1, 2, 1));
    assertRefused("was not observed", new OutcomeArrived("a", 1, -1, 1));
    assertRefused("no level number 9", new LevelObserved("a", 9));
    assertEquals(List.of(), on(new LevelObserved("a", 1)));
    assertRefused("level 1 before, now at 0", new OutcomeArrived("a", 1, 0, 1));
    assertEquals(
        List.of(new Settled("a", 0, Settlement.COUNTED)), on(new OutcomeArrived("a", 1, -1, 1)));
  }

  private void assertRefused(String reason, Event event) {
    Refused refused = assertInstanceOf(Refused.class, on(event).get(0));
    assertTrue(refused.reason().contains(reason), refused::toString);
  }

  @Test
  void aContextOutsideOfTheModelIsRefusedYetAnswered() {
    List<Output> out = on(new ContextArrived("c", 0, 0, 99));
    assertInstanceOf(Refused.class, out.get(0));
    assertEquals(new Decided("c", Role.NOT_SAMPLED, 1, -1, -1, false), out.get(1));
    assertEquals(Role.NOT_SAMPLED, ((Decided) on(new ContextArrived("d", 0, 0, -1)).get(0)).role());
  }

  @Test
  void aWindowThatClosesCountsTheDefaultIfTheLevelIsKnownAndElseNothing() {
    context("a");
    context("b");
    on(new LevelObserved("a", 1));
    List<Output> out = on(new TimePassed(1000));
    assertEquals(
        List.of(new Settled("a", 0, Settlement.COUNTED), new Settled("b", 0, Settlement.MISSING)),
        out);
    assertEquals(1, state.sums.arrived(0));
    assertEquals(0, pending.size());
  }

  @Test
  void anAbortedExperimentServesTheIncumbentAndCannotBeAbortedAgain() {
    context("a");
    Ended ended = assertInstanceOf(Ended.class, on(new Abort("too slow")).get(0));
    assertEquals(new TerminalRecord.Aborted("too slow", 1, state.costSpent()), ended.result());
    assertEquals(new Decided("b", Role.RECOMMENDED, 1, -1, -1, false), context("b"));
    assertEquals(
        List.of(new Settled("a", 0, Settlement.AFTER_END)), on(new OutcomeArrived("a", 1, 0, 1)));
    assertRefused("is over", new Abort("again"));
  }

  @Test
  void theArmThatWasFoundIsServedWithItsCertificate() {
    TerminalRecord end = finish();
    TerminalRecord.BestFairArm found = assertInstanceOf(TerminalRecord.BestFairArm.class, end);
    assertTrue(found.margin() > 0);
    assertTrue(found.pulls() <= 100);
    assertEquals(found.finding().arm(), state.served());
    assertEquals(
        new Decided("z", Role.RECOMMENDED, found.finding().arm(), -1, -1, false),
        on(new ContextArrived("z", 0, 0, 0)).get(0));
  }

  private TerminalRecord finish() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; ; i++) {
      String id = "f" + i;
      on(new ContextArrived(id, 0, random.nextInt(2), random.nextInt(2)));
      for (Output output : on(new OutcomeArrived(id, 0, random.nextInt(2), random.nextInt(2)))) {
        if (output instanceof Ended ended) {
          return ended.result();
        }
      }
    }
  }

  @Test
  void anExperimentWithMorePhasesThanSamplesEndsToo() {
    for (Algorithm algorithm : Algorithm.values()) {
      Design tiny = Fixtures.design(MODEL, algorithm, Mode.NATURAL, 5, 2);
      Experiment short5 = new Experiment(tiny, conduct(OptionalDouble.empty(), 1));
      ExperimentState begun = short5.begin();
      MemoryPulls awaited = new MemoryPulls();
      for (int i = 0; i < 5; i++) {
        assertTrue(!begun.isOver() || i > 0, algorithm + " took " + i);
        short5.on(new ContextArrived("c" + i, 0, 0, 0), begun, awaited);
        short5.on(new OutcomeArrived("c" + i, 0, 0, 1), begun, awaited);
      }
      assertTrue(begun.isOver(), algorithm.wire());
    }
  }

  @Test
  void everyPartOfAConfigurationIsInItsHash() {
    String hash = experiment.configHash();
    assertEquals(hash, new Experiment(design, conduct(OptionalDouble.of(0), 1)).configHash());
    assertNotEquals(hash, new Experiment(design, conduct(OptionalDouble.of(1), 1)).configHash());
    Design other = Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.NATURAL, 101, .5);
    assertNotEquals(hash, new Experiment(other, conduct(OptionalDouble.of(0), 1)).configHash());
    CsrModel model = RandomModels.model(new SplittableRandom(6), 3, 2, 2);
    other = Fixtures.design(model, Algorithm.CSR_V2, Mode.NATURAL, 100, .5);
    assertNotEquals(hash, new Experiment(other, conduct(OptionalDouble.of(0), 1)).configHash());
  }

  @Test
  void anExperimentThatForgetsPhasesMustWaitForAllWindows() {
    Design first = Fixtures.design(MODEL, Algorithm.CSR_V1, Mode.NATURAL, 100, .5);
    Conduct graceful = conduct(OptionalDouble.empty(), .98);
    String message =
        assertThrows(IllegalArgumentException.class, () -> new Experiment(first, graceful))
            .getMessage();
    assertTrue(message.contains("csr-v1 forgets earlier phases"), message);
    assertThrows(IllegalArgumentException.class, () -> conduct(OptionalDouble.of(1.5), 1));
  }

  /** 30 arms, 10 phases: dense bins take 283 KB, and cells far less. */
  @Test
  void theStateIsAsBigAsPlanned() {
    CsrModel model = Fixtures.model("loose");
    Design large = Fixtures.design(model, Algorithm.CSR_V2, Mode.SEPARATE, 10_000, .15);
    ExperimentState bins = new Experiment(large, conduct(OptionalDouble.empty(), 1), true).begin();
    ExperimentState cells = new Experiment(large, conduct(OptionalDouble.empty(), 1)).begin();
    int before = bins.byteLength();
    for (int arm = 0; arm < 30; arm++) {
      for (int type = 0; type < 3; type++) {
        bins.sums.add(type, type == 2 ? 1 : 0, arm, 0, 0, 1);
        cells.sums.add(type, type == 2 ? 1 : 0, arm, 0, 0, 1);
      }
    }
    int dense = bins.byteLength() - before;
    assertEquals(
        3 * 30 * (30 * 13 * 8 + 28), dense, "27,000 doubles, one bin and two sums more an arm");
    assertTrue(cells.byteLength() < dense, "cells take " + cells.byteLength());
  }

  @Test
  void bytesThatCannotBeAStateAreRefused() {
    context("a");
    on(new OutcomeArrived("a", 0, 0, 1));
    byte[] whole = ExperimentRun.bytes(state);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(
          RuntimeException.class,
          () -> ExperimentState.readFrom(ByteBuffer.wrap(part), design),
          "cut at " + length);
    }
    byte[] other = whole.clone();
    other[0] = 9;
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> ExperimentState.readFrom(ByteBuffer.wrap(other), design))
            .getMessage();
    assertTrue(message.contains("format 9"), message);
  }
}
