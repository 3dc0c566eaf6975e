package io.equipoise.lab.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.lab.campaign.RunResult.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class CertificateCampaignTest {
  private static final int THREADS = 2;

  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new CampaignCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  /** A third of a run suffices to find most structures that audits once overlooked. */
  @ParameterizedTest
  @EnumSource(Family.class)
  void noVerdictIsWrong(Family family) {
    int rounds = family == Family.BEST_ARM ? family.rounds() : family.rounds() / 3;
    int worlds = Tier.count(1, 10_000 / Family.values().length);
    Campaign campaign = new Campaign(worlds, 1, Tier.isFull() ? null : rounds, THREADS);
    FamilyResult result = campaign.run(family, () -> {});
    Tier.found(CertificateCampaignTest.class, family.wire(), result.row());
    CampaignReport report = new CampaignReport("test", "test", List.of(result));
    assertFalse(result.isBroken(), () -> String.join("\n", report.lines()));
    result
        .refusals()
        .keySet()
        .forEach(
            reason -> assertTrue(reason.matches("(graph|policy\\.separating-set)\\b.*"), reason));
    if (!Tier.isFull()) {
      long wrong = result.count(RunResult::hasWrongVerdict);
      assertEquals(0, wrong, () -> String.join("\n", report.lines()));
    }
  }

  @Test
  void aWorldIsPlayedAgainByItsCommandAlone() throws IOException {
    RunResult third = Campaign.play(Family.TABULAR, 3, 200, 0);
    FamilyResult family = new FamilyResult(Family.TABULAR, 200, List.of(third), List.of());
    List<String> words = new ArrayList<>(List.of(family.command(third).split(" ")));
    words.addAll(List.of("--json", "-"));
    assertEquals(0, run(words.subList(2, words.size()).toArray(String[]::new)), err::toString);
    JsonNode row = new ObjectMapper().readTree(out.toString()).get("families").get(0);
    assertEquals("tabular", row.get("family").asText());
    assertEquals(200, row.get("decisions").asLong());
    assertEquals(third.get(Count.AUDITS), row.get("audits").asLong());
    assertEquals(third.get(Count.CERTIFIED), row.get("certified").asLong());
    assertTrue(err.toString().contains("| tabular | ANYTIME | 1 | 0 | 1 | 200 |"), err::toString);
  }

  @Test
  void aGuaranteeIsBrokenWhereChanceCannotExplainTheErrors() {
    assertFalse(family("ANYTIME", 2, 20).isBroken(), "2 of 20: from 1.2 %");
    assertTrue(family("ANYTIME", 5, 20).isBroken(), "5 of 20: from 8.7 %");
    assertFalse(family("APPROXIMATE", 20, 20).isBroken());
    FamilyResult few = family("ANYTIME", 2, 20);
    assertTrue(
        new FamilyResult(few.family(), few.rounds(), few.results(), List.of(7L)).isBroken(),
        "a world that is wrong under most people");
  }

  private static FamilyResult family(String guarantee, int wrong, int runs) {
    List<RunResult> results = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      RunResult result = new RunResult(i, null);
      result.certified(guarantee, i < wrong, () -> "");
      results.add(result);
    }
    return new FamilyResult(Family.TABULAR, 9, results, List.of());
  }

  @Test
  void whatIsNoFamilyIsRefused() {
    assertEquals(2, run("certificates", "--family", "tabulr"));
    assertTrue(err.toString().contains("tabular-counts"), err::toString);
    assertEquals(2, run("certificates", "--worlds", "0"));
  }
}
