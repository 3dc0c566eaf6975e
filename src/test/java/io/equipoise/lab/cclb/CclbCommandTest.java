package io.equipoise.lab.cclb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CclbCommandTest {
  private static final boolean IS_FULL = Tier.isFull();

  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new CclbCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode json(int exit, String... arguments) throws IOException {
    out.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    assertEquals(exit, run(all.toArray(String[]::new)), err::toString);
    return new ObjectMapper().readTree(out.toString());
  }

  private static List<String> keys(JsonNode row) {
    List<String> keys = new ArrayList<>();
    row.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** The totals that two independent implementations of the reference agree on. */
  @ParameterizedTest
  @CsvSource({
    "dual-upper, 1, 10.882004, 0.505077, 1, 11.123818, 0.146292",
    "dual-upper, 2, 10.413330, 0.457488, 1, 11.374201, 4.855773",
    "dual-upper, 3, 11.716844, 1.316977, 4, 14.515083, 4.424811",
    "eps-cclb, 1, 158.712038, 3.348551, 28, 169.028074, 1.530095",
    "eps-cclb, 2, 155.536147, 5.879415, 60, 182.125329, 1.721895",
    "eps-cclb, 3, 178.465010, 3.099878, 30, 197.767805, 1.545815",
    "forced-exploration, 1, 6.342547, 6.653436, 23, 23.229101, 0",
    "forced-exploration, 2, 6.145069, 5.571507, 61, 61.685857, 0",
    "forced-exploration, 3, 17.349661, 8.618931, 31, 33.531232, 0",
    "screen, 1, 10.627278, 0.068096, 1, 11.302410, 0",
    "screen, 2, 11.789988, 0.071815, 3, 14.382529, 0",
    "screen, 3, 11.071376, 0.000000, 0, 11.071376, 0"
  })
  void theTotalsOfASeedAreTheReferences(
      String policy, long seed, double r, double v, int nv, double pen, double phi)
      throws IOException {
    JsonNode report =
        json(
            0,
            "--policy",
            policy,
            "--rounds",
            "1000",
            "--trials",
            "1",
            "--first-seed",
            Long.toString(seed),
            "--per-trial");
    assertEquals(1, report.get("rows").size());
    JsonNode row = report.get("rows").get(0);
    assertEquals(policy, row.get("policy").textValue());
    assertEquals(seed, row.get("seed").longValue());
    assertEquals(r, row.get("R").doubleValue(), 1e-6);
    assertEquals(v, row.get("V").doubleValue(), 1e-6);
    assertEquals(nv, row.get("nv").doubleValue());
    assertEquals(pen, row.get("pen").doubleValue(), 1e-6);
    assertEquals(phi, row.get("phi").doubleValue(), 1e-6);
    assertEquals(5, report.get("checks").size());
  }

  @Test
  void aPolicysRowsAreFlatMeansAndSayHowManyTrials() throws IOException {
    JsonNode report = json(2, "--policy", "ofulog", "--rounds", "700", "--trials", "2");
    assertEquals(
        List.of("experiment", "settings", "seed", "version", "rows", "checks", "skipped"),
        keys(report));
    assertEquals(1, report.get("rows").size());
    JsonNode row = report.get("rows").get(0);
    assertEquals("STREAMING", row.get("estimator").textValue());
    assertEquals(700, row.get("t").intValue());
    assertEquals(700, row.get("T").intValue());
    for (String metric : List.of("R", "V", "nv", "pen", "phi")) {
      assertTrue(row.get(metric + "_mean").isNumber());
      assertTrue(row.get(metric + "_se").isNumber());
      assertEquals(2, row.get(metric + "_n").intValue());
    }
    assertEquals(1, report.get("skipped").size());
  }

  @Test
  void aFigureIsHeldAgainstTheReferenceAtTheLastRoundsThatWereRun() throws IOException {
    JsonNode report =
        json(
            0,
            "--figure",
            "2",
            "--rounds",
            IS_FULL ? "10000" : "1000",
            "--trials",
            IS_FULL ? "5" : "2",
            "--exact-rounds",
            IS_FULL ? "1000" : "0");
    assertTrue(report.get("checks").size() >= 40);
    report.get("checks").forEach(check -> assertTrue(check.get("ok").asBoolean(), check::toString));
    List<String> first = keys(report.get("rows").get(0));
    report.get("rows").forEach(row -> assertEquals(first, keys(row)));
  }

  @Test
  void theExactEstimatorRunsTheReferencesFirstSeed() throws IOException {
    JsonNode report =
        json(
            0,
            "--figure",
            "2",
            "--policy",
            "cclb",
            "--rounds",
            "1000",
            "--trials",
            "1",
            "--per-trial");
    JsonNode exact = report.get("rows").get(0);
    assertEquals("EXACT", exact.get("estimator").textValue());
    assertEquals(90.48, exact.get("R").doubleValue(), .005);
    assertEquals(96.45, exact.get("V").doubleValue(), .005);
    assertEquals(475, exact.get("nv").doubleValue());
    assertEquals(.03667, exact.get("phi").doubleValue(), 5e-6);
  }

  @ParameterizedTest
  @CsvSource({
    "glm-ucb, 315.9, 326.2, 952, 909.3",
    "ofulog, 100.7, 195.2, 572, 562.5",
    "eps-cclb, 49.80, 2.724, 20, 61.24"
  })
  void theOtherPoliciesOfTheExactEstimatorAgreeWithTheFirstSeedToo(
      String policy, double r, double v, int nv, double pen) throws IOException {
    String[] arguments = {
      "--figure", "2", "--policy", policy, "--rounds", "1000", "--trials", "1", "--per-trial"
    };
    JsonNode exact = json(0, arguments).get("rows").get(0);
    assertEquals("EXACT", exact.get("estimator").textValue());
    assertEquals(r, exact.get("R").doubleValue(), .0006 * r);
    assertEquals(v, exact.get("V").doubleValue(), .0006 * v);
    assertEquals(nv, exact.get("nv").doubleValue());
    assertEquals(pen, exact.get("pen").doubleValue(), .0006 * pen);
  }

  @Test
  void auditedRowsHaveTheSameKeysAsThoseWithoutAnAudit() throws IOException {
    JsonNode report =
        json(0, "--figure", "coverage", "--policy", "screen", "--rounds", "300", "--trials", "1");
    List<String> first = keys(report.get("rows").get(0));
    assertTrue(first.contains("no_overlap_mean"));
    report.get("rows").forEach(row -> assertEquals(first, keys(row)));
  }

  @Test
  void thePlotsOfAFigureAreWrittenBesideEachOther() throws IOException {
    Path plot = directory.resolve("figure.svg");
    run(
        "--figure",
        "4",
        "--policy",
        "dual-upper",
        "--rounds",
        "500",
        "--trials",
        "1",
        "--plot",
        plot.toString());
    for (String name : List.of("figure.svg", "figure-4-V.svg", "figure-4-pen.svg")) {
      assertTrue(Files.size(directory.resolve(name)) > 0, name);
    }
  }

  @Test
  void delayedRewardsAreLearnedLaterAndOnRequestOnlyAtTheWindowsEnd() throws IOException {
    JsonNode none = json(2, "--policy", "dual-upper", "--rounds", "500", "--trials", "1");
    JsonNode all =
        json(2, "--policy", "dual-upper", "--rounds", "500", "--trials", "1", "--window", "600");
    double atOnce = none.get("rows").get(0).get("R_mean").doubleValue();
    double never = all.get("rows").get(0).get("R_mean").doubleValue();
    assertTrue(never > 3 * atOnce, "R " + atOnce + " and " + never);
    JsonNode late =
        json(2, "--policy", "dual-upper", "--rounds", "500", "--trials", "1", "--delay", "50");
    assertTrue(late.get("rows").get(0).get("R_mean").doubleValue() != atOnce);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--figure 3",
        "--policy ucb",
        "--rounds 0",
        "--trials 0",
        "--exact-rounds -1",
        "--delay 1,2,3",
        "--window -1",
        "--figure 5 --policy glm-ucb",
        "--plot x.pdf"
      })
  void whatCannotBeRunIsRefusedWithTheReason(String arguments) {
    assertEquals(2, run(arguments.split(" ")));
    assertTrue(err.toString().contains("--"), err::toString);
  }
}
