package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Row;
import io.equipoise.lab.verbs.ReplicateCommand;
import io.equipoise.simulation.StructuralModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplicateTest {
  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ReplicateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode json(String... arguments) throws IOException {
    out.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    int exit = run(all.toArray(String[]::new));
    assertTrue(exit == 0 || exit == 2, err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  private static Path fixture() throws IOException {
    Path copy = Files.createTempFile("draws", ".csv");
    copy.toFile().deleteOnExit();
    try (var in = ReplicateTest.class.getResourceAsStream("/lab/email-campaign.draws.csv")) {
      Files.write(copy, Objects.requireNonNull(in).readAllBytes());
    }
    return copy;
  }

  @Test
  void fixedDrawsGiveTheFixturesResultAndHoldEveryCheckThatApplies() throws IOException {
    JsonNode report = json("fucb-email", "--draws", fixture().toString(), "--trials", "3");
    assertEquals("fucb-email", report.get("experiment").asText());
    assertEquals(1, report.get("settings").get("trials").asInt());
    assertEquals(5000, report.get("settings").get("rounds").asInt());
    Map<String, Double> wanted =
        Map.of("ucb", 448.833115, "c-ucb", 394.808679, "d-ucb", 340.254084, "f-ucb", 353.400144);
    assertEquals(20, report.get("rows").size());
    for (JsonNode row : report.get("rows")) {
      if (row.get("tau").asDouble() == .3) {
        double regret = wanted.get(row.get("policy").asText());
        assertEquals(regret, row.get("regret_mean").asDouble(), 1e-6);
      }
      for (String metric : List.of("regret", "unfair", "twin")) {
        assertTrue(row.get(metric + "_se").isNull());
        assertEquals(1, row.get(metric + "_n").asInt());
      }
    }
    assertTrue(report.get("checks").size() > 40);
    report.get("checks").forEach(check -> assertTrue(check.get("ok").asBoolean(), check::toString));
    for (JsonNode check : report.get("checks")) {
      if (check.get("name").asText().equals("regret ucb - c-ucb")) {
        assertEquals(0, check.get("low").asDouble(-1));
        assertEquals(5000, check.get("high").asDouble(), "at most 1 a round");
      }
    }
    List<String> skipped = new ArrayList<>();
    report.get("skipped").forEach(skip -> skipped.add(skip.get("name").asText()));
    assertEquals(
        List.of(
            "regret f-ucb tau 0.1 - f-ucb tau 0.2",
            "regret f-ucb tau 0.2 - f-ucb tau 0.3",
            "regret f-ucb tau 0.3 - f-ucb tau 0.4"),
        skipped,
        "gaps that one trial need not show");
  }

  @Test
  void trialsDependOnTheirSeedAlone() throws IOException {
    String[] two = {"fucb-email", "--trials", "2", "--rounds", "300", "--tau", "0.3"};
    JsonNode both = json(two);
    JsonNode first = json("fucb-email", "--trials", "1", "--rounds", "300", "--tau", "0.3");
    JsonNode second =
        json("fucb-email", "--trials", "1", "--rounds", "300", "--tau", "0.3", "--first-seed", "2");
    assertEquals(4, both.get("rows").size());
    for (int row = 0; row < 4; row++) {
      double one = first.get("rows").get(row).get("regret_mean").asDouble();
      double other = second.get("rows").get(row).get("regret_mean").asDouble();
      JsonNode mean = both.get("rows").get(row);
      assertEquals((one + other) / 2, mean.get("regret_mean").asDouble(), 1e-12);
      assertEquals(Math.abs(one - other) / 2, mean.get("regret_se").asDouble(), 1e-9);
    }
    assertEquals(both, json(two));
  }

  @Test
  void aRunThatIsTooShortForTheReferenceSaysWhatItSkipped() throws IOException {
    JsonNode report = json("fucb-email", "--trials", "1", "--rounds", "200", "--tau", "0.25");
    assertEquals(1, report.get("checks").size(), "F-UCB is never unfair, however short the run");
    assertTrue(report.get("skipped").size() > 40);
    report.get("skipped").forEach(skip -> assertFalse(skip.get("why").asText().isEmpty()));
  }

  @Test
  void theExitCodeSaysWhetherChecksHeldFailedOrDidNotApply() {
    assertEquals(0, exit(Check.of("a", 1, 1.0, 2.0), Check.of("b", 2, 1.0, 2.0)));
    assertEquals(1, exit(Check.of("a", 1, 1.0, 2.0), Check.of("b", 2.1, 0, 2.0)));
    assertEquals(1, exit(Check.of("a", .9, 1.0, 2.0)));
    assertEquals(2, exit());
  }

  private static int exit(Check... checks) {
    return new ReplicationReport("x", new Row(), 1, "v", List.of(), List.of(checks), List.of())
        .exitCode();
  }

  @Test
  void certificatesFromDataComeUnderEachConfidenceSequenceAndNoneIsWrong() throws IOException {
    JsonNode report = json("certificates", "--trials", "1", "--rounds", "4000", "--tau", "0.3");
    assertEquals(2, report.get("rows").size());
    for (JsonNode row : report.get("rows")) {
      assertTrue(row.get("first_mean").asInt() < 4000, row::toString);
      assertTrue(row.get("gained_mean").asInt() > 0, row::toString);
      assertEquals(0, row.get("unfair_mean").asDouble(), row::toString);
    }
  }

  @Tag("full")
  @Test
  void adultVideoHoldsItsChecksWithAndWithoutAnEdgeFromSexToIncome() throws IOException {
    JsonNode report = json("fucb-adult", "--trials", "2", "--tau", "0.1,0.2");
    report.get("checks").forEach(check -> assertTrue(check.get("ok").asBoolean(), check::toString));
    assertEquals(11 + 6, report.get("checks").size());
    int ofTheEdge = 0;
    for (JsonNode row : report.get("rows")) {
      boolean isUnreachable = row.get("tau").asDouble() < .2;
      if (row.get("edge").asText().equals("none")) {
        assertEquals(0, row.get("unfair_mean").asDouble(), row::toString);
        boolean seesSex = List.of("ucb", "fair-linucb").contains(row.get("policy").asText());
        assertEquals(seesSex, row.get("twin_mean").asDouble() > 300, row::toString);
      } else {
        ofTheEdge++;
        assertEquals(isUnreachable, row.get("unfair_mean").asDouble() > 0, row::toString);
        boolean isFair = row.get("policy").asText().equals("f-ucb") && !isUnreachable;
        assertEquals(isFair, row.get("twin_mean").asDouble() == 0, row::toString);
      }
    }
    assertEquals(10, ofTheEdge);
  }

  @Test
  void shortRunsOfAdultVideoSkipWhatOnlyLearningBrings() throws IOException {
    JsonNode report =
        json("fucb-adult", "--trials", "1", "--rounds", "300", "--tau", "0.1", "--first-seed", "1");
    report.get("checks").forEach(check -> assertTrue(check.get("ok").asBoolean(), check::toString));
    List<String> skipped = new ArrayList<>();
    report.get("skipped").forEach(skip -> skipped.add(skip.get("name").asText()));
    assertTrue(
        skipped.contains("twin f-ucb tau 0.1 - d-ucb, edge sex -> income"), skipped::toString);
  }

  @Test
  void peopleAreCountedInTheUsersFile() throws IOException {
    StringBuilder people = new StringBuilder();
    for (String age : List.of("17", "30", "50")) {
      for (String race : List.of("White", "Black")) {
        people
            .append(person(age, race, "Male", "<=50K"))
            .append(person(age, race, "Female", ">50K."));
      }
    }
    Path file =
        Files.writeString(
            directory.resolve("adult.data"), people + person("29", "White", "Male", ">50K") + "\n");
    StructuralModel model = AdultVideo.model(AdultCommand.Edge.NONE);
    assertTrue(AdultCensus.count(directory, model) > .4);
    assertEquals(5 / 13.0, model.node("age").rows()[0][0]);
    assertEquals(7 / 13.0, model.node("sex").rows()[0][1]);
    assertEquals(7 / 13.0, model.node("race").rows()[0][1]);
    assertEquals(2 / 3.0, model.node("income").rows()[1][1], "below 30 and White");
    assertEquals(.5, model.node("income").rows()[0][1]);
    Files.writeString(file, "17, Private\n", StandardCharsets.UTF_8);
    assertEquals(2, run("fucb-adult", "--adult", file.toString()));
    assertTrue(err.toString().contains("line 1: 2 fields"), err.toString());
  }

  private static String person(String age, String race, String sex, String income) {
    return age + ", a, 1, b, 2, c, d, e, " + race + ", " + sex + ", 0, 0, 40, f, " + income + "\n";
  }

  @Test
  void theTableIsForPeopleAndThePlotIsWritten() throws IOException {
    for (String name : List.of("regret.svg", "regret.png")) {
      Path plot = directory.resolve(name);
      Path json = directory.resolve(name + ".json");
      String[] command = {"fucb-email", "--trials", "1", "--rounds", "60", "--tau", "0.3"};
      List<String> all = new ArrayList<>(List.of(command));
      all.addAll(List.of("--plot", plot.toString(), "--json", json.toString()));
      assertEquals(0, run(all.toArray(String[]::new)));
      assertTrue(Files.size(plot) > 1000);
      assertTrue(out.toString().contains("policy"), out.toString());
      assertEquals(4, new ObjectMapper().readTree(json.toFile()).get("rows").size());
    }
  }

  @Test
  void optionsThatCannotBeAreRefused() throws IOException {
    assertEquals(2, run("fucb-email", "--trials", "0"));
    assertEquals(2, run("fucb-email", "--rounds", "0"));
    assertEquals(2, run("fucb-email", "--tau", "-0.1"));
    assertEquals(2, run("fucb-email", "--tau", "0.1,0"));
    assertTrue(err.toString().contains("--tau must be greater than 0"), err.toString());
    assertEquals(2, run("fucb-email", "--plot", "regret.gif"));
    Path draws = Files.writeString(directory.resolve("draws.csv"), "t,X1\n1,0\n");
    assertEquals(2, run("fucb-email", "--draws", draws.toString()));
    assertTrue(err.toString().contains("has no column X2"), err.toString());
    Files.writeString(draws, "X1,X2,X3,uI1,uI2,uI3,uI4,noise\n0,3,0,.1,.1,.1,.1,0\n");
    assertEquals(2, run("fucb-email", "--draws", draws.toString()));
    assertTrue(err.toString().contains("line 2: no such level"), err.toString());
    assertEquals(2, run());
  }
}
