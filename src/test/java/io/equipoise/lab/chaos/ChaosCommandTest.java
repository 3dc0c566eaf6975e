package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.chaos.ChaosResult.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code chaos} takes, refuses and tells; without any process. */
class ChaosCommandTest {
  @Test
  void anUnknownFaultAndABadCountAreRefusedWithWhatMayBeGiven() {
    assertEquals(
        "--fault: unknown fault kill-moon; use kill-taskmanager, kill-jobmanager, kill-broker,"
            + " kill-zookeeper, kill-gateway, freeze-taskmanager, freeze-jobmanager, freeze-broker,"
            + " silent-brokers, silent-brokers-long, silent-brokers-of-run,"
            + " silent-brokers-of-run-long, quiet, power-loss, partition, one-way, cut-leader,"
            + " loss, delay, rescale, upgrade, full-disk, hang-checkpoint-storage, full-broker-disk, clock-ahead,"
            + " clock-behind, clock-jump, expire-transactions, slow-consumer, add-partitions, add-partitions-and-rescale, change-specs, outage, twin-job,"
            + " twin-job-idle, old-savepoint, foreign-savepoint, replaced-contexts",
        refusal("--fault", "kill-moon:3"));
    assertEquals(
        "--fault: the count in rescale:0 must be a number from 1 to 999999",
        refusal("--fault", "kill-broker:2,rescale:0"));
    assertEquals("--fault: one-way requires --hosts", refusal("--fault", "quiet,one-way:2"));
    assertEquals("--fault: loss requires --hosts", refusal("--fault", "loss"));
    assertEquals(
        "--fault: full-disk does not work with --hosts; use kill-taskmanager, kill-jobmanager,"
            + " kill-broker, kill-zookeeper, kill-gateway, freeze-taskmanager, freeze-jobmanager,"
            + " freeze-broker, silent-brokers, silent-brokers-long, quiet, power-loss, partition,"
            + " one-way, cut-leader, loss, delay, full-broker-disk, clock-ahead, clock-behind, clock-jump",
        refusal("--hosts", "--fault", "partition,full-disk"));
    assertEquals("--rate must be 1 to 10000, not 0", refusal("--rate", "0"));
    assertEquals("--site must be 0 to 1000, not 1001", refusal("--site", "1001"));
    assertEquals(
        "Invalid value for option '--delivery': 'most' must be one of [exactly-once,"
            + " at-least-once]",
        refusal("--delivery", "most"));
    assertEquals(
        "--spec-changes and --fault change-specs change the same specs",
        refusal("--spec-changes", "--fault", "change-specs"));
    assertEquals(
        "--fault: an outage loses transactions, and with --delivery at-least-once there are none",
        refusal("--delivery", "at-least-once", "--fault", "kill-broker,outage"));
  }

  @Test
  void medianAndMaximumAreOfTheRecoveries() {
    Row row = row(15L, List.of(9.0, 3.0, 5.0, 14.0), List.of(), false);
    assertEquals(7, row.median());
    assertEquals(14, row.max());
    assertTrue(row.isGood());
  }

  @Test
  void aRecoveryBeyondItsBudgetOrAViolationIsNotGood() {
    Row late = row(15L, List.of(9.0, 15.1), List.of(), false);
    assertEquals(1, late.overBudget());
    assertFalse(late.isGood());
    assertFalse(row(15L, List.of(9.0), List.of("I4: seq 3 of a/0 is missing"), false).isGood());
    assertTrue(row(null, List.of(99.0), List.of(), false).isGood());
    assertFalse(row(null, List.of(Double.POSITIVE_INFINITY), List.of(), false).isGood());
  }

  @Test
  void aLossBeyondThePromiseIsGoodOnlyIfItIsDetected() {
    assertFalse(row(null, List.of(9.0), List.of(), true).isGood());
    assertTrue(row(null, List.of(9.0), List.of("I4: seq 3 of a/0 is missing"), true).isGood());
  }

  @Test
  void theReportHasARowAFaultAndTheFirstViolations() {
    ChaosResult result =
        new ChaosResult(
            "at-least-once",
            1,
            40,
            List.of(
                row(15L, List.of(4.0, 8.0, 16.0), List.of("I1: a/b has 2 decisions"), false),
                row(null, List.of(), List.of(), true)),
            10,
            11,
            9,
            61.4);
    assertEquals(
        List.of(
            "fault        times        invariants  median s  max s  budget s  over",
            "kill-broker      3        1 VIOLATED       8.0   16.0        15     1",
            "kill-broker      0  NOTHING DETECTED         -      -         -     -",
            "",
            "at-least-once: 10 contexts, 11 rewards, 9 snapshots checked; 40/s, seed 1, 61 s",
            "kill-broker: I1: a/b has 2 decisions"),
        result.lines());
  }

  private static Row row(
      Long budget, List<Double> recoveries, List<String> violations, boolean isExpected) {
    return new Row("kill-broker", recoveries.size(), budget, recoveries, violations, isExpected);
  }

  private static String refusal(String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new ChaosCommand()).setErr(new PrintWriter(err, true));
    assertEquals(2, command.execute(arguments));
    return err.toString().lines().findFirst().orElse("");
  }
}
