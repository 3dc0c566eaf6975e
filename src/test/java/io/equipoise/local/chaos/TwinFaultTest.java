package io.equipoise.local.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.local.chaos.ChaosResult.Row;
import io.equipoise.local.chaos.ChaosRun.Borne;
import io.equipoise.local.cluster.ClusterException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a second job under the same deployment is judged; without any process. */
class TwinFaultTest {
  private static final Judgement NOTHING_FOUND = new Judgement(List.of(), 9, 8, 7);

  private static Row row(Harm harm, Judgement judgement) {
    Injection twin = Injection.parse("twin-job");
    Borne borne = new Borne(List.of(0.4), harm.violations());
    return ChaosRun.row(twin, borne, judgement, NOTHING_FOUND);
  }

  private static void refuse(String why) {
    throw new ClusterException("the job was not accepted; " + why);
  }

  @Test
  void aRefusedStartIsGood() {
    Harm harm = TwinFault.start(() -> refuse("another job of deployment chaos is writing"));
    Row row = row(harm, NOTHING_FOUND);
    assertTrue(row.isGood());
    assertFalse(row.isExpected());
    assertEquals(List.of(), row.violations());
  }

  @Test
  void aStartThatIsNotRefusedIsAViolationEvenIfItDidNoHarm() {
    Harm harm = TwinFault.start(() -> {});
    assertEquals(List.of(TwinFault.NOT_REFUSED), row(harm, NOTHING_FOUND).violations());
    assertFalse(row(harm, NOTHING_FOUND).isGood());
    Judgement doubled = new Judgement(List.of("I1: a/b has 2 decisions"), 9, 8, 7);
    assertEquals(
        List.of(TwinFault.NOT_REFUSED, "I1: a/b has 2 decisions"), row(harm, doubled).violations());
  }

  @Test
  void aStartThatFailsForAnotherReasonProvesNothing() {
    ClusterException failure = new ClusterException("the job was not accepted; out of memory");
    Runnable start =
        () -> {
          throw failure;
        };
    assertSame(failure, assertThrows(ClusterException.class, () -> TwinFault.start(start)));
  }
}
