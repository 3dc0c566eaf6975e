package io.equipoise.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.report.ExperimentLog;
import io.equipoise.audit.report.LoggedExperiment;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.event.Wire;
import io.equipoise.segment.OfferRun;
import io.equipoise.segment.OfferTraffic;
import io.equipoise.segment.RecordedLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the report makes of an experiment's records, in any order and read from their bytes. */
@Tag("slow")
class ExperimentLogTest {
  private static final RecordedLog LOG = new OfferRun(OfferTraffic.spec(), 1).log;
  private static final List<ExperimentRecord> RECORDS = LOG.experiments;

  private static ExperimentLog log(List<ExperimentRecord> records) {
    ExperimentLog log = new ExperimentLog();
    records.forEach(record -> log.add(Wire.EXPERIMENT.decode(Wire.EXPERIMENT.encode(record))));
    return log;
  }

  private static String text(LoggedExperiment experiment) {
    return experiment.lines().stream().collect(Collectors.joining("\n"));
  }

  @Test
  void theReportSaysWhatWasFoundWhatWasTriedWhatWasDroppedWhenAndWhy() {
    List<LoggedExperiment> all = log(RECORDS).experiments(null);
    assertEquals(1, all.size());
    String text = text(all.get(0));
    for (String piece :
        List.of(
            "Segment segment-1, spec 1 (",
            "Groups s = young and s' = old of age; contexts that are not sampled get as-is; cost of"
                + " at most 0.5 per sample.",
            "big-offers is the best fair arm",
            "NOT certified fair, effect in [-0.1020, -0.0032] at delta 0.05",
            "csr-v2, sampling natural, fairness counterfactual: T = 3000, E = 0.0800",
            "Samples",
            "  phase 1: 1024 samples, ",
            "Eliminated arms",
            "web-offers, unfair: ",
            "After phase 8: intervals of effects, and")) {
      assertTrue(text.contains(piece), piece + " is not in\n" + text);
    }
  }

  @Test
  void anAnswerSaysHowFarItCanBeTrustedAndSoDoTheDecisionsThatServeIt() {
    assertEnd(LOG, AuditGuarantee.NONE);
    String loose = OfferTraffic.spec().replace("tau: 0.08", "tau: 0.15");
    assertEnd(new OfferRun(loose, 1).log, AuditGuarantee.ANYTIME);
  }

  private static void assertEnd(RecordedLog log, AuditGuarantee guarantee) {
    boolean isCertified = guarantee == AuditGuarantee.ANYTIME;
    ExperimentRecord end = log.experiments.get(log.experiments.size() - 1);
    TerminalAudit terminal = Objects.requireNonNull(end.terminal());
    assertEquals(TerminalKind.BEST_FAIR_ARM, terminal.kind());
    assertEquals(guarantee, terminal.guarantee());
    assertEquals(0.05, terminal.delta());
    assertEquals(isCertified, terminal.margin() != null);
    ArmAudit arm = terminal.arms().get(0);
    assertTrue(
        Objects.requireNonNull(arm.effectLower()) < Objects.requireNonNull(arm.effectUpper()));
    Decision last = log.decisions.get(log.decisions.size() - 1);
    assertEquals(DecisionReason.RECOMMENDED, last.reason());
    assertEquals(isCertified, last.certified());
  }

  @Test
  void theOrderOfRecordsAndThoseOfEarlierWriterEpochsDoNotMatter() {
    String expected = text(log(RECORDS).experiments(null).get(0));
    List<ExperimentRecord> mixed = new ArrayList<>(RECORDS);
    Collections.reverse(mixed);
    mixed.addAll(RECORDS);
    ExperimentLog log = log(mixed);
    assertEquals(1, log.experiments("segment-1").size());
    assertEquals(expected, text(log.experiments("segment-1").get(0)));
    assertEquals(List.of(), log.experiments("another"));
  }

  @Test
  void anExperimentThatRunsHasAReportToo() {
    LoggedExperiment running = log(RECORDS.subList(0, 2)).experiments(null).get(0);
    assertTrue(text(running).contains("The experiment is running."), text(running));
    assertEquals(false, running.json().get("isOver"));
    assertEquals(2, ((List<?>) running.json().get("phases")).size());
  }
}
