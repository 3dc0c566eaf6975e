package io.equipoise.lab.pcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.offline.BoundsCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The offline job on the world of Table 2, as weighted rows: a billion of them in 64 lines. */
class OfflineBoundsTest {
  private static final double TOLERANCE = 1e-6;
  private static final double ROWS = 1e9;
  private static final String SPEC =
      """
      name: pcb
      version: 1
      segments: default
      seed: 1
      variables:
        U1: {role: ROLE, levels: ["0", "1"]}
        U2: {role: ROLE, levels: ["0", "1"]}
        X1: {role: action, levels: ["0", "1"]}
        X2: {role: action, levels: ["0", "1"]}
        I1: {role: mediator, levels: ["0", "1"]}
        Y: {role: reward}
      graph: |
        dag { C1 [latent]  S [latent]
              U1 -> X1 -> I1 -> Y  U2 -> X2 -> Y  U1 -> Y  I1 -> S  I1 <- C1 -> Y }
      arms: all
      reward: {range: [0, 1]}
      policy: {name: ucb-pcb, causal-bounds: {name: pcb}}
      fairness: {tau: 0.3}
      join: {reward-window: 30m}
      """;

  @TempDir private Path directory = Path.of("");

  private final LoggedWorld world = new LoggedWorld();
  private final StringWriter err = new StringWriter();

  private JsonNode bounds(int exit, String role, String... arguments) throws IOException {
    Path spec = Files.writeString(directory.resolve("spec.yaml"), SPEC.replace("ROLE", role));
    Path log = weighted("log.csv", world.exact().selected());
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of("--spec", spec.toString(), "--json", "-"));
    all.addAll(List.of("--selection", "S", "--delta", "0", "--input", log.toString()));
    all.addAll(List.of(arguments));
    int code =
        new CommandLine(new BoundsCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertEquals(exit, code, err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  /** Writes each cell of a table once, with its number of rows. */
  private Path weighted(String name, ContingencyTable table) throws IOException {
    StringBuilder text = new StringBuilder();
    table.variables().forEach(variable -> text.append(variable.name()).append(','));
    text.append("n\n");
    for (long code : table.codes()) {
      for (int level : table.levels(code)) {
        text.append(level).append(',');
      }
      text.append(Math.round(ROWS * table.weight(code))).append('\n');
    }
    return Files.writeString(directory.resolve(name), text);
  }

  private static String arm(int arm) {
    return "X1=" + PcbPlace.first(arm) + ",X2=" + PcbPlace.second(arm);
  }

  private static JsonNode row(JsonNode report, String arm, String u1, String u2) {
    for (JsonNode row : report.get("bounds")) {
      JsonNode context = row.get("context");
      boolean isOne = u1.isEmpty() || u1.equals(context.path("U1").asText());
      boolean isOther = u2.isEmpty() || u2.equals(context.path("U2").asText());
      if (row.get("arm").asText().equals(arm) && isOne && isOther) {
        return row;
      }
    }
    throw new AssertionError("no bound of " + arm + " at " + u1 + ", " + u2 + " in " + report);
  }

  @Test
  void boundsOfWeightedRowsAreThoseOfTheLaboratory() throws IOException {
    JsonNode report = bounds(0, "context", "--weight", "n");
    assertEquals(world.selected() * ROWS, report.get("rows").asDouble(), 64);
    assertEquals(PcbPlace.PLACES, report.get("bounds").size());
    List<Interval> expected = CausalBounds.SOUND_POOLED.of(world.exact());
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      int context = PcbPlace.context(place);
      JsonNode row =
          row(
              report,
              arm(PcbPlace.arm(place)),
              "" + PcbPlace.first(context),
              "" + PcbPlace.second(context));
      assertEquals(expected.get(place).lower(), row.get("lower").asDouble(), TOLERANCE);
      assertEquals(expected.get(place).upper(), row.get("upper").asDouble(), TOLERANCE);
    }
  }

  @Test
  void aCensusOfTheConfounderBoundsArmsWithoutAContext() throws IOException {
    Path census = weighted("census.csv", world.exact().everyone().marginal(List.of("U1")));
    JsonNode report =
        bounds(
            0, "mediator", "--weight", "n", "--census", census.toString(), "--census-weight", "n");
    assertEquals(ROWS, report.get("census_rows").asDouble(), 2);
    List<Interval> expected = CausalBounds.SOUND.withoutContext(world.exact());
    for (int arm = 0; arm < PcbPlace.ARMS; arm++) {
      JsonNode row = row(report, arm(arm), "", "");
      assertEquals(expected.get(arm).lower(), row.get("lower").asDouble(), TOLERANCE);
      assertEquals(expected.get(arm).upper(), row.get("upper").asDouble(), TOLERANCE);
    }
    JsonNode without = bounds(0, "mediator", "--weight", "n");
    for (int arm = 0; arm < PcbPlace.ARMS; arm++) {
      double width = expected.get(arm).upper() - expected.get(arm).lower();
      JsonNode row = row(without, arm(arm), "", "");
      double other = row.get("upper").asDouble() - row.get("lower").asDouble();
      assertTrue(other > width + .1, "the census tells a lot: " + other + " without");
    }
  }

  @Test
  void aCensusThatTellsNothingIsNotReadAndOneOfNothingIsRefused() throws IOException {
    Path census = Files.writeString(directory.resolve("census.csv"), "I1\nno level at all\n");
    JsonNode report = bounds(0, "context", "--weight", "n", "--census", census.toString());
    assertEquals(0, report.get("census_rows").asLong());
    assertTrue(
        err.toString().contains("the census has no variables that the bounds need"), err::toString);
    Files.writeString(census, "color\nred\n");
    bounds(2, "context", "--weight", "n", "--census", census.toString());
    assertTrue(
        err.toString().contains("must have a variable of the spec, and has only [color]"),
        err::toString);
  }

  @Test
  void aFaultInTheCensusIsToldByItsLineAndNothingIsWritten() throws IOException {
    Path census = Files.writeString(directory.resolve("census.csv"), "U1\n0\n1\n2\n");
    Path out = directory.resolve("bounds.jsonl");
    bounds(2, "mediator", "--weight", "n", "--census", census.toString(), "--out", out.toString());
    assertTrue(err.toString().contains("census.csv, line 4: U1 is 2"), err::toString);
    assertFalse(Files.exists(out));
  }

  @Test
  void weightsAreOfCsvFilesAndOptionsOfACensusNeedOne() throws IOException {
    Path avro = Files.createFile(directory.resolve("more.avro"));
    bounds(2, "context", "--weight", "n", "--input", avro.toString());
    assertTrue(err.toString().contains("--weight requires CSV files"), err::toString);
    bounds(2, "context", "--census-weight", "n");
    assertTrue(err.toString().contains("--census-weight requires --census"), err::toString);
    bounds(2, "context", "--weight", "U1");
    assertTrue(
        err.toString().contains("U1 is a variable and cannot be the weight column"), err::toString);
  }
}
