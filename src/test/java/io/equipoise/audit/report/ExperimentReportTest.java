package io.equipoise.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.AbortReason;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.segment.OfferRun;
import io.equipoise.segment.OfferTraffic;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ExperimentReportTest {
  private static final LoggedExperiment LOOSE = run("tau: 0.08", "tau: 0.15");

  private static LoggedExperiment run(String text, String instead) {
    String spec = OfferTraffic.spec().replace(text, instead);
    List<ExperimentRecord> records = new OfferRun(spec, 1).log.experiments;
    int last = records.size() - 1;
    return new LoggedExperiment(records.subList(0, last), records.get(last));
  }

  private static PhaseAudit phase(ExperimentRecord record) {
    return Objects.requireNonNull(record.phase());
  }

  private static String text(LoggedExperiment experiment) {
    return String.join("\n", experiment.lines());
  }

  private static LoggedExperiment endedBy(TerminalAudit end) {
    ExperimentRecord record = Objects.requireNonNull(LOOSE.end());
    return new LoggedExperiment(LOOSE.phases(), Tamper.with(record, "terminal", end));
  }

  private static TerminalAudit end() {
    return Objects.requireNonNull(Objects.requireNonNull(LOOSE.end()).terminal());
  }

  @Test
  void theReportSaysWhatWasTriedWhatWasDroppedAndWhy() {
    List<String> lines = LOOSE.lines();
    String text = text(LOOSE);
    assertTrue(lines.get(2).startsWith("segment-1, version 1: "), text);
    assertTrue(
        lines.get(3).startsWith("csr-v2, sampling natural, fairness counterfactual: T = 3000"));
    for (ExperimentRecord record : LOOSE.phases()) {
      PhaseAudit phase = phase(record);
      assertTrue(text.contains("phase " + phase.number() + ": " + phase.samples()), text);
      for (EliminationAudit elimination : phase.eliminated()) {
        String name = "phase " + phase.number() + ": " + elimination.arm() + ", ";
        assertTrue(text.contains(name), text);
      }
    }
    long drawn = lines.stream().filter(line -> line.contains("o") && line.contains("..")).count();
    int left = phase(LOOSE.phases().get(LOOSE.phases().size() - 1)).arms().size();
    assertTrue(drawn >= 3L * left, text);
  }

  @Test
  void onlyAnAnswerWithAGuaranteeIsCalledCertifiedOrProved() {
    assertEquals(AuditGuarantee.ANYTIME, end().guarantee());
    String first = LOOSE.lines().get(2);
    assertTrue(first.contains(" certified fair at delta 0.05 with margin "), first);
    assertTrue(first.contains(", effect in ["), first);
    TerminalAudit byBand =
        Tamper.with(Tamper.with(end(), "guarantee", AuditGuarantee.NONE), "margin", null);
    first = endedBy(byBand).lines().get(2);
    assertTrue(first.contains("NOT certified fair"), first);
    TerminalAudit none = Tamper.with(end(), "kind", TerminalKind.NO_FAIR_ARM);
    first = endedBy(none).lines().get(2);
    assertTrue(first.contains("this does not prove any arm unfair"), first);
  }

  /** A deployment with a minimum count writes phases without counts. */
  @Test
  void countsThatAreNotToldAreNotMadeUp() {
    ExperimentRecord first = LOOSE.phases().get(0);
    PhaseCounts counts = new PhaseCounts(List.of(-1L), -1, 0, 4, 0, 0);
    ExperimentRecord told =
        first.with(first.design(), phase(first).with(List.of(), counts), first.redaction());
    String text = text(new LoggedExperiment(List.of(told), null));
    assertTrue(text.contains("samples, 4 not sampled; counts by arm are suppressed"), text);
    assertFalse(text.contains("-1 without"), text);
  }

  @Test
  void stagesOfATwoStageSearchAreNamed() {
    String text = text(run("name: csr-v2", "name: ts-v2"));
    assertTrue(text.contains("phase 1 (fairness)"), text);
    assertTrue(text.contains("NOT certified fair") || text.contains("no fair arm"), text);
  }

  @Test
  void anAbortedAndARunningExperimentHaveAReportToo() {
    TerminalAudit aborted =
        Tamper.with(
            Tamper.with(end(), "kind", TerminalKind.ABORTED), "abortReason", AbortReason.REQUESTED);
    LoggedExperiment ended = new LoggedExperiment(List.of(), endedBy(aborted).end());
    assertEquals(
        List.of(
            "segment-1, version 1: aborted: a newer version of its spec requested it",
            "No phase was closed."),
        ended.lines().subList(1, 3));
    LoggedExperiment running = new LoggedExperiment(LOOSE.phases(), null);
    assertEquals("The experiment is running.", running.lines().get(2));
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
