package io.equipoise.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Docs;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.check.CheckCommand;
import io.equipoise.offline.bounds.BoundsFile;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.evaluate.LoggedRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateCommandTest {
  private static final String PAGE = "docs/simulate.md";
  private static final String YAML = "```yaml\n";
  private static final String COMMAND = "\nequipoise simulate ";
  private static final String TEXT = "```text\n";
  private static final String END = "```";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeFiles() throws Exception {
    write("offers.yaml", SimulationSpecs.cells().spec().text());
    write("ridge.yaml", ridge());
    write("world.yaml", SimulationSpecs.WORLD);
  }

  private static String ridge() {
    return SimulationSpecs.ridge()
        .spec()
        .text()
        .replace("name: offers", "name: ridge")
        .replace("segments: default", "segments: {exact: [ridge]}");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private int run(String... words) {
    List<String> arguments = new ArrayList<>();
    for (String word : words) {
      boolean isFile = word.endsWith(".yaml") || word.endsWith(".csv") || word.endsWith(".html");
      arguments.add(isFile ? directory.resolve(word).toString() : word);
    }
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  /** The two paths cancel: the total effect is 0, the direct one twice its limit. */
  @Test
  void anArmIsCertifiedForAnAttributeOnceAllItsKindsAreProven() throws Exception {
    String spec =
        """
        name: cancelling
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m], missing: reject}
          offer: {role: action, levels: [small, large]}
          template: {role: mediator, levels: [a, b]}
          accepted: {role: reward}
        graph: "dag { gender -> offer; {gender offer} -> template; {gender offer template} -> accepted }"
        distributions:
          cpts:
            template:
              given: [gender, offer]
              rows: [[f, small, 0.2, 0.8], [m, small, 0.7, 0.3], [f, large, 0.5, 0.5], [m, large, 0.5, 0.5]]
        reward: {range: [0, 1]}
        policy: {name: f-ucb, separating-set: parents, explore: {share: 0.2, over: all}}
        fairness: {tau: TAU}
        join: {reward-window: 1d, fallback: offer=small}
        """;
    write("total.yaml", spec.replace("TAU", "0.2"));
    write("kinds.yaml", spec.replace("TAU", "{total: 0.2, direct: 0.1}"));
    write(
        "cancelling.yaml",
        """
        base-rate: 0.4
        effects:
          - {offer: small, template: a, effect: 0.4}
          - {offer: small, gender: m, effect: -0.2}
          - {offer: large, effect: 0.05}
        """);
    String play = " --world cancelling.yaml --decisions 2500 --seeds 1 --threads 1";
    assertEquals(0, run(("total.yaml" + play).split(" ")), err.toString());
    assertTrue(out.toString().contains("1 of 1"), out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run(("kinds.yaml" + play).split(" ")), err.toString());
    String certificates =
        out.toString().substring(out.toString().indexOf("first certificate by arm"));
    assertTrue(certificates.contains("offer=small"), out.toString());
    assertFalse(certificates.contains("1 of 1"), out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run(("kinds.yaml --json -" + play).split(" ")), err.toString());
    assertTrue(out.toString().contains("\"tauByKind\""), out.toString());
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the tables instead of comparing them. */
  @Test
  void thePageShowsWhatItsCommandPrints() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    write("offers.yaml", block(readme, YAML));
    write("world.yaml", block(Files.readString(Path.of(PAGE)), YAML));
    Docs.assertGenerated(
        PAGE,
        SimulateCommandTest.class,
        page -> {
          int text = page.indexOf(TEXT) + TEXT.length();
          return page.substring(0, text) + printed(page) + page.substring(page.indexOf(END, text));
        });
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void theExampleOfLimitsByKindIsCheckedAndPlayed() throws Exception {
    String file = "docs/where-a-gap-comes-from.md";
    String heading = "## Limits by kind for single decisions\n";
    String page = Files.readString(Path.of(file));
    String section = page.substring(page.indexOf(heading));
    write("loans.yaml", block(section, YAML));
    String loans = directory.resolve("loans.yaml").toString();
    StringWriter checked = new StringWriter();
    assertEquals(
        0, new CommandLine(new CheckCommand()).setOut(new PrintWriter(checked)).execute(loans));
    assertTrue(checked.toString().contains("direct: at most 0.2\n"), checked::toString);
    assertTrue(checked.toString().contains("indirect: at most 0.1, through [income]"));
    section = section.substring(section.indexOf(YAML) + YAML.length());
    write("world.yaml", block(section, YAML));
    String printed = printed(section);
    String shown = printed.substring(0, printed.indexOf("\nloans-by-kind: mean reward"));
    Docs.assertGenerated(
        file,
        SimulateCommandTest.class,
        it -> {
          int text = it.indexOf(TEXT, it.indexOf(heading)) + TEXT.length();
          return it.substring(0, text) + shown + it.substring(it.indexOf(END, text));
        });
    assertRowsOfEveryKind();
  }

  private void assertRowsOfEveryKind() throws IOException {
    CompiledSpec spec =
        CompiledSpec.of(SpecParser.parse(Files.readString(directory.resolve("loans.yaml"))));
    String world = Files.readString(directory.resolve("world.yaml"));
    MemoryLog log =
        new LoggedRun(
                spec,
                World.of(spec.spec(), WorldFile.parse("world.yaml", world), null),
                "loans-by-kind",
                8000)
            .log;
    Map<String, AuditVerdict> last = new TreeMap<>();
    Map<AuditEffectKind, Double> limits =
        Map.of(AuditEffectKind.DIRECT, .2, AuditEffectKind.INDIRECT, .1);
    long rows = 0;
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      for (LogRecord at : log.records(LogTopic.AUDIT, partition)) {
        FairnessAudit audit = Wire.AUDIT.decode(at.value());
        AuditEffectKind kind = audit.effect().kind();
        assertEquals(limits.get(kind), audit.threshold());
        last.put(audit.arm() + " " + kind, audit.verdict());
        rows++;
      }
    }
    assertEquals(2 * 8000, rows);
    assertEquals(
        "{offer=large DIRECT=UNCERTAIN, offer=large INDIRECT=FAIR, offer=small"
            + " DIRECT=CERTIFIED_FAIR, offer=small INDIRECT=CERTIFIED_FAIR, offer=standard"
            + " DIRECT=CERTIFIED_FAIR, offer=standard INDIRECT=UNFAIR}",
        last.toString());
  }

  private String printed(String page) {
    int start = page.indexOf(COMMAND) + COMMAND.length();
    String[] words = page.substring(start, page.indexOf('\n', start)).split(" ", -1);
    assertEquals(0, run(words), err::toString);
    return out.toString().replace(directory + "/", "");
  }

  private static String block(String page, String fence) {
    int start = page.indexOf(fence) + fence.length();
    return page.substring(start, page.indexOf(END, start));
  }

  @Test
  void specsSideBySideAsJson() throws Exception {
    String[] words = {
      "offers.yaml",
      "ridge.yaml",
      "--world",
      "world.yaml",
      "--decisions",
      "1500",
      "--seeds",
      "3",
      "--points",
      "5",
      "--json",
      "-",
      "--threads",
      "1"
    };
    assertEquals(0, run(words), err::toString);
    JsonNode one = new ObjectMapper().readTree(out.toString());
    assertEquals(2, one.get("specs").size());
    JsonNode ridge = one.get("specs").get(1);
    assertEquals("ridge", ridge.get("name").asText());
    assertEquals(3, ridge.get("runs").size());
    assertEquals(3, ridge.get("runs").get(2).get("seed").asInt());
    assertEquals(5, ridge.get("curve").size());
    assertEquals(1500, ridge.get("curve").get(4).get("decisions").asInt());
    assertEquals(3, ridge.get("arms").size());
    assertEquals("f", ridge.get("groups").get(0).get("level").asText());
    assertTrue(err.toString().contains("ridge: over time"), err::toString);
    out.getBuffer().setLength(0);
    words[words.length - 1] = "3";
    assertEquals(0, run(words));
    assertEquals(one, new ObjectMapper().readTree(out.toString()));
  }

  @Test
  void oneEffectForAllArmsIsNamedAsByTheVerbCheck() throws Exception {
    write("shared.yaml", SimulationSpecs.of(SimulationSpecs.ADDITIVE).spec().text());
    assertEquals(0, run("shared.yaml", "--decisions", "100", "--seeds", "1"), err::toString);
    String warning =
        "\nWARNING offers: the model has one effect of gender for all arms that differ in";
    assertTrue(out.toString().contains(warning), out::toString);
  }

  /** Large offers alone are unfair, which features without products average over the offers. */
  @Test
  void anArmThatAloneIsUnfairIsCertifiedOnlyByAModelWithOneEffect() throws Exception {
    String limit = ", constraint: hard, explore: earn}";
    for (String policy : List.of("{name: linucb, model: shared}", SimulationSpecs.ADDITIVE)) {
      String spec = SimulationSpecs.of(policy.replace("}", limit)).spec().text();
      write("offers.yaml", spec);
      write("world.yaml", "effects: [{offer: large, gender: f, effect: -0.3}]");
      String[] words =
          "offers.yaml --world world.yaml --decisions 3000 --seeds 2 --json -".split(" ");
      out.getBuffer().setLength(0);
      assertEquals(0, run(words), err::toString);
      JsonNode found = new ObjectMapper().readTree(out.toString()).get("specs").get(0);
      int wrong = found.get("falseCertificates").asInt();
      assertEquals(policy.equals(SimulationSpecs.ADDITIVE), wrong > 0, wrong + " of " + policy);
    }
  }

  /** The graph leaves income out, and so does the average effect that is certified. */
  @Test
  void falseCertificatesAreCountedAndSayWhatEndedThem() throws Exception {
    String spec = SimulationSpecs.cells().spec().text();
    write("offers.yaml", spec.replace("{gender income offer} ->", "{gender offer} ->"));
    write(
        "world.yaml",
        """
        levels: {income: {low: 0.95, high: 0.05}}
        effects: [{income: high, gender: f, effect: -0.45}]
        """);
    String[] words =
        "offers.yaml --world world.yaml --decisions 6000 --seeds 2 --threads 1 --html page.html --json -"
            .split(" ");
    assertEquals(0, run(words), err::toString);
    JsonNode result = new ObjectMapper().readTree(out.toString()).get("specs").get(0);
    int wrong = result.get("falseCertificates").asInt();
    assertTrue(wrong > 0, out::toString);
    String line =
        "\noffers: " + wrong + " certified decisions are unfair (FALSE certificates), in ";
    assertTrue(err.toString().contains(line), err::toString);
    assertTrue(err.toString().contains("; the rewards refuted an assumption in "), err::toString);
    assertTrue(err.toString().contains(", and certificates are withheld from then on: "));
    String page = Files.readString(directory.resolve("page.html"));
    assertTrue(
        page.contains(wrong + " certified decisions are unfair (FALSE certificates), in "), page);
    assertTrue(result.get("runs").toString().contains("{\"assumption\":\""), out::toString);
  }

  @Test
  void versionsOfOneSpecAreComparedByTheirFiles() throws Exception {
    write(
        "offers-2.yaml", SimulationSpecs.ridge().spec().text().replace("version: 1", "version: 2"));
    assertEquals(
        0,
        run("offers.yaml", "offers-2.yaml", "--decisions", "100", "--seeds", "1"),
        err::toString);
    assertTrue(out.toString().contains("\noffers (offers.yaml): over time"), out::toString);
    assertTrue(out.toString().contains("\noffers (offers-2.yaml)  linucb"), out::toString);
  }

  @Test
  void specsPlayTheBoundsOfAFile() throws Exception {
    CompiledSpec spec = SimulationSpecs.of("{name: ucb-pcb, causal-bounds: {name: shop}}");
    write("pcb.yaml", spec.spec().text());
    String[] words = {"pcb.yaml", "--world", "world.yaml", "--decisions", "300", "--seeds", "1"};
    assertEquals(0, run(words), err::toString);
    String wants = "no causal bounds; the spec uses the set shop: give --bounds FILE";
    assertTrue(out.toString().contains("offers plays " + wants), out::toString);
    String graph = spec.spec().graph().fingerprint();
    List<CausalBound> rows = new ArrayList<>();
    for (Arm arm : spec.spec().arms().list()) {
      double[] bound = rows.isEmpty() ? new double[] {0, 0} : new double[] {0, 1};
      rows.add(TestBounds.row(graph, arm.id(), Map.of(), bound));
    }
    CausalBoundSet set = CausalBoundSet.of("shop", 1, rows);
    BoundsFile.write(set, directory.resolve("bounds.csv"));
    out.getBuffer().setLength(0);
    List<String> more = new ArrayList<>(List.of(words));
    more.addAll(List.of("--bounds", "bounds.csv", "--json", "-"));
    assertEquals(0, run(more.toArray(String[]::new)), err::toString);
    JsonNode result = new ObjectMapper().readTree(out.toString()).get("specs").get(0);
    assertEquals(set.toString(), result.get("causalBounds").asText());
    assertEquals(0, result.get("arms").get(0).get("share").asDouble(), "an arm known to be worst");
    assertTrue(result.get("arms").get(1).get("share").asDouble() > 0);
  }

  @Test
  void boundsThatNoSpecCanPlayAreRefused() throws Exception {
    CompiledSpec spec = SimulationSpecs.of("{name: ucb-pcb, causal-bounds: {name: shop}}");
    write("pcb.yaml", spec.spec().text());
    CausalBound row = TestBounds.row("A=left", Map.of(), 0, 1);
    CausalBoundSet set = CausalBoundSet.of("shop", 1, List.of(row));
    BoundsFile.write(set, directory.resolve("bounds.csv"));
    refused("cannot use --bounds", "pcb.yaml", "--bounds", "bounds.csv");
    refused("compute it with the verb bounds", "pcb.yaml", "--bounds", "bounds.csv");
    refused("which no spec names", "offers.yaml", "--bounds", "bounds.csv");
    String whole = Files.readString(directory.resolve("bounds.csv"));
    String bare = whole.replace("\"estimand\":\"\",", "");
    for (String line : List.of("null", "{}", "A=left,0,1", "{\"lower\": \"x\"}", bare)) {
      write("bounds.csv", line);
      refused("bounds.csv, line 1 is no row", "pcb.yaml", "--bounds", "bounds.csv");
    }
    write("bounds.csv", "");
    refused("is not one complete set", "pcb.yaml", "--bounds", "bounds.csv");
  }

  @Test
  void thePageOfResultsHasTablesAndCurves() throws Exception {
    write("world.yaml", "{}");
    assertEquals(
        0,
        run("offers.yaml", "--decisions", "200", "--seeds", "2", "--html", "result.html"),
        err::toString);
    String page = Files.readString(directory.resolve("result.html"));
    assertTrue(page.startsWith("<!DOCTYPE html>"), page);
    assertEquals(5, page.split("<svg ", -1).length - 1);
    assertEquals(4, page.split("<table>", -1).length - 1);
    assertTrue(page.length() < 1_000_000, () -> page.length() + " characters");
    assertFalse(page.contains("<script"), page);
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws Exception {
    write("broken.yaml", ridge().replace("tau: 0.2", "tau: -2"));
    assertEquals(1, run("broken.yaml"));
    assertTrue(err.toString().startsWith("FAULT broken.yaml: fairness.tau, line "), err::toString);
    write("wrong.yaml", "effects: [{offer: small, effect: 0.7}]");
    refused("change base-rate or an effect", "offers.yaml", "--world", "wrong.yaml");
    write("people.csv", "income\nlow\n");
    refused("also required: [gender]", "offers.yaml", "--people", "people.csv");
    refused("--decisions must be from 1 to 10000000", "offers.yaml", "--decisions", "0");
    refused("--seeds must be from 1 to 10000", "offers.yaml", "--seeds", "0");
    refused("--threads must be from 1 to 64", "offers.yaml", "--threads", "65");
    refused("--points must be at least 1", "offers.yaml", "--points", "0");
    refused("--rate must be from 0.000000001 to 1000000000", "offers.yaml", "--rate", "NaN");
    refused("--delay must be from 0 to 1000000000", "offers.yaml", "--delay", "-1");
    refused("--delay must be from 0 to 1000000000", "offers.yaml", "--delay", "1e17");
    refused("--answered must be from 0 to 1", "offers.yaml", "--answered", "2");
  }

  @Test
  void theSameFileTwiceIsNoSecondSpec() throws Exception {
    assertEquals(1, run("ridge.yaml", "offers.yaml", "./ridge.yaml"), out::toString);
    assertTrue(err.toString().contains("ridge.yaml: the same file twice given"), err::toString);
  }

  @Test
  void aTauThatNoEffectReachesIsNamedAsByTheVerbCheck() throws Exception {
    write("offers.yaml", ridge().replace("tau: 0.2", "tau: 20"));
    assertEquals(0, run("offers.yaml", "--decisions", "50", "--seeds", "1"), err::toString);
    String warning = "WARNING ridge: fairness.tau is 20 and reward.range is 1 wide: no effect can";
    assertTrue(out.toString().contains(warning), out::toString);
  }

  private void refused(String message, String... words) {
    err.getBuffer().setLength(0);
    assertEquals(2, run(words), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }
}
