package io.equipoise.tools.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Docs;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class EvaluateCommandTest {
  private static final String PAGE = "docs/evaluate.md";
  private static final String COMMAND = "```sh\nequipoise evaluate ";
  private static final String TEXT = "```text\n";
  private static final String END = "```";
  private static final String HEADING = "gender,income,arm,propensity,reward\n";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeFiles() throws Exception {
    write("offers.yaml", SimulationSpecs.cells().spec().text());
    write("log.csv", HEADING + rows(2_000));
  }

  /** A log of a policy that plays the small offer in 6 of 10 decisions. */
  private static String rows(int count) {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder rows = new StringBuilder();
    for (int row = 0; row < count; row++) {
      boolean isWoman = random.nextBoolean();
      double unit = random.nextDouble();
      String offer = unit < 0.6 ? "small" : unit < 0.9 ? "standard" : "large";
      double propensity = unit < 0.6 ? 0.6 : unit < 0.9 ? 0.3 : 0.1;
      double mean = offer.equals("standard") ? 0.6 : offer.equals("large") && isWoman ? 0.2 : 0.5;
      rows.append(isWoman ? "f" : "m").append(random.nextBoolean() ? ",high," : ",low,");
      rows.append("offer=").append(offer).append(',').append(propensity).append(',');
      rows.append(random.nextDouble() < mean ? 1 : 0).append('\n');
    }
    return rows.toString();
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(directory.resolve(name), text);
  }

  private int run(String... words) {
    List<String> arguments = new ArrayList<>();
    for (String word : words) {
      boolean isFile = word.endsWith(".yaml") || word.endsWith(".csv");
      arguments.add(isFile ? directory.resolve(word).toString() : word);
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new EvaluateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void thePageShowsWhatItsCommandPrints() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    int spec = readme.indexOf("```yaml\n") + "```yaml\n".length();
    write("offers.yaml", readme.substring(spec, readme.indexOf(END, spec)));
    Docs.assertGenerated(
        PAGE,
        EvaluateCommandTest.class,
        page -> {
          int start = page.indexOf(COMMAND) + COMMAND.length();
          String[] words = page.substring(start, page.indexOf('\n', start)).split(" ", -1);
          assertEquals(0, run(words), err::toString);
          int text = page.indexOf(TEXT) + TEXT.length();
          return page.substring(0, text) + out + page.substring(page.indexOf(END, text));
        });
  }

  @Test
  void theEstimateIsNearTheTruthOfTheLog() throws Exception {
    assertEquals(0, run("offers.yaml", "--input", "log.csv", "--json", "-"), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertEquals(2_000, json.get("loggedDecisions").asInt());
    assertEquals(1_999, json.get("learnedRewards").asInt());
    assertEquals(1, json.get("snips").get("meanWeight").asDouble(), 0.2);
    assertEquals(0, json.get("snips").get("unsupported").asDouble(), 0);
    assertEquals("undisclosed", json.get("groups").get(2).get("level").asText());
    assertTrue(json.get("groups").get(2).get("snips").get("value").isNull());
    assertTrue(err.toString().contains("the log's policy"), err::toString);
  }

  @Test
  void tooLittleInTheLogIsRefused() throws Exception {
    write("log.csv", HEADING + rows(8));
    assertEquals(1, run("offers.yaml", "--input", "log.csv", "--json", "-"));
    assertTrue(err.toString().contains("REFUSED too few rows: "), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertTrue(json.get("snips").get("value").isNull() && json.get("certifiedShare").isNull());
    write("log.csv", HEADING + "f,low,offer=small,1,1\n".repeat(500));
    assertEquals(1, run("offers.yaml", "--input", "log.csv"));
    assertTrue(out.toString().contains("REFUSED no overlap: "), out::toString);
  }

  @Test
  void missingRewardsAndInvalidRowsAreCounted() throws Exception {
    write("log.csv", HEADING + rows(500) + "f,low,offer=small,0.6,\nf,,offer=small,0.6,1\n");
    assertEquals(0, run("offers.yaml", "--input", "log.csv"), err::toString);
    assertTrue(out.toString().contains("NOTE 1 decision is invalid under the spec"));
    assertTrue(out.toString().contains("NOTE 1 decision has no reward"), out::toString);
  }

  @Test
  void aRewardThatTheJobWouldRefuseIsCountedAndLeftOut() throws Exception {
    write(
        "log.csv",
        HEADING + rows(500) + "f,low,offer=small,0.6,100\nm,low,offer=small,0.6,1e308\n");
    assertEquals(0, run("offers.yaml", "--input", "log.csv", "--json", "-"), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertEquals(2, json.get("refusedRewards").asInt());
    assertTrue(json.get("log").get("value").asDouble() <= 1, out::toString);
    assertTrue(err.toString().contains("2 decisions have a reward outside reward.range"));
  }

  @Test
  void rewardsThatAreAllOutsideOfTheRangeAreNamedAsTheReason() throws Exception {
    write("log.csv", HEADING + "f,low,offer=small,0.6,100\n".repeat(30));
    assertEquals(1, run("offers.yaml", "--input", "log.csv"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("REFUSED no row has a reward in reward.range, 0 to 1"), text);
    assertTrue(text.contains("NOTE 30 decisions have a reward outside reward.range"), text);
    assertFalse(text.contains("learned NO reward"), text);
  }

  /** Both estimates would have intervals, which exclude each other. */
  @Test
  void weightsWithoutMeaningGetNoInterval() throws Exception {
    write("log.csv", HEADING + rows(500) + "m,high,offer=small,1e-9,0\n".repeat(40));
    assertEquals(0, run("offers.yaml", "--input", "log.csv", "--json", "-"), err::toString);
    String line =
        err.toString().lines().filter(it -> it.startsWith("offers  ")).findFirst().orElse("");
    assertTrue(line.matches(".*0\\.\\d+ \\(no interval\\) +\\d\\.\\d+ \\(no interval\\)"), line);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    for (String estimate : List.of("snips", "doublyRobust")) {
      assertTrue(json.get(estimate).get("low").isNull(), out::toString);
      assertTrue(
          json.get(estimate).get("refusal").asText().startsWith("no interval: the mean weight is"),
          out::toString);
    }
    assertTrue(json.get("groups").get(1).get("gap").isNull(), out::toString);
    assertEquals(0.5, json.get("log").get("high").asDouble(), 0.1);
  }

  @Test
  void rewardsAreLearnedUnderEveryAggregate() throws Exception {
    String first = SimulationSpecs.cells().spec().text();
    write("max.yaml", first.replace("reward-window: 1d", "reward-window: 1m, aggregate: max"));
    assertEquals(0, run("max.yaml", "--input", "log.csv", "--json", "-"), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertTrue(json.get("learnedRewards").asInt() > 1_900, out::toString);
    write("long.yaml", first.replace("reward-window: 1d", "reward-window: 1d, aggregate: max"));
    assertEquals(0, run("long.yaml", "--input", "log.csv"), err::toString);
    assertTrue(out.toString().contains("NOTE the spec learned NO reward"), out::toString);
  }

  @Test
  void timesSelectRows() throws Exception {
    write(
        "log.csv",
        "time,"
            + HEADING
            + "2026-01-05T08:00:00Z,f,low,offer=small,0.6,1\n"
            + "2026-01-05T09:00:00Z,f,low,offer=small,0.6,1\n");
    String[] words = {
      "offers.yaml", "--input", "log.csv", "--from", "2026-01-05T08:30:00Z", "--json", "-"
    };
    assertEquals(1, run(words), err::toString);
    assertEquals(1, new ObjectMapper().readTree(out.toString()).get("loggedDecisions").asInt());
    words[4] = "2026-02-05T08:30:00Z";
    assertEquals(2, run(words));
    assertTrue(err.toString().contains("/log.csv has no row from --from to --to"), err::toString);
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws Exception {
    bad(
        "gender,arm,propensity,reward\n",
        ", line 1: columns [gender, arm, propensity, reward]" + " given; also required: [income]");
    bad(HEADING + "f,low,,0.5,1\n", ", line 2: arm: empty; the arm that was shown is required");
    bad(
        HEADING + "f,low,a,0,1\n",
        ", line 2: propensity: 0 given; the arm was shown, so it is at least 1e-12");
    bad(HEADING + "f,low,a,1e-160,1\n", ", line 2: propensity: 1e-160 given; the arm was shown");
    bad(HEADING + "f,low,a,1.5,1\n", ", line 2: propensity: 1.5 given; a probability from 0 to 1");
    bad(
        HEADING + "f,low,a,,1\n",
        ", line 2: propensity: empty; every row has the probability of its arm");
    bad(HEADING, "/log.csv has no row\n");
    bad(HEADING + "f,low,a,1,x\n", ", line 2: reward: x given; a finite number");
    bad(HEADING + "f,low,a,NaN,1\n", ", line 2: propensity: NaN given; a probability");
    bad(HEADING + "f,low,a,1,0x1p0\n", ", line 2: reward: 0x1p0 given; a finite number");
    bad(HEADING + "f,NA,a,1,1\n", ", line 2: income: NA given; one of [low, high], or nothing");
    bad(HEADING + "f,low,a,1\n", ", line 2: 4 values, but the heading has 5");
    bad(HEADING + "f,low,a,1,1,\n", ", line 2: 6 values, but the heading has 5");
    bad("income," + HEADING + "low,f,low,a,1,1\n", ", line 1: duplicate column \"income\"");
    String all = HEADING.strip() + ",propensity:offer=small,propensity:offer=large\n";
    bad(
        all + "f,low,offer=small,0.33,1,0.1,0.5\n",
        ", line 2: propensity: 0.33 given, but propensity:offer=small is 0.1; they must be equal");
    bad(
        all + "f,low,offer=small,0.33,1,,0.8\n",
        ", line 2: propensity: the arms' sum is 1.13; it is at most 1");
    bad("time," + HEADING + "now,f,low,a,1,x\n", ", line 2: time: now given; an instant such as");
    bad(
        "time," + HEADING + "+999999999-01-01T00:00:00Z,f,low,a,1,x\n",
        ", line 2: time: +999999999-01-01T00:00:00Z given; an instant such as");
    refused("give --input CSV, or the deployment by --config or -D");
    for (String confidence : List.of("1", "0", "1e-320", "0.9999999999999999")) {
      refused(
          "--confidence must be from 0.000000000001 to 0.999999999999", "--confidence", confidence);
    }
    refused("--min-effective must be at least 2", "--min-effective", "1");
    refused("--max-unsupported must be at least 0 and below 1", "--max-unsupported", "1");
    refused(
        "--from must be before --to",
        "--from",
        "2026-01-05T08:00:00Z",
        "--to",
        "2026-01-05T08:00:00Z");
    write("offers.yaml", "name: offers\n");
    assertEquals(1, run("offers.yaml", "--input", "log.csv"));
    assertTrue(err.toString().startsWith("FAULT "), err::toString);
  }

  @Test
  void namesAndLevelsThatTheSpecLacksAreRefusedOrCounted() throws Exception {
    String all = HEADING.strip() + ",";
    bad(
        all + "propensity:offer=smal\nf,low,offer=small,0.6,1,0.3\n",
        ", line 1: propensity:offer=smal: no column propensity:ARM of an arm; did you mean"
            + " offer=small? one of offer=small, offer=standard, offer=large; or remove it");
    bad(
        all + "propensity_offer=large\nf,low,offer=small,0.6,1,0.1\n",
        "propensity_offer=large: no");
    bad(all + "Propensty:offer=large\nf,low,offer=small,0.6,1,0.1\n", "Propensty:offer=large: no");
    bad(
        HEADING + "f,low,offer=small,0.6,1\nf,lo,offer=small,0.6,1\n",
        ", line 3: income: lo given; one of low, high");
    bad(HEADING + "g,low,offer=small,0.6,1\n", ", line 2: gender: g given; one of f, m");
    String first = "time," + HEADING + "2026-01-05T08:00:00Z,f,low,offer=small,0.6,1\n";
    bad(
        first + "2026-01-05T07:59:59Z,f,low,offer=small,0.6,1\n",
        ", line 3: time: 2026-01-05T07:59:59Z given, before the row above; sort the rows by time");
    bad(first + ",f,low,offer=small,0.6,1\n", ", line 3: time: empty; give every row one");
    write("log.csv", all.replace("arm,", "arm,age,").replaceFirst(",$", "\n") + agedRows());
    assertEquals(0, run("offers.yaml", "--input", "log.csv", "--json", "-"), err::toString);
    String notes = new ObjectMapper().readTree(out.toString()).get("notes").toString();
    assertTrue(notes.contains("columns [age] are ignored: the spec has no such variable"), notes);
    assertTrue(notes.contains("2 decisions have an arm that the spec lacks"), notes);
    assertTrue(notes.contains(", such as: offer=huge"), notes);
  }

  @Test
  void oneDecisionIsCountedInTheSingular() throws Exception {
    write("log.csv", HEADING + rows(500) + "f,low,offer=huge,0.6,1\n");
    assertEquals(0, run("offers.yaml", "--input", "log.csv"), err::toString);
    assertTrue(out.toString().contains("1 decision has an arm that the spec lacks"), out::toString);
  }

  private static String agedRows() {
    String huge = "f,low,offer=huge,30,0.6,1\n".repeat(2);
    return rows(500).replaceAll("(offer=\\w+)", "$1,30") + huge;
  }

  @Test
  void optionsOfTheTopicsAreRefusedWithAFile() {
    refused("--segment is of the topics of", "--input", "log.csv", "--segment", "nowhere");
    refused("-D is of the topics of", "--input", "log.csv", "-D", "equipoise.deployment=x");
    refused("--timeout is of the topics of", "--input", "log.csv", "--timeout", "5");
    refused(
        "--from and --to need a column time", "--input", "log.csv", "--to", "2026-01-05T08:00:00Z");
  }

  private void bad(String text, String message) throws Exception {
    write("log.csv", text);
    assertEquals(2, run("offers.yaml", "--input", "log.csv"), text);
    assertTrue(err.toString().contains(message), err::toString);
  }

  private void refused(String message, String... options) {
    List<String> words = new ArrayList<>(List.of("offers.yaml"));
    words.addAll(List.of(options));
    assertEquals(2, run(words.toArray(String[]::new)));
    assertTrue(err.toString().contains(message), err::toString);
  }
}
