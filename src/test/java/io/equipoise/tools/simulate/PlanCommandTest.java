package io.equipoise.tools.simulate;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Docs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlanCommandTest {
  private static final String PAGE = "docs/plan.md";
  private static final String COMMAND = "```sh\nequipoise plan ";
  private static final String TEXT = "```text\n";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeFiles() throws Exception {
    String page = Files.readString(Path.of(PAGE));
    write("loans.yaml", page.substring(page.indexOf("name: loans"), page.indexOf("```\n\n```sh")));
    StringBuilder people = new StringBuilder("age,income,region,gender,unused\n");
    for (int i = 0; i < 100; i++) {
      people.append("a,b,c,").append(i % 10 == 0 ? "f" : "m").append(",1\n");
    }
    write("people.csv", people.toString());
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(directory.resolve(name), text);
  }

  private int run(String... words) {
    List<String> arguments = new ArrayList<>();
    for (String word : words) {
      boolean isFile = word.endsWith(".yaml") || word.endsWith(".csv") || word.endsWith(".html");
      arguments.add(isFile ? directory.resolve(word).toString() : word);
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new PlanCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  private JsonNode json(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--json", "-"));
    assertEquals(0, run(all.toArray(String[]::new)), err::toString);
    return new ObjectMapper().readTree(out.toString()).get("specs").get(0);
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the text instead of comparing it. */
  @Test
  void thePageShowsWhatItsCommandPrints() throws Exception {
    Docs.assertGenerated(
        PAGE,
        PlanCommandTest.class,
        page -> {
          int text = page.indexOf(TEXT) + TEXT.length();
          int start = page.indexOf(COMMAND) + COMMAND.length();
          String[] words = page.substring(start, page.indexOf('\n', start)).split(" ", -1);
          assertEquals(0, run(words), err::toString);
          return page.substring(0, text) + out + page.substring(page.indexOf("```", text));
        });
  }

  @Test
  void numbersOfTheSpecificationAsJson() throws Exception {
    String text = Files.readString(directory.resolve("loans.yaml"));
    write("golden.yaml", text.replace("delta: 0.05", "delta: 0.0625")); // 0.05 but for versions
    JsonNode plan = json("golden.yaml");
    JsonNode pair = plan.get("pairs").get(0);
    assertEquals("[\"f\",\"m\"]", pair.get("levels").toString());
    assertEquals(2261.6079, pair.get("firstArm").asDouble(), 1e-3);
    assertEquals(60673.0587, pair.get("furtherArm").asDouble(), 1e-3);
    assertEquals("fairness.tau: 0.150", plan.get("cheapest").asText());
    assertEquals(938.1317, first(json("golden.yaml", "--base-rate", "0.08")), 1e-3);
    assertTrue(first(json("golden.yaml", "--people", "people.csv")) > 5_000);
    assertEquals(
        2261.6079 + 6 * 50, first(json("golden.yaml", "--rate", "6", "--delay", "50")), 1e-3);
    assertTrue(json("golden.yaml", "--effect", "0.1").get("pairs").get(0).get("firstArm").isNull());
  }

  @Test
  void aTauThatNoEffectReachesIsNamedAsByTheVerbCheck() throws Exception {
    write("wide.yaml", SimulationSpecs.ridge().spec().text().replace("tau: 0.2", "tau: 20"));
    assertEquals(0, run("wide.yaml"), err::toString);
    String warning = "  WARNING fairness.tau is 20 and reward.range is 1 wide: no effect can be";
    assertTrue(out.toString().contains(warning), out::toString);
    assertEquals(1, json("wide.yaml").get("warnings").size());
  }

  @Test
  void aTauAboveAStatedBaseRateIsNamedAsByTheVerbCheck() throws Exception {
    write("rare.yaml", SimulationSpecs.ridge().spec().text());
    assertEquals(0, run("rare.yaml", "--base-rate", "0.1"), err::toString);
    String warning = "  WARNING fairness.tau is 0.2 and the base rate 0.1: an effect as large as";
    assertTrue(out.toString().contains(warning), out::toString);
  }

  @Test
  void theRateIsThatOfTheVerbCheckAndNamed() throws Exception {
    assertEquals(0, run("loans.yaml"), err::toString);
    String assumed = "assumes a base rate of 0.5, 100 decisions a second (the default of --rate)";
    assertTrue(out.toString().contains(assumed), out::toString);
    assertTrue(out.toString().contains("MB a segment at 100 decisions a second"), out::toString);
  }

  @Test
  void theEllipsoidIsNamedWhereItAnswers() throws Exception {
    String number =
        "[intercept, number: age, one-hot: offer, {one-hot: gender}, {product: [{one-hot: gender}, {one-hot: offer}]}, {product: [{one-hot: gender}, {number: age}]}]";
    String spec = Files.readString(directory.resolve("loans.yaml"));
    int from = spec.indexOf("features: ") + "features: ".length();
    String text = spec.substring(0, from) + number + spec.substring(spec.indexOf("\n  explore"));
    write(
        "numbers.yaml",
        text.replace(
            "age: {role: context, levels: [a, b, c, d]}",
            "age: {role: context, range: [0, 100], usual-range: [0, 100], cuts: [50]}"));
    assertEquals(0, run("numbers.yaml"), err::toString);
    assertTrue(out.toString().contains("  the ellipsoid, which certifies later"), out::toString);
    assertEquals(0, run("loans.yaml"), err::toString);
    assertFalse(out.toString().contains("ellipsoid"), out::toString);
  }

  @Test
  void tooManyFeaturesAreTheReasonForNoForecast() throws Exception {
    String levels = IntStream.range(0, 300).mapToObj(i -> "a" + i).collect(joining(", "));
    String spec = Files.readString(directory.resolve("loans.yaml"));
    String screen = "policy:\n  name: screen\n  theta-norm: 5\n";
    write(
        "broad.yaml",
        spec.substring(0, spec.indexOf("policy:"))
                .replace(
                    "age: {role: context, levels: [a, b, c, d]}",
                    "age: {role: context, levels: [" + levels + "]}")
            + screen
            + spec.substring(spec.indexOf("fairness:")));
    assertEquals(0, run("broad.yaml"), err::toString);
    String why = "no forecast: an arm's people show more than 256 features, which take too long;";
    assertTrue(out.toString().contains(why), out::toString);
  }

  @Test
  void oneEffectForAllArmsIsNamedAsByTheVerbCheck() throws Exception {
    String ridge = SimulationSpecs.of(SimulationSpecs.ADDITIVE).spec().text();
    write("shared.yaml", ridge);
    assertEquals(0, run("shared.yaml"), err::toString);
    String warning =
        "  WARNING the model has one effect of gender for all arms that differ in offer alone";
    assertTrue(out.toString().contains(warning), out::toString);
    String product = "Add {product: [{one-hot: gender}, {one-hot: offer}]} to policy.features";
    assertTrue(json("shared.yaml").get("warnings").toString().contains(product));
  }

  @Test
  void aSpecThatAuditsNothingIsNamedAsByTheVerbCheck() throws Exception {
    String spec = SimulationSpecs.ridge().spec().text();
    write("open.yaml", spec.replace("role: sensitive", "role: context"));
    assertEquals(0, run("open.yaml"), err::toString);
    assertTrue(out.toString().contains("no forecast: the spec has no sensitive attribute"));
    String warning = "  WARNING no variable has role: sensitive, so nothing is audited";
    assertTrue(out.toString().contains(warning), out::toString);
  }

  private static double first(JsonNode plan) {
    return plan.get("pairs").get(0).get("firstArm").asDouble();
  }

  @Test
  void widerLimitsByKindAreNamedByKind() throws Exception {
    String text = Files.readString(directory.resolve("loans.yaml"));
    write("kinds.yaml", text.replaceFirst("tau: ([0-9.]+)", "tau: {direct: $1}"));
    assertEquals(0, run("kinds.yaml"), err::toString);
    assertTrue(out.toString().contains("fairness.tau: {direct: 0.150}"), out::toString);
  }

  @Test
  void policiesWithoutForecastSayWhy() throws Exception {
    String text = Files.readString(directory.resolve("loans.yaml"));
    write(
        "forgets.yaml",
        text.replace("  model: shared", "  model: shared\n  forget: {discount: 0.999}"));
    assertEquals(0, run("forgets.yaml"), err::toString);
    assertTrue(out.toString().contains("no forecast: policy linucb"), out::toString);
  }

  @Test
  void rewardsThatAreLearnedAtTheEndOfTheirWindowWaitForIt() throws Exception {
    String spec = SimulationSpecs.ridge().spec().text();
    write("now.yaml", spec);
    write("close.yaml", spec.replace("reward-window: 1d", "reward-window: 1d, aggregate: max"));
    assertEquals(0, run("now.yaml", "close.yaml"), "versions of one spec: " + err);
    double waited = first(json("close.yaml", "--rate", "1"));
    double now = first(json("now.yaml", "--rate", "1"));
    assertEquals(86_400, waited - now, 1);
  }

  @Test
  void logisticPoliciesHaveAForecastAtLowRates() throws Exception {
    String spec =
        SimulationSpecs.ridge().spec().text().replace("linucb, constraint: hard", "screen");
    write("screen.yaml", spec);
    assertEquals(0, run("screen.yaml", "--base-rate", "0.04"), err::toString);
    assertFalse(out.toString().contains("no forecast: "), out::toString);
    assertTrue(out.toString().contains("; assumes a base rate of 0.04"), out::toString);
    write(
        "ellipsoid.yaml",
        spec.replace("fairness: {", "fairness: {certificates: {interval: ellipsoid}, "));
    assertEquals(0, run("ellipsoid.yaml"), err::toString);
    assertTrue(out.toString().contains("  the ellipsoid, which certifies later"), out::toString);
  }

  @Test
  void thePageHasTablesAndACurve() throws Exception {
    assertEquals(0, run("loans.yaml", "--html", "plan.html"), err::toString);
    String page = Files.readString(directory.resolve("plan.html"));
    assertEquals(1, page.split("<svg ", -1).length - 1);
    assertEquals(2, page.split("<table>", -1).length - 1);
    assertFalse(page.contains("<script"), page);
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws Exception {
    write("broken.yaml", "name: x");
    assertEquals(1, run("broken.yaml"));
    assertTrue(err.toString().contains("FAULT broken.yaml: "), err::toString);
    refused("--base-rate 2 must be above 0 and below 1, the", "loans.yaml", "--base-rate", "2");
    refused("--base-rate 0 must be above 0 and below 1, the", "loans.yaml", "--base-rate", "0");
    refused("--rate must be from 0.000000001 to 1000000000", "loans.yaml", "--rate", "0");
    refused("--answered must be above 0", "loans.yaml", "--answered", "0");
    refused("--delay must be from 0 to 1000000000", "loans.yaml", "--delay", "NaN");
    refused("--effect must be at least 0", "loans.yaml", "--effect", "-1");
    write("few.csv", "age\na\n");
    refused("also required: [income, region, gender]", "loans.yaml", "--people", "few.csv");
  }

  private void refused(String message, String... words) {
    assertEquals(2, run(words), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }
}
