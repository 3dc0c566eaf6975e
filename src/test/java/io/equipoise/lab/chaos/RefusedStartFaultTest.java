package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.chaos.ChaosResult.Row;
import io.equipoise.lab.chaos.ChaosRun.FaultResult;
import io.equipoise.lab.chaos.Fault.FaultEffect;
import io.equipoise.lab.chaos.FaultCatalog.Injection;
import io.equipoise.lab.chaos.LogVerifier.VerifiedLog;
import io.equipoise.tools.cluster.ClusterException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a start that must be refused is checked; without any process. */
class RefusedStartFaultTest {
  private static final VerifiedLog NOTHING_FOUND = new VerifiedLog(List.of(), 9, 8, 7);
  private static final RefusedStartFault TWIN = fault("twin-job");

  private static RefusedStartFault fault(String name) {
    return (RefusedStartFault) FaultCatalog.named(name);
  }

  private static Row row(FaultEffect effect, VerifiedLog verified) {
    Injection twin = Injection.parse("twin-job");
    FaultResult result = new FaultResult(List.of(0.4), effect.violations());
    return ChaosRun.row(twin, result, verified, NOTHING_FOUND);
  }

  private static void refuse(String why) {
    throw new ClusterException("the job was not accepted; " + why);
  }

  @Test
  void aRefusedStartIsGood() {
    FaultEffect effect = TWIN.start(() -> refuse("another job of deployment chaos is running"));
    Row row = row(effect, NOTHING_FOUND);
    assertTrue(row.isGood());
    assertFalse(row.isExpected());
    assertEquals(List.of(), row.violations());
  }

  @Test
  void aStartThatIsNotRefusedIsAViolationEvenIfItDidNoHarm() {
    FaultEffect effect = TWIN.start(() -> {});
    assertEquals(List.of(TWIN.accepted()), row(effect, NOTHING_FOUND).violations());
    assertFalse(row(effect, NOTHING_FOUND).isGood());
    VerifiedLog doubled = new VerifiedLog(List.of("I1: a/b has 2 decisions"), 9, 8, 7);
    assertEquals(
        List.of(TWIN.accepted(), "I1: a/b has 2 decisions"), row(effect, doubled).violations());
  }

  @Test
  void aStartThatFailsForAnotherReasonProvesNothing() {
    assertProvesNothing(TWIN, "out of memory");
    assertProvesNothing(fault("old-savepoint"), "another job of deployment chaos is running");
    assertProvesNothing(fault("foreign-savepoint"), "is older than the topics of deployment chaos");
  }

  private static void assertProvesNothing(RefusedStartFault fault, String why) {
    ClusterException failure = new ClusterException("the job failed: " + why);
    Runnable start =
        () -> {
          throw failure;
        };
    assertSame(failure, assertThrows(ClusterException.class, () -> fault.start(start)));
  }
}
