package io.equipoise.bandit.csr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.csr.TerminalRecord.BestFairArm;
import io.equipoise.bandit.csr.TerminalRecord.NoFairArm;
import io.equipoise.fairness.Guarantee;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExperimentReportTest {
  private final ExperimentReport report = new ExperimentReport(arm -> "offer-" + arm);

  private static ExperimentRun run(Algorithm algorithm, double bound) {
    CsrModel model = RandomModels.model(new SplittableRandom(12), 4, 3, 2);
    Design design = Fixtures.design(model, algorithm, Mode.NATURAL, 3000, bound);
    Conduct conduct = new Conduct("shop", 3, 5, 0, ExperimentRun.WINDOW, OptionalDouble.empty(), 1);
    ExperimentRun run =
        new ExperimentRun(new Experiment(design, conduct), conduct, new SplittableRandom(6));
    run.run(1_000_000);
    return run;
  }

  @Test
  void theReportSaysWhatWasTriedWhatWasDroppedAndWhy() {
    ExperimentRun run = run(Algorithm.CSR_V2, .3);
    List<String> lines = report.lines(run.phases, run.end);
    String text = String.join("\n", lines);
    TerminalRecord end = run.end;
    assertNotNull(end);
    assertTrue(lines.get(0).startsWith("shop, version 3: "), text);
    assertTrue(lines.get(1).startsWith("csr-v2, pulls natural, fairness counterfactual: T = 3000"));
    for (PhaseRecord phase : run.phases) {
      assertTrue(text.contains("phase " + phase.phase().l() + ": " + phase.phase().pulls()), text);
      for (Elimination elimination : phase.verdict().eliminated()) {
        String name = "phase " + phase.phase().l() + ": offer-" + elimination.arm() + ", ";
        assertTrue(text.contains(name), text);
      }
    }
    assertTrue(text.contains("to 3: nothing; no arm was within the band, which was 0.3750"));
    long drawn = lines.stream().filter(line -> line.contains("o") && line.contains("..")).count();
    int left = run.phases.get(run.phases.size() - 1).arms().size();
    assertTrue(drawn >= 3L * left, text);
  }

  @Test
  void onlyAnAnswerWithAGuaranteeIsCalledCertifiedOrProved() {
    ExperimentRun run = run(Algorithm.CSR_V2, .3);
    BestFairArm end = (BestFairArm) Objects.requireNonNull(run.end);
    assertEquals(Guarantee.ANYTIME, end.guarantee());
    ArmFinding arm = end.finding();
    double reach = Math.max(Math.abs(arm.effectLower()), Math.abs(arm.effectUpper()));
    assertTrue(end.margin() > 0 && end.margin() <= .3 - reach);
    String first = report.lines(run.phases, end).get(0);
    assertTrue(first.contains("certified fair at delta 0.05 with "), first);
    assertTrue(first.contains(", effect in ["), first);
    BestFairArm byBand =
        new BestFairArm(
            end.key(),
            end.version(),
            arm,
            end.phase(),
            end.by(),
            Double.NaN,
            end.delta(),
            Guarantee.NONE,
            -1,
            Double.NaN,
            end.pulls(),
            end.costSpent());
    first = report.lines(run.phases, byBand).get(0);
    assertTrue(first.contains("NOT certified fair"), first);
    NoFairArm none =
        new NoFairArm("shop", 3, false, .05, Guarantee.NONE, end.phase(), List.of(arm), 9, 0);
    first = report.lines(run.phases, none).get(0);
    assertTrue(first.contains("this proves of no arm that it is unfair"), first);
  }

  /** As a deployment with a minimum count writes them. */
  @Test
  void countsThatAreNotToldAreNotMadeUp() {
    ExperimentRun run = run(Algorithm.CSR_V2, .3);
    PhaseRecord first = run.phases.get(0);
    PhaseRecord told =
        new PhaseRecord(
            first.key(),
            first.version(),
            first.algorithm(),
            first.mode(),
            first.fairness(),
            first.verdict(),
            first.phases(),
            first.samples(),
            first.bound(),
            first.allocation(),
            new int[1][first.counts()[0].length],
            new long[] {-1},
            new PhaseRecord.Counters(0, -1, 0, 0, 4),
            first.costSpent(),
            first.arms(),
            first.configHash(),
            first.statsHash());
    String text = String.join("\n", report.lines(List.of(told), null));
    assertTrue(text.contains("pulls, 4 held; by arm they are not told"), text);
    assertFalse(text.contains("-1 without"), text);
  }

  @Test
  void stagesOfATwoStageSearchAreNamed() {
    ExperimentRun run = run(Algorithm.TS_V2, .3);
    String text = String.join("\n", report.lines(run.phases, run.end));
    assertTrue(text.contains("phase 1 (fairness)"), text);
    assertTrue(text.contains("NOT certified fair") || text.contains("no fair arm"), text);
  }

  @Test
  void anAbortedAndARunningExperimentHaveAReportToo() {
    TerminalRecord aborted = new TerminalRecord.Aborted("shop", 1, "wrong prices", 12, 0);
    assertEquals(
        List.of("shop, version 1: aborted: wrong prices", "No phase was closed."),
        report.lines(List.of(), aborted));
    assertEquals("The experiment is running.", report.lines(List.of(), null).get(0));
  }

  @Test
  void intervalsAreDrawnToScaleBetweenTheirBounds() {
    Scale scale = new Scale(-.24, .24);
    String line = scale.interval(-.05, 0, .05, .2);
    assertEquals("....|..............(====o====)..............|....", line);
    line = scale.interval(-.5, -.2, .1, Double.NaN);
    assertEquals("<===o=============================)..............", line);
    assertEquals(".".repeat(49), scale.interval(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    assertEquals("-0.240                                      0.240", scale.axis());
  }
}
