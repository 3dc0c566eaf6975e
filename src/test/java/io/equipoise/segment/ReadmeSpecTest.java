package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The README's spec, played on simulated people, finds what the README tells of it. */
class ReadmeSpecTest {
  private static final int PEOPLE = 30_000;
  private static final String SPEC = "```yaml\n";
  private static final String RECORD = "```json\n";
  private static final String END = "```";

  /** Run with {@code -Dequipoise.write-docs=true} to write the record instead of comparing it. */
  @Test
  void theReadmeTellsWhatTheRunFinds() throws Exception {
    List<FairnessAudit> audits = play();
    FairnessAudit last = audits.get(audits.size() - 1);
    Docs.assertGenerated(
        "README.md",
        ReadmeSpecTest.class,
        page -> {
          int start = page.indexOf(RECORD) + RECORD.length();
          return page.substring(0, start) + json(last) + page.substring(page.indexOf(END, start));
        });
    assertEquals("d-" + PEOPLE, last.decisionId());
    assertEquals("d-1204", first(audits, "offer=small", AuditVerdict.CERTIFIED_FAIR));
    assertEquals("d-1658", first(audits, "offer=large", AuditVerdict.UNFAIR));
    assertEquals("d-21355", first(audits, "offer=standard", AuditVerdict.CERTIFIED_FAIR));
  }

  private static @Nullable String first(
      List<FairnessAudit> audits, String arm, AuditVerdict verdict) {
    return audits.stream()
        .filter(it -> arm.equals(it.arm()) && it.verdict() == verdict)
        .map(FairnessAudit::decisionId)
        .findFirst()
        .orElse(null);
  }

  @Test
  void theSpecIsShort() throws Exception {
    assertTrue(spec().lines().count() <= 25, spec());
  }

  /** Returns the audit records of all people. */
  private static List<FairnessAudit> play() throws Exception {
    Scenario scenario = Scenario.under(spec());
    SplittableRandom random = new SplittableRandom(1);
    for (int person = 0; person < PEOPLE; person++) {
      boolean isWoman = random.nextBoolean();
      boolean isHigh = random.nextBoolean();
      String id = "d-" + (person + 1);
      scenario.context(
          id, person, Map.of("gender", isWoman ? "f" : "m", "income", isHigh ? "high" : "low"));
      Decision decision = scenario.log.decisions.get(person);
      double chance =
          switch (String.valueOf(decision.arm())) {
            case "offer=small" -> 0.45;
            case "offer=standard" -> 0.6;
            default -> isWoman ? 0.2 : 0.8;
          };
      double reward = random.nextDouble() < chance + (isHigh ? 0.1 : -0.1) ? 1 : 0;
      scenario.reward(id, person + 0.5, reward);
    }
    return scenario.log.audits;
  }

  private static String spec() throws Exception {
    String page = Files.readString(Path.of("README.md"));
    int start = page.indexOf(SPEC) + SPEC.length();
    return page.substring(start, page.indexOf(END, start));
  }

  private static String json(FairnessAudit audit) {
    return String.format(
        Locale.ROOT,
        """
        {"decisionId": "%s", "arm": "%s",
         "effect": {"attribute": "%s", "factual": "%s", "counterfactual": "%s",
                    "estimate": %.3f, "lower": %.3f, "upper": %.3f},
         "conclusion": {"threshold": %.3f, "verdict": "%s", "guarantee": "%s"}, "certified": %b}
        """,
        audit.decisionId(),
        audit.arm(),
        audit.effect().attribute(),
        audit.effect().factual(),
        audit.effect().counterfactual(),
        audit.effect().estimate(),
        audit.effect().lower(),
        audit.effect().upper(),
        audit.threshold(),
        audit.verdict(),
        audit.guarantee(),
        audit.certified());
  }
}
