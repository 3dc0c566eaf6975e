package io.equipoise.console.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.VerifyCommand;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.cli.OptionValues;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.console.document.Wording;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.tools.evaluate.LoggedRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Recomputes the figures from the records in another way: by lists and sets of all of them. */
class ReportFiguresTest {
  private static final String FAR = "+999999999-01-01T00:00:00Z";

  private static final int DECISIONS = 1_500;
  private static final LoggedRun RUN = Logs.run("offers", DECISIONS);
  private static final long MEMORY = 64 << 20;

  /** Before the period. */
  private static final long SINCE = LoggedRun.START + 7_000;

  /** Begins and ends in the middle, so that some rewards belong to earlier decisions. */
  private static final Period PERIOD =
      new Period(LoggedRun.START + 200_500, LoggedRun.START + 1_300_500);

  private static final Period ALL = new Period(LoggedRun.START - 1, LoggedRun.START + 10_000_000);

  private static ReportFigures figures(Period period, long minGroupSize) {
    return ReportFigures.of(RUN.log, "offers", period, minGroupSize, MEMORY);
  }

  private static <T> List<T> within(LogTopic topic, Function<byte[], T> decode) {
    List<T> all = new ArrayList<>();
    for (LogRecord at : RUN.log.records(topic, 1)) {
      if (PERIOD.contains(at.timestamp())) {
        all.add(decode.apply(at.value()));
      }
    }
    return all;
  }

  /** A report that skips redacted effects says that nobody's exceeds the limit. */
  @Test
  void optionsWithoutMeaningAreRefusedBeforeTopicsAreRead() {
    String[] report = {"--segment", "a", "--out", "-", "--from", "2026-01-05T08:00:00Z", "", ""};
    refused(new FairnessReportCommand(), "is no time like", with(report, "--to", FAR));
    refused(new FairnessReportCommand(), "not after", with(report, "--to", "2026-01-01T00:00:00Z"));
    refused(new FairnessReportCommand(), "'-1' is no whole number", with(report, "--memory", "-1"));
    refused(new VerifyCommand(), "'0' is no whole number from 1", "--timeout", "0");
  }

  private static String[] with(String[] words, String option, String value) {
    words[words.length - 2] = option;
    words[words.length - 1] = value;
    return words;
  }

  private static void refused(Object verb, String message, String... words) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = new CommandLine(verb).setErr(new PrintWriter(err, true));
    OptionValues.register(commandLine);
    assertEquals(2, commandLine.execute(words), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }

  @Test
  void aSegmentWithoutRecordsHasNoReport() {
    assertNull(figures(PERIOD, 1).absence());
    assertEquals(
        "the period has no record of segment ofers; did you mean offers? check --segment, --from"
            + " and --to",
        ReportFigures.of(RUN.log, "ofers", PERIOD, 1, MEMORY).absence());
    Period before = new Period(0, LoggedRun.START);
    assertEquals(
        "the period has no record of segment offers; check --segment, --from and --to",
        figures(before, 1).absence());
  }

  @Test
  void silenceThatIsARewardIsNoMissingReward() {
    String missing = "<td>decisions without a reward in time</td>";
    assertTrue(ReportPage.of(figures(PERIOD, 1), "d", null, 0).contains(missing));
    MemoryLog log = new MemoryLog();
    int[] learned = new int[1];
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.SEGMENT_EVENTS) {
            SegmentEvent event = Wire.SEGMENT_EVENT.decode(value);
            if (event.learned()) {
              learned[0]++;
              value =
                  Wire.SEGMENT_EVENT.encode(
                      Rewritten.with(
                          SegmentEvent.class, event, "type", SegmentEventType.REWARD_TIMEOUT));
            }
          }
          log.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures figures = ReportFigures.of(log, "offers", ALL, 1, MEMORY);
    String page = ReportPage.of(figures, "d", null, 0);
    assertEquals(learned[0], figures.silent);
    String silent = "decisions without a reward in time, of which reward.default was learned</td>";
    assertTrue(page.contains(silent + "<td>" + Wording.count(learned[0]) + "</td>"), page);
    String nothing = "decisions without a reward in time, of which nothing was learned</td>";
    assertTrue(page.contains(nothing + "<td>0</td>"), page);
    assertFalse(page.contains(missing), page);
  }

  /** An id that the job had forgotten is decided again. */
  @Test
  void eachRewardOfAnIdWithSeveralDecisionsCountsForThePersonOfItsOwnDecision() {
    MemoryLog log = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value =
              switch (at.slice().topic()) {
                case DECISIONS ->
                    Wire.DECISION.encode(
                        Tamper.with(Wire.DECISION.decode(at.value()), "decisionId", "one"));
                case AUDIT ->
                    Wire.AUDIT.encode(
                        Tamper.with(Wire.AUDIT.decode(at.value()), "decisionId", "one"));
                case SEGMENT_EVENTS -> {
                  SegmentEvent event = Wire.SEGMENT_EVENT.decode(at.value());
                  yield Wire.SEGMENT_EVENT.encode(
                      event.decision() == null ? event : Tamper.with(event, "decision.id", "one"));
                }
                default -> at.value();
              };
          log.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures ofOneId = ReportFigures.of(log, "offers", PERIOD, 1, MEMORY);
    assertEquals(figures(PERIOD, 1).groups, ofOneId.groups);
    assertEquals(figures(PERIOD, 1).rewardsOfOtherDecisions, ofOneId.rewardsOfOtherDecisions);
  }

  @Test
  void whatTriedAnArmIsNoConstraint() {
    MemoryLog log = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.DECISIONS) {
            value =
                Wire.DECISION.encode(
                    Rewritten.with(
                        Decision.class,
                        Wire.DECISION.decode(value),
                        "reason",
                        DecisionReason.FORCED_EXPLORATION));
          }
          log.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    String page = ReportPage.of(ReportFigures.of(log, "offers", ALL, 1, MEMORY), "d", null, 0);
    String tried = "policy.explore or the rule tried an arm that has too few rewards";
    assertTrue(page.contains("<td>%s</td><td>1,500</td>".formatted(tried)), page);
    assertTrue(page.contains("<td>FORCED_EXPLORATION</td><td>%s.</td>".formatted(tried)), page);
    assertFalse(page.contains("forced an exploration"), page);
  }

  @Test
  void aRefusedContextIsNoDecision() {
    MemoryLog log = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.DECISIONS && at.offset() % 5 == 0) {
            value =
                Wire.DECISION.encode(
                    Rewritten.with(
                        Decision.class,
                        Wire.DECISION.decode(value),
                        "reason",
                        DecisionReason.REJECTED));
          }
          log.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures figures = ReportFigures.of(log, "offers", ALL, 1, MEMORY);
    assertEquals(1_200, figures.decisions);
    assertEquals(1_200, figures.decisionsOfArms.values().stream().mapToLong(Long::longValue).sum());
    String page = ReportPage.of(figures, "d", null, 0);
    assertTrue(page.contains("1,200 decisions were made."), page);
    assertTrue(page.contains("<td>the context was rejected</td><td>300</td><td>20 %</td>"), page);
  }

  /** An arm that is not played any more keeps its effect. */
  @Test
  void theLatestEffectOfAnArmHasItsTime() {
    List<FairnessAudit> audits = new ArrayList<>();
    RUN.log.records(LogTopic.AUDIT, 1).forEach(at -> audits.add(Wire.AUDIT.decode(at.value())));
    String arm = audits.get(0).arm();
    long end = LoggedRun.START + 600_000;
    MemoryLog log = new MemoryLog();
    long[] latest = new long[1];
    Logs.outputs(
        RUN.log,
        at -> {
          if (at.slice().topic() == LogTopic.AUDIT) {
            FairnessAudit audit = Wire.AUDIT.decode(at.value());
            if (audit.arm().equals(arm) && audit.eventTime() > end) {
              return;
            }
            latest[0] = audit.arm().equals(arm) ? audit.eventTime() : latest[0];
          }
          log.append(
              at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), at.value());
        });
    String page = ReportPage.of(ReportFigures.of(log, "offers", ALL, 1, MEMORY), "d", null, 0);
    Matcher row =
        Pattern.compile(
                "<td>%s</td><td>[0-9,]+</td><td>([^<]*Z)</td>".formatted(Pattern.quote(arm)))
            .matcher(page);
    List<String> times = new ArrayList<>();
    while (row.find()) {
      times.add(row.group(1));
    }
    assertTrue(times.contains(Instant.ofEpochMilli(latest[0]).toString()), times::toString);
    assertTrue(times.stream().allMatch(it -> Instant.parse(it).toEpochMilli() <= end), page);
  }

  @Test
  void redactedEffectsCountByTheirVerdict() {
    MemoryLog redacted = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = Logs.redacted(at).value();
          redacted.append(
              at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures figures = ReportFigures.of(redacted, "offers", PERIOD, 1, MEMORY);
    long beyond =
        within(LogTopic.AUDIT, Wire.AUDIT::decode).stream()
            .filter(
                it -> it.verdict() == AuditVerdict.UNFAIR || it.verdict() == AuditVerdict.UNCERTAIN)
            .map(FairnessAudit::decisionId)
            .distinct()
            .count();
    assertTrue(beyond > 10, () -> beyond + " decisions");
    assertEquals(beyond, figures.violations);
    assertTrue(figures.hasHiddenEffects);
    ReportFigures told = figures(PERIOD, 1);
    assertEquals(told.rewardsOfOtherDecisions, figures.rewardsOfOtherDecisions);
    long inGroups = told.groups.values().stream().mapToLong(SampleMoments::count).sum();
    assertEquals(inGroups, figures.rewardsOfRedactedGroups, "one attribute");
    String page = ReportPage.of(figures, "d", null, 0);
    assertTrue(page.contains("The effects are redacted, so their verdicts count."), page);
    assertFalse(page.contains("No estimated effect is beyond it"), page);
  }

  /** Returns the log of the run, with a split of the first attribute in every snapshot. */
  private static MemoryLog withSplits(String reference, String other) {
    MemoryLog split = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.METRICS) {
            SegmentMetrics metrics = Wire.METRICS.decode(value);
            String attribute = metrics.groups().means().get(0).attribute();
            GapPart gap = new GapPart(attribute, GapPartKind.GAP, .1, 0, .2, 0);
            GapSplit large =
                new GapSplit(
                    attribute, reference, other, 90_000, 90_000, 0, SINCE, gap, gap, List.of(gap));
            value = Wire.METRICS.encode(metrics.withSplits(List.of(large)));
          }
          split.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    return split;
  }

  /** Every table of effects has the limit of its kind, which a verdict is about. */
  @Test
  void everyKindOfEffectHasItsOwnLimit() {
    MemoryLog log = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.AUDIT) {
            FairnessAudit audit = Wire.AUDIT.decode(value);
            boolean isDirect = audit.decisionId().hashCode() % 2 == 0;
            AuditConclusion conclusion = audit.conclusion();
            value =
                Wire.AUDIT.encode(
                    Rewritten.with(
                        FairnessAudit.class,
                        audit,
                        "effect",
                        Rewritten.with(
                            AuditedEffect.class,
                            audit.effect(),
                            "kind",
                            isDirect ? AuditEffectKind.DIRECT : AuditEffectKind.INDIRECT),
                        "conclusion",
                        Rewritten.with(
                            AuditConclusion.class,
                            conclusion,
                            "threshold",
                            isDirect ? .37 : .69,
                            "unit",
                            isDirect ? EffectUnit.REWARD : EffectUnit.LOG_ODDS)));
          }
          log.append(at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures figures = ReportFigures.of(log, "offers", ALL, 1, MEMORY);
    String page = ReportPage.of(figures, "d", null, 0);
    assertTrue(page.contains("Effects are of kind DIRECT; the limit is 0.37. Guarantee"), page);
    assertTrue(
        page.contains(
            "Effects are of kind INDIRECT, differences of log odds; the limit is 0.69 of log odds,"
                + " a ratio of odds of 1.99. Guarantee"),
        page);
    assertTrue(page.contains("<th>verdict</th><th>limit</th>"), page);
    for (String limit : List.of("0.37", "0.69")) {
      assertTrue(
          Pattern.compile("<td>[A-Z_]+</td><td>%s</td></tr>".formatted(limit)).matcher(page).find(),
          page);
    }
  }

  /** A group that is not shown could follow from the split of two others of its attribute. */
  @Test
  void splitsOfAnAttributeWithASmallGroupAreNotShown() {
    MemoryLog split = withSplits("m", "f");
    for (int minimum : new int[] {1, 10_000}) {
      ReportFigures figures = ReportFigures.of(split, "offers", ALL, minimum, MEMORY);
      String page = ReportPage.of(figures, "d", null, 0);
      assertEquals(minimum == 1, page.contains("where the gap from m to f comes from"), page);
    }
  }

  /** The other figures are of the period, and a difference next to them has the same sign. */
  @Test
  void aSplitSaysWhomItCountsAndGroupsAreComparedInItsOrder() {
    SegmentMetrics any = Wire.METRICS.decode(RUN.log.records(LogTopic.METRICS, 1).get(0).value());
    List<GroupMean> means = any.groups().means();
    String reference = means.get(0).level();
    String other = means.get(1).level();
    assertEquals(means.get(0).attribute(), means.get(1).attribute());
    MemoryLog log = withSplits(reference, other);
    ReportFigures figures = ReportFigures.of(log, "offers", PERIOD, 1, MEMORY);
    SegmentMetrics last = figures.lastSnapshot;
    assertTrue(last != null);
    String page = ReportPage.of(figures, "d", null, 0);
    String whom =
        "This split counts all learned rewards of decisions since %s, up to the snapshot of %s"
            + " (event times), and not only those of the period.";
    assertTrue(
        page.contains(
            whom.formatted(Instant.ofEpochMilli(SINCE), Instant.ofEpochMilli(last.eventTime()))),
        page);
    assertFalse(page.contains("since record"), page);
    assertTrue(page.contains("Splits of a gap count all learned rewards since"), page);
    assertTrue(page.contains("where the gap from %s to %s".formatted(reference, other)), page);
    double gap =
        figures.groups.get(new ReportFigures.Group(means.get(1).attribute(), other)).mean()
            - figures
                .groups
                .get(new ReportFigures.Group(means.get(0).attribute(), reference))
                .mean();
    assertTrue(
        page.contains(
            "<td>%s less %s</td><td>%s</td>".formatted(other, reference, Wording.number(gap))),
        page);
    assertFalse(page.contains("%s less %s".formatted(reference, other)), page);
  }

  /** The job writes the hash of an id when a window closes. */
  @Test
  void rewardsThatNameTheirDecisionByItsHashBelongToItsGroups() {
    MemoryLog hashed = new MemoryLog();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.SEGMENT_EVENTS) {
            SegmentEvent event = Wire.SEGMENT_EVENT.decode(value);
            JoinedDecision decision = event.decision();
            if (decision != null) {
              JoinedDecision known =
                  Rewritten.with(
                      JoinedDecision.class, decision, "id", null, "hash", event.hashOfDecision());
              value = Wire.SEGMENT_EVENT.encode(Tamper.with(event, "decision", known));
            }
          }
          hashed.append(
              at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), value);
        });
    ReportFigures figures = ReportFigures.of(hashed, "offers", PERIOD, 1, MEMORY);
    ReportFigures told = figures(PERIOD, 1);
    assertTrue(told.groups.size() > 1, told.groups::toString);
    assertEquals(told.groups, figures.groups);
    assertEquals(told.rewardsOfOtherDecisions, figures.rewardsOfOtherDecisions);
  }

  @Test
  void aLimitIsNamedOnlyIfAllEffectsHaveIt() {
    ReportFigures figures = figures(PERIOD, 1);
    String limit =
        "proven beyond the limit of %s.".formatted(Wording.number(figures.greatestThreshold));
    String page = ReportPage.of(figures, "d", null, 0);
    assertTrue(page.contains(limit), page);
    figures.leastThreshold = figures.greatestThreshold / 2;
    String several = ReportPage.of(figures, "d", null, 0);
    assertTrue(several.contains("proven beyond its limit."), several);
  }

  @Test
  void decisionsAreThoseOfTheTopic() {
    ReportFigures figures = figures(PERIOD, 1);
    List<Decision> decisions = within(LogTopic.DECISIONS, Wire.DECISION::decode);
    assertEquals(1_100, decisions.size());
    assertEquals(decisions.size(), figures.decisions);
    assertEquals(decisions.stream().filter(Decision::certified).count(), figures.certified);
    for (String arm : Logs.SPEC.armIds()) {
      assertEquals(
          decisions.stream().filter(it -> arm.equals(it.arm())).count(),
          figures.decisionsOfArms.getOrDefault(arm, 0L),
          arm);
    }
    figures.reasons.forEach(
        (reason, count) ->
            assertEquals(
                decisions.stream().filter(it -> it.reason() == reason).count(),
                count,
                reason.name()));
    assertEquals(1, figures.versions.size());
    assertEquals(decisions.size(), figures.versions.values().iterator().next());
  }

  @Test
  void verdictsEffectsAndViolationsAreThoseOfTheAudits() {
    ReportFigures figures = figures(PERIOD, 1);
    List<FairnessAudit> audits = within(LogTopic.AUDIT, Wire.AUDIT::decode);
    Set<String> audited = new HashSet<>();
    Set<String> violating = new HashSet<>();
    for (FairnessAudit audit : audits) {
      audited.add(audit.decisionId());
      Double estimate = audit.effect().estimate();
      if (estimate != null && Math.abs(estimate) > audit.threshold()) {
        violating.add(audit.decisionId());
      }
    }
    assertTrue(violating.size() > 10, violating::toString);
    assertEquals(audited.size(), figures.audited);
    assertEquals(violating.size(), figures.violations);
    assertEquals(
        audits.stream()
            .filter(it -> it.verdict() == AuditVerdict.UNFAIR)
            .map(FairnessAudit::decisionId)
            .distinct()
            .count(),
        figures.unfair);
    String page = ReportPage.of(figures, "d", null, 0);
    assertTrue(
        page.contains("None of %,d audited decisions".formatted(audited.size())),
        page.substring(0, 2_000));
    assertTrue(figures.pairs.size() >= 2, figures.pairs::toString);
    figures.pairs.forEach(
        (key, pair) -> {
          List<FairnessAudit> own =
              audits.stream().filter(it -> PairFigures.FigureKey.of(it).equals(key)).toList();
          for (AuditVerdict verdict : AuditVerdict.values()) {
            assertEquals(
                own.stream().filter(it -> it.verdict() == verdict).count(),
                pair.verdicts.getOrDefault(verdict, 0L),
                verdict.name());
          }
          pair.arms.forEach(
              (arm, effect) -> {
                List<FairnessAudit> ofArm =
                    own.stream().filter(it -> it.arm().equals(arm)).toList();
                assertEquals(ofArm.get(ofArm.size() - 1), effect.latest());
                double mean =
                    ofArm.stream().mapToDouble(it -> it.effect().estimate()).average().orElse(9);
                assertEquals(mean, effect.estimates().mean(), 1e-12, arm);
              });
        });
  }

  /** The job's own sum over all decisions equals that of a report over all records. */
  @Test
  void theSumBeyondTheLimitIsThatOfTheJob() {
    List<LogRecord> snapshots = RUN.log.records(LogTopic.METRICS, 1);
    LogRecord at = snapshots.get(snapshots.size() - 1);
    SegmentMetrics last = Wire.METRICS.decode(at.value());
    MemoryLog log = new MemoryLog();
    for (LogRecord record : RUN.log.records(LogTopic.AUDIT, 1)) {
      if (Wire.AUDIT.decode(record.value()).seq() <= last.seq()) {
        log.append(LogTopic.AUDIT, 1, record.timestamp(), record.key(), record.value());
      }
    }
    ReportFigures figures = ReportFigures.of(log, "offers", ALL, 1, MEMORY);
    assertTrue(last.fairness().violations() > 10, last::toString);
    assertEquals(last.fairness().violations(), figures.violations);
    assertEquals(last.fairness().cumulativeViolation().estimated(), figures.excess, 1e-9);
  }

  @Test
  void outcomesOfGroupsAreTheRewardsOfTheirDecisions() {
    ReportFigures figures = figures(PERIOD, 1);
    Map<String, String> levels = new HashMap<>();
    within(LogTopic.AUDIT, Wire.AUDIT::decode)
        .forEach(it -> levels.put(it.decisionId(), it.effect().factual()));
    Map<String, List<Double>> rewards = new HashMap<>();
    long others = 0;
    for (SegmentEvent event : within(LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT::decode)) {
      if (event.learned() && event.learnedReward() != null) {
        String level = levels.get(event.decisionId());
        if (level == null) {
          others++;
        } else {
          rewards.computeIfAbsent(level, any -> new ArrayList<>()).add(event.learnedReward());
        }
      }
    }
    assertTrue(others > 0, "the period has no reward of an earlier decision");
    assertEquals(others, figures.rewardsOfOtherDecisions);
    assertEquals(rewards.keySet().size(), figures.groups.size());
    figures.groups.forEach(
        (group, moments) -> {
          List<Double> own = rewards.get(group.level());
          double mean = own.stream().mapToDouble(Double::doubleValue).average().orElse(9);
          double squares = own.stream().mapToDouble(it -> (it - mean) * (it - mean)).sum();
          double half = 1.959963984540054 * Math.sqrt(squares / (own.size() - 1) / own.size());
          assertEquals(own.size(), moments.count());
          assertEquals(mean, moments.mean(), 1e-12);
          assertEquals(half, moments.halfWidth(), 1e-9);
        });
  }

  @Test
  void smallGroupsAndComparisonsAreNotPublished() {
    ReportFigures figures = figures(PERIOD, 1);
    long least =
        figures.groups.values().stream().mapToLong(SampleMoments::count).min().orElseThrow();
    assertEquals(figures.groups.size(), figures(PERIOD, least).publishedGroups().size());
    ReportFigures fewer = figures(PERIOD, least + 1);
    assertTrue(fewer.publishedGroups().size() <= fewer.groups.size() - 2);
    String page = ReportPage.of(figures(PERIOD, 100_000), "shown", 0.05, 0);
    assertTrue(page.contains("groups are not shown"), page);
    assertTrue(page.contains("comparisons are not shown"), page);
    assertFalse(page.contains("CERTIFIED_FAIR"), page);
  }

  /** All times of the report are those of writing: event times may be of another day. */
  @Test
  void aChangeHasTheTimeWhenItsRecordWasWritten() {
    MemoryLog log = new MemoryLog();
    for (LogRecord at : RUN.log.records(LogTopic.SEGMENT_EVENTS, 1)) {
      SegmentEvent event = Wire.SEGMENT_EVENT.decode(at.value());
      if (event.type() == SegmentEventType.SPEC_ADOPTED) {
        long written = LoggedRun.START + 200_507;
        log.append(LogTopic.SEGMENT_EVENTS, 1, written, at.key(), at.value());
      }
    }
    ReportFigures figures = ReportFigures.of(log, "offers", PERIOD, 1, MEMORY);
    assertFalse(figures.changes.isEmpty());
    String page = ReportPage.of(figures, "shown", 0.05, 0);
    assertTrue(page.contains(Instant.ofEpochMilli(LoggedRun.START + 200_507) + ": "), page);
  }

  @Test
  void thePageHasTheFiguresAndNoMarkupOfNames() {
    String name = "<script>alert('x')</script>&";
    MemoryLog log = new MemoryLog();
    for (LogRecord at : RUN.log.records(LogTopic.DECISIONS, 1)) {
      Decision decision = Wire.DECISION.decode(at.value());
      Decision named =
          Rewritten.with(Decision.class, decision, "segment", name, "arm", name + decision.arm());
      log.append(LogTopic.DECISIONS, 1, at.timestamp(), at.key(), Wire.DECISION.encode(named));
    }
    Set<String> unfair = new HashSet<>();
    for (LogRecord at : RUN.log.records(LogTopic.AUDIT, 1)) {
      FairnessAudit audit = Wire.AUDIT.decode(at.value());
      FairnessAudit named =
          Rewritten.with(FairnessAudit.class, audit, "segment", name, "arm", name + audit.arm());
      if (at.timestamp() > PERIOD.from() && unfair.size() < 20) {
        unfair.add(audit.decisionId());
        named = Rewritten.with(FairnessAudit.class, named, "verdict", AuditVerdict.UNFAIR);
      }
      log.append(LogTopic.AUDIT, 1, at.timestamp(), at.key(), Wire.AUDIT.encode(named));
    }
    ReportFigures figures = ReportFigures.of(log, name, PERIOD, 1, MEMORY);
    String page = ReportPage.of(figures, "shown", 0.05, 0);
    assertFalse(page.contains("<script"), page);
    assertTrue(page.contains("&lt;script&gt;"), page);
    Matcher decisions = Pattern.compile("<p>1,100 decisions were made").matcher(page);
    assertTrue(decisions.find(), page);
    assertTrue(page.contains("certificate is wrong with a probability of at most 5 %"), page);
    assertTrue(
        page.contains(
            "<tr><td>decisions with a proven effect beyond the limit</td><td>20</td></tr>"),
        page);
    assertTrue(page.contains("<p>20 of 1,100 audited decisions"), page);
    assertTrue(
        page.contains(
            "<tr><td>decisions with an estimated effect beyond the limit</td><td>"
                + figures.violations
                + "</td></tr>"),
        page);
    assertTrue(page.contains("<svg"), page);
    assertFalse(page.contains("http:") && page.contains("src="), page);
  }

  @Test
  void aPeriodThatNeedsTooMuchMemoryIsRefused() {
    InconclusiveException refused =
        Assertions.assertThrows(
            InconclusiveException.class, () -> ReportFigures.of(RUN.log, "offers", ALL, 1, 10_000));
    assertTrue(refused.getMessage().contains("--memory"), refused::getMessage);
  }

  @Test
  void aPeriodWithoutRecordsSaysSo() {
    String page = ReportPage.of(figures(new Period(0, 1_000), 1), "shown", null, 0);
    assertTrue(page.contains("No decision of this segment was written in the period."), page);
  }
}
