package io.equipoise.offline.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DecomposeCommandTest {
  static final String NETWORK =
      "--input src/test/resources/split/unit-network.csv --attribute x --outcome y"
          + " --confounders z --mediators w --weight count ";

  @TempDir private Path directory = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new DecomposeCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words.strip().split(" +"));
  }

  private JsonNode json(String words) throws IOException {
    assertEquals(0, run(words + " --json -"), err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  private String file(String heading, List<String> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of(heading));
    lines.addAll(rows);
    return "--input " + Files.write(directory.resolve("people.csv"), lines) + " ";
  }

  /** Returns the rows of the unit network, a hundredth of them, one line for each person. */
  private static List<String> people() throws IOException {
    List<String> rows = new ArrayList<>();
    Files.readAllLines(Path.of("src/test/resources/split/unit-network.csv")).stream()
        .skip(1)
        .map(it -> it.split(",", -1))
        .forEach(
            it ->
                rows.addAll(
                    Collections.nCopies(
                        Integer.parseInt(it[4]) / 20,
                        String.join(",", List.of(it).subList(0, 4)))));
    return rows;
  }

  @Test
  void theTextHasTheGapItsPartsAndTheirIntervalsInBothDirections() {
    assertEquals(0, run(NETWORK + "--reference x0"), err.toString());
    assertEquals(
        """
        y: x1 minus x0 +0.5485 [+0.5432, +0.5538]      40,000 x1 and 60,000 x0
          z   spurious   +0.0725 [+0.0673, +0.0777]
          w   indirect   +0.2700 [+0.2610, +0.2790]
          x   direct     +0.2060 [+0.1953, +0.2167]
        y: x0 minus x1 -0.5485 [-0.5538, -0.5432]      60,000 x0 and 40,000 x1
          z   spurious   -0.0700 [-0.0741, -0.0659]
          w   indirect   -0.2400 [-0.2496, -0.2304]
          x   direct     -0.2385 [-0.2508, -0.2262]
        Each interval is for a random sample, looked at once (APPROXIMATE, delta 0.05).
        The names of the parts are those of the options; --graph checks them.
        Each row counts as so many people as its count says; with survey weights the intervals would be too short.
        """,
        out.toString());
  }

  @Test
  void numbersOfASmallRangeHaveAPowerOfTen() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < 40; row++) {
      rows.add(row % 2 + "," + (row < 20 ? "2e-10" : row % 2 == 0 ? "4e-10" : "1e-10"));
    }
    String input = file("s,y", rows);
    assertEquals(0, run(input + "--attribute s --outcome y --range 0,1e-9 --reference 0"));
    assertTrue(out.toString().startsWith("y: 1 minus 0 -1.500e-10 ["), out.toString());
  }

  /** Draws a log of the spec; group b has more of X = low, which pays. */
  private static List<String> log() {
    SplittableRandom random = new SplittableRandom(3);
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < 2000; row++) {
      boolean isA = random.nextBoolean();
      boolean isLow = random.nextDouble() < (isA ? .3 : .6);
      boolean isLeft = random.nextDouble() < (isLow ? .4 : .7);
      boolean isOne = random.nextDouble() < (isLeft ? .3 : .6);
      double reward =
          .25 + (isLow ? .25 : 0) + (isOne ? .25 : 0) + (random.nextBoolean() ? .25 : 0);
      rows.add(
          String.join(
              ",",
              isA ? "a" : "b",
              isLow ? "low" : "high",
              isLeft ? "left" : "right",
              isOne ? "1" : "0",
              Double.toString(reward)));
    }
    return rows;
  }

  private JsonNode ofSpec(String input) throws IOException {
    Path spec = Files.writeString(directory.resolve("spec.yaml"), TestSpecs.ucb());
    return json(input + "--spec " + spec);
  }

  @Test
  void aLogUnderItsSpecHasThePartsOfTheSameRowsWithTheRolesOfItsGraph() throws IOException {
    String input = file("S,X,A,M,R", log());
    JsonNode roles =
        json(input + "--attribute S --outcome R --confounders X --decision A --after M");
    JsonNode log = ofSpec(input);
    assertTrue(log.path("graphChecked").asBoolean());
    assertTrue(log.path("note").asText().contains("fairness.split"), log.toString());
    for (int direction = 0; direction < 2; direction++) {
      JsonNode expected = roles.path("comparisons").path(direction);
      JsonNode found = log.path("comparisons").path(direction);
      assertEquals(expected.path("otherRows"), found.path("otherRows"));
      assertEquals(4, found.path("parts").size());
      for (int part = 0; part < 4; part++) {
        JsonNode one = expected.path("parts").path(part);
        JsonNode other = found.path("parts").path(part);
        assertEquals(one.path("kind"), other.path("kind"));
        for (String number : List.of("estimate", "lower", "upper", "unmatched", "restsOn")) {
          assertEquals(one.path(number).asDouble(), other.path(number).asDouble(), 1e-5, number);
        }
      }
    }
  }

  /** Replaces values by nothing: of S, X, A, M or R, by their place in a row. */
  private static List<String> without(int place, int every) {
    List<String> rows = log();
    for (int row = 0; row < rows.size(); row += every) {
      List<String> values = new ArrayList<>(List.of(rows.get(row).split(",", -1)));
      values.set(place, row % 2 == 0 ? "" : "NA");
      rows.set(row, String.join(",", values));
    }
    return rows;
  }

  /** An unreported mediator is no level: people with it are not the same in that mediator. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void rowsWithoutAValueAreLeftOutAndCountedWithASpecAsWithout(int place) throws IOException {
    List<String> rows = without(place, 15);
    String input = file("S,X,A,M,R", rows);
    JsonNode log = ofSpec(input);
    assertEquals(134, log.path("leftOut").asInt());
    assertTrue(
        log.path("note")
            .asText()
            .contains("Warning: 6.7 % of the rows are left out. The parts are those of the others"),
        log.path("note").asText());
    JsonNode roles =
        json(input + "--attribute S --outcome R --confounders X --decision A --after M");
    assertEquals(134, roles.path("leftOut").asInt());
    JsonNode first = log.path("comparisons").path(0);
    assertEquals(1866, first.path("referenceRows").asInt() + first.path("otherRows").asInt());
    for (int part = 0; part < 4; part++) {
      String at = "/comparisons/0/parts/" + part + "/estimate";
      assertEquals(roles.at(at).asDouble(), log.at(at).asDouble(), 1e-5, at);
    }
  }

  @Test
  void fewRowsWithoutAValueHaveNoWarning() throws IOException {
    String input = file("S,X,A,M,R", without(3, 50));
    String note = ofSpec(input).path("note").asText();
    assertFalse(note.contains("Warning"), note);
    assertEquals(0, run(input + "--spec " + directory.resolve("spec.yaml")), err.toString());
    assertTrue(
        out.toString().contains("40 rows are left out: a value is missing (2.0 %)"),
        out.toString());
  }

  @Test
  void aMediatorThatNobodyReportsIsRefused() throws IOException {
    Path spec = Files.writeString(directory.resolve("spec.yaml"), TestSpecs.ucb());
    assertEquals(1, run(file("S,X,A,M,R", without(3, 1)) + "--spec " + spec), out.toString());
    String why = err.toString().strip(); // after how many rows were read, if it took a while
    assertTrue(
        why.endsWith(
            "decompose: no row has values of all of X, A, M, S and R; 2000 rows are left out: a"
                + " value is missing"),
        why);
  }

  @Test
  void aRowWithoutAWeightIsLeftOutAsOneWithASpecToo() throws IOException {
    List<String> rows = new ArrayList<>(log().stream().map(it -> it + ",3").toList());
    rows.set(0, rows.get(0).replaceFirst(",3$", ","));
    rows.set(1, rows.get(1).replaceFirst("^.", ""));
    assertEquals(4, ofSpec(file("S,X,A,M,R,n", rows) + "--weight n ").path("leftOut").asInt());
  }

  /** A reward of .3 is no multiple of 2^-20, the resolution of the counts. */
  @Test
  void rewardsOfALogThatAreAllTheSameHaveNoVariance() throws IOException {
    List<String> rows = log();
    rows.replaceAll(it -> it.substring(0, it.lastIndexOf(',')) + ",0.3");
    JsonNode first = ofSpec(file("S,X,A,M,R", rows)).path("comparisons").path(0);
    double doubt = 2;
    for (String group : List.of("referenceRows", "otherRows")) {
      doubt -= Math.pow(.025, 1 / first.path(group).asDouble());
    }
    assertEquals(doubt, first.at("/gap/upper").asDouble(), 1e-9);
  }

  @Test
  void segmentEventsHaveThePartsOfTheSameRowsAndWithoutTheAttributeAreLeftOut() throws IOException {
    List<String> rows = log();
    JsonNode expected = ofSpec(file("S,X,A,M,R", rows));
    SegmentSpec spec = SpecParser.parse(TestSpecs.ucb());
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    for (int row = 0; row < rows.size(); row++) {
      String[] values = rows.get(row).split(",", -1);
      double level = values[0].equals("a") ? 0 : 1;
      events.write(event(spec, "s", row, level, values));
    }
    events.write(event(spec, "s", rows.size(), 2, "undisclosed", "low", "left", "1", "1"));
    Path log = Files.write(directory.resolve("log.avro"), events.toByteArray());
    JsonNode found = ofSpec("--input " + log + " --segment s ");
    assertEquals(expected.path("comparisons"), found.path("comparisons"));
    assertEquals(1, found.path("leftOut").asInt());
  }

  /** Writes the rows to a log, one after the other to each of some segments. */
  private String logOf(List<String> rows, List<String> segments, String otherSpec)
      throws IOException {
    SegmentSpec spec = SpecParser.parse(TestSpecs.ucb());
    SegmentSpec other = SpecParser.parse(otherSpec);
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    for (int row = 0; row < rows.size(); row++) {
      String[] values = rows.get(row).split(",", -1);
      String segment = segments.get(row % segments.size());
      boolean isOther = segment.equals("other");
      double level = values[0].equals("a") ? 0 : 1;
      events.write(event(isOther ? other : spec, segment, row, level, values));
    }
    return "--input " + Files.write(directory.resolve("log.avro"), events.toByteArray()) + " ";
  }

  @Test
  void aLogOfSeveralSegmentsIsRefusedUnlessOneIsChosen() throws IOException {
    List<String> rows = log();
    List<String> ofT = new ArrayList<>();
    for (int row = 1; row < rows.size(); row += 3) {
      ofT.add(rows.get(row));
    }
    JsonNode expected = ofSpec(file("S,X,A,M,R", ofT));
    String words = logOf(rows, List.of("s", "t", "other"), TestSpecs.ucb() + "# other\n");
    String spec = "--spec " + directory.resolve("spec.yaml");
    assertEquals(2, run(words + spec), out.toString());
    String why = "the spec is for several segments, whose gaps have causes of their own";
    assertTrue(err.toString().startsWith(why + "; choose one with --segment"), err.toString());
    assertEquals(expected.path("comparisons"), ofSpec(words + "--segment t ").path("comparisons"));
    assertEquals(2, run(words + spec + " --segment u"), out.toString());
    assertTrue(lastError().endsWith("the log has no row: no learned reward, or a heading only"));
    String alone = TestSpecs.ucb().replace("segments: default", "segments: {exact: [other]}");
    Path file = Files.writeString(directory.resolve("alone.yaml"), alone);
    words = logOf(ofT, List.of("other"), alone);
    assertEquals(0, run(words + "--spec " + file), err.toString());
  }

  /** Progress of a slow read may stand before it. */
  private String lastError() {
    return err.toString().lines().reduce("", (line, next) -> next);
  }

  private static byte[] event(
      SegmentSpec spec, String segment, long seq, double level, String... values) {
    return Wire.SEGMENT_EVENT.encode(
        new SegmentEvent(
            SegmentEventType.REWARD_APPLIED,
            new Place(segment, 0, seq),
            1_700_000_000_000L + seq,
            new Versions(spec.hash(), 1L, null, null, null),
            new JoinedDecision(
                "d" + seq,
                null,
                seq,
                "A=" + values[2],
                1.0,
                Propensities.SURE,
                List.of(level, values[1].equals("low") ? 0.0 : 1.0),
                Map.of("M", values[3]),
                Double.valueOf(values[4]),
                null),
            new JoinedReward(null, Double.valueOf(values[4]), null, new Source("rewards", 0, seq)),
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--attribute S --outcome R | use either --input or --topic",
        "--input pom.xml --input README.md --attribute S --outcome R | give one CSV file in --input",
        "--spec SPEC | use either --input or --topic",
        "--spec SPEC --input CSV --segment s | --segment requires segment events",
        "--spec SPEC --topic t | --topic requires kafka.bootstrap.servers",
        "--spec SPEC --input CSV --outcome R | --outcome is for CSV files without --spec",
        "--spec SPEC --input CSV --attribute X | name one sensitive variable of the spec",
        "--input CSV --topic t --attribute S --outcome R | use either --input or --topic",
      })
  void aLogAndItsSpecBelongTogether(String words, String expected) throws IOException {
    String csv = file("S,X,A,M,R", log()).strip().substring("--input ".length());
    Path spec = Files.writeString(directory.resolve("spec.yaml"), TestSpecs.ucb());
    assertEquals(2, run(words.replace("SPEC", spec.toString()).replace("CSV", csv)));
    assertTrue(err.toString().contains(expected), err.toString());
  }

  @Test
  void helpSaysWhereSeveralFilesAreRead() {
    assertEquals(0, run("--help"));
    String help = out.toString().replaceAll("\\s+", " ");
    assertTrue(help.contains("consumer. Repeatable with --spec."), help);
    assertTrue(help.contains("a*b are matched together"), help);
  }

  @Test
  void aGraphIsCheckedBeforeTheRowsAreRead() {
    assertEquals(
        0,
        run(
            NETWORK
                .replace("w --", "w --graph GRAPH --")
                .replace("GRAPH", "dag{x->w->y<-x;z->w;z->y;z<->x}")));
    assertTrue(out.toString().contains("The graph identifies every part."), out.toString());
    assertEquals(1, run(NETWORK + "--graph dag{x->w->y<-x;z->y;w<->y;z<->x}"));
    assertEquals(
        "decompose: the graph does not identify the parts: given z, w, y in the world with another"
            + " x depends on x by x -> w <-> y*; * is the world with another x. Name what the path"
            + " passes in --mediators or --confounders, or remove its <-> if there is no such cause",
        err.toString().strip());
  }

  @ParameterizedTest
  @CsvSource({
    "dag{x->w;x->y;z->w;z->y;z<->x}, indirect part of w",
    "dag{x->w->y<-x;z->w;z->y}, spurious part of z",
    "dag{x->w->y;z->w;z->y;z<->x}, direct part of x"
  })
  void rowsWithAPartThatTheGraphDeniesContradictIt(String graph, String part) throws IOException {
    String note = json(NETWORK + "--graph " + graph).path("note").asText();
    assertTrue(
        note.contains("The rows contradict the graph: by it the " + part + " would be 0."), note);
    assertEquals(1, note.split("contradict", -1).length - 1, note);
  }

  @Test
  void rowsDoNotContradictAGraphThatDeniesNoPart() throws IOException {
    JsonNode allowed = json(NETWORK + "--graph dag{x->w->y<-x;z->w;z->y;z<->x}");
    assertFalse(allowed.path("note").asText().contains("contradict"), allowed.toString());
  }

  /** An interval that is not to be used proves nothing. */
  @Test
  void partsThatRestOnFewPeopleDoNotContradictAGraph() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(1000, "m,h,1"));
    for (String of : List.of("m,l,0", "m,l,1", "f,l,0", "f,l,1")) {
      rows.addAll(Collections.nCopies(500, of));
    }
    rows.addAll(Collections.nCopies(5, "f,h,0"));
    String graph = " --graph dag{s->w->y}";
    JsonNode found =
        json(file("s,w,y", rows) + "--attribute s --outcome y --mediators w --reference m" + graph);
    assertTrue(found.at("/comparisons/0/parts/1/upper").asDouble() < 0, found.toString());
    assertTrue(found.at("/comparisons/0/warning").asText().startsWith("Do not use"));
    String note = found.path("note").asText();
    assertFalse(note.contains("contradict"), note);
  }

  /** The whole effect of a mediator that nothing matches is in the direct part. */
  @Test
  void aDirectPartNamesTheMediatorsThatNothingMatches() throws IOException {
    String graph = " --graph dag{x->w->y<-x;z->w;z->y;z<->x;x->v;v2->y}";
    String without = NETWORK.replace("--mediators w ", "") + graph;
    assertEquals(0, run(without), err.toString());
    assertTrue(out.toString().contains("  x, and w   direct   "), out.toString());
    JsonNode found = json(without);
    assertEquals("x, and w", found.at("/comparisons/0/parts/1/name").asText());
    String why = "The direct part includes what x changes by way of unmatched variables: w.";
    assertTrue(found.path("note").asText().contains(why), found.path("note").asText());
    JsonNode all = json(NETWORK + graph);
    assertEquals("x", all.at("/comparisons/0/parts/2/name").asText());
    assertFalse(all.path("note").asText().contains("unmatched"), all.path("note").asText());
  }

  /** A list of {@code fairness.split} may leave a mediator out. */
  @Test
  void aDirectPartOfASpecNamesTheMediatorsThatItsListLacks() throws IOException {
    String text = TestSpecs.ucb().replaceFirst("fairness: \\{", "fairness: {split: [X], ");
    Path spec = Files.writeString(directory.resolve("spec.yaml"), text);
    JsonNode found = json(file("S,X,A,M,R", log()) + "--spec " + spec);
    assertEquals("S, and M", found.at("/comparisons/0/parts/2/name").asText());
  }

  @Test
  void theMeaningOfAWeightIsInTheJsonToo() throws IOException {
    assertTrue(
        json(NETWORK).path("note").asText().contains("with survey weights the intervals"),
        out.toString());
  }

  @Test
  void theGapOfTheJsonIsTheDifferenceOfItsMeans() throws IOException {
    for (JsonNode one : json(NETWORK).path("comparisons")) {
      assertEquals(
          one.at("/gap/estimate").asDouble(),
          one.path("otherMean").asDouble() - one.path("referenceMean").asDouble(),
          1e-12);
    }
  }

  @Test
  void theMeasuresOfTheLiteratureAreAddedOnRequest() throws IOException {
    JsonNode measures = json(NETWORK + "--all").get("measures");
    assertEquals(.206, measures.get("Ctf-DE_01(x0)").asDouble(), 1e-12);
    assertEquals(.477, measures.get("TE").asDouble(), 1e-12);
  }

  @Test
  void anOutcomeOfWordsAsksForTheOneThatCountsOne() throws IOException {
    assertEquals(2, run(file("s,y", List.of("f,yes", "m,no")) + "--attribute s --outcome y"));
    assertTrue(
        err.toString()
            .contains(
                "y is yes, no number; name in --positive the value that counts 1, such as --positive \"yes\""),
        err.toString());
  }

  @Test
  void measuresThatRestOnOnePersonAreMarked() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(50, "m,husband,yes"));
    rows.addAll(Collections.nCopies(50, "m,other,no"));
    rows.addAll(Collections.nCopies(60, "f,other,no"));
    rows.add("f,husband,yes");
    String words = file("s,r,y", rows) + "--attribute s --outcome y --positive yes --mediators r";
    assertEquals(0, run(words + " --all"), err.toString());
    for (String measure : List.of("TE ", "NDE_01 ", "Ctf-SE_10 ")) {
      assertTrue(
          out.toString()
              .lines()
              .anyMatch(it -> it.strip().startsWith(measure) && it.endsWith("   do not use")),
          out.toString());
    }
    String note = json(words + " --all").path("note").asText();
    assertTrue(note.contains("Do not use the measures"), note);
    assertEquals(0, run(NETWORK + "--all"), err.toString());
    assertFalse(out.toString().contains("do not use"), out.toString());
  }

  @Test
  void orderOfRowsAndColumnsAndRepetitionsInPlaceOfWeightsChangeNothing() throws IOException {
    List<String> rows = people();
    String roles = "--attribute x --outcome y --confounders z --mediators w --reference x0";
    JsonNode expected = json(file("x,z,w,y", rows) + roles);
    Collections.shuffle(rows, new Random(1));
    List<String> turned =
        rows.stream()
            .map(it -> it.split(",", -1))
            .map(it -> it[3] + "," + it[2] + "," + it[1] + "," + it[0])
            .toList();
    compare(expected, json(file("y,w,z,x", turned) + roles));
    List<String> weighted = new ArrayList<>();
    rows.stream()
        .distinct()
        .forEach(it -> weighted.add(it + "," + Collections.frequency(rows, it)));
    ObjectNode ofWeights = (ObjectNode) json(file("x,z,w,y,n", weighted) + roles + " --weight n");
    assertTrue(ofWeights.path("note").asText().startsWith("Each row counts"));
    compare(expected, ofWeights.putNull("note"));
  }

  private static void compare(JsonNode expected, JsonNode actual) {
    assertEquals(expected.size(), actual.size());
    if (expected.isNumber()) {
      assertEquals(expected.asDouble(), actual.asDouble(), 1e-12);
    } else if (expected.isValueNode()) {
      assertEquals(expected, actual);
    }
    for (int i = 0; expected.isArray() && i < expected.size(); i++) {
      compare(expected.get(i), actual.get(i));
    }
    expected.fieldNames().forEachRemaining(it -> compare(expected.get(it), actual.get(it)));
  }

  @Test
  void peopleWithoutCounterpartWidenTheIntervalAndAFewOfThemAreNamed() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.addAll(Collections.nCopies(50, "m,husband,45,yes"));
    rows.addAll(Collections.nCopies(50, "m,husband,20,no"));
    rows.addAll(Collections.nCopies(100, "m,other,45,no"));
    rows.addAll(Collections.nCopies(60, "f,other,45,no"));
    rows.add("f,husband,45,yes");
    rows.add("f,husband,,yes");
    String words =
        "--attribute s --outcome y --positive yes --confounders r --mediators h --bins h=40";
    assertEquals(0, run(file("s,r,h,y", rows) + words), err.toString());
    String text = out.toString();
    assertTrue(text.contains("25.0 % without counterpart, rests on 4 f"), text);
    assertTrue(
        text.contains(
            "Do not use: the parts rest on 4 f. r=husband, h=40 and above has 50 m and 1 f."),
        text);
    assertTrue(text.contains("1 row is left out: a value is missing"), text);
    JsonNode parts = json(file("s,r,h,y", rows) + words).at("/comparisons/0/parts");
    double slack = .25 * (1 - 51.0 / 261);
    JsonNode mediator = parts.get(1);
    double reach = mediator.get("upper").asDouble() - mediator.get("estimate").asDouble();
    double error = mediator.get("standardError").asDouble();
    double noVariance = .25 * (1 - .025);
    assertEquals(1.959963984540054 * error + slack + noVariance, reach, 1e-12);
  }

  @Test
  void otherValuesThanThePositiveOneCountZeroAndBlanksAreLeftOut() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(20, "a,yes"));
    rows.addAll(Collections.nCopies(20, "b,no"));
    rows.addAll(Collections.nCopies(20, "b,pending"));
    rows.add("b,");
    JsonNode found = json(file("s,y", rows) + "--attribute s --outcome y --positive yes");
    assertEquals(40, found.at("/comparisons/0/referenceRows").asInt());
    assertEquals(0, found.at("/comparisons/0/referenceMean").asDouble());
    assertEquals(1, found.path("leftOut").asInt());
  }

  @Test
  void valuesThatMayMeanThatThereIsNoneAreNamedOnce() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String row : List.of("a,?,yes", "a,x,no", "b,x,Unknown", "None,x,yes", "a,NA,no")) {
      rows.addAll(Collections.nCopies(12, row));
    }
    String words = file("s,w,y", rows) + "--attribute s --outcome y --positive yes --mediators w";
    String note =
        "Some values may mean that there is none, but count like others: s=None, w=?, y=Unknown."
            + " Leave them empty, or write NA, to leave their rows out.";
    assertEquals(0, run(words), err.toString());
    String text = out.toString();
    assertEquals(1, text.lines().filter(note::equals).count(), text);
    String missing =
        "12 rows are left out: a value is missing, that is, empty, NA, N/A, NaN or null (20.0 %)";
    assertTrue(text.contains(missing), text);
    assertTrue(json(words).path("note").asText().contains(note), out.toString());
    assertFalse(json(NETWORK).path("note").asText().contains("Some values"), out.toString());
  }

  @Test
  void aGroupOfFewRowsIsNotCompared() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(12, "a,1"));
    rows.addAll(Collections.nCopies(9, "b,0"));
    String words = file("s,y", rows) + "--attribute s --outcome y";
    assertEquals(1, run(words));
    assertEquals(
        "decompose: no other level of s has 10 rows; join small levels, or read more rows; levels"
            + " are a 12; b 9",
        err.toString().strip());
    assertEquals(1, run(words + " --reference b"));
    assertTrue(err.toString().contains("9 rows of s = \"b\"; the reference needs at least 10"));
    rows.addAll(Collections.nCopies(11, "c,0"));
    assertEquals(0, run(file("s,y", rows) + "--attribute s --outcome y"));
    assertTrue(out.toString().contains("Not compared, fewer than 10 rows: b 9"), out.toString());
  }

  /** The difference of two means of a range is at most as large as its width. */
  @Test
  void noIntervalEndsBeyondTheWidthOfTheRange() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add((i < 10 ? "a," : "b,") + (i % 3 == 0 ? "x," : "y,") + 10 * (i % 2));
    }
    String words = "--attribute s --outcome y --mediators w --range 0,10 --delta 1e-12";
    for (JsonNode one : json(file("s,w,y", rows) + words).path("comparisons")) {
      assertEquals(-10, one.at("/gap/lower").asDouble());
      assertEquals(10, one.at("/gap/upper").asDouble());
      for (JsonNode part : one.path("parts")) {
        assertTrue(part.get("lower").asDouble() >= -10, part.toString());
        assertTrue(part.get("upper").asDouble() <= 10, part.toString());
      }
    }
  }

  /**
   * Whether outcomes vary is seen against the outcomes, however wide or far from 0 the range is.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 1e9, 5, 1",
    "0, 1e9, 0, 0.001",
    "999999000, 1e9, 999999500, 1",
    "-1e-9, 0, -1e-9, 1e-15"
  })
  void theSpreadOfOutcomesIsSeenInAnyRange(String low, String high, double from, double spread)
      throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      rows.add((i < 1000 ? "a," : "b,") + (from + spread * (i % 2)));
    }
    JsonNode gap =
        json(file("s,y", rows) + "--attribute s --outcome y --range " + low + "," + high)
            .at("/comparisons/0/gap");
    double half = 1.959963984540054 * spread * Math.sqrt((500 + 250 / 999.0) / 1e6);
    double width = gap.get("upper").asDouble() - gap.get("lower").asDouble();
    assertEquals(1, width / (2 * half), 1e-6, gap.toString());
  }

  /** A mean that rests on one person is not as sure as one that rests on all. */
  @Test
  void withoutVarianceFewPeopleOfMuchWeightSayLittle() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(500, "b,x,0"));
    rows.addAll(Collections.nCopies(500, "b,y,0"));
    rows.addAll(Collections.nCopies(999, "a,x,0"));
    rows.add("a,y,0");
    JsonNode direct =
        json(file("s,w,y", rows) + "--attribute s --outcome y --mediators w --reference b")
            .at("/comparisons/0/parts/1");
    double one = .5 * (1 - .025);
    double reference = 1 - Math.pow(.025, 1 / 1000.0);
    assertEquals(one + reference, direct.get("upper").asDouble(), 1e-12);
  }

  /** Ten people who all have the same outcome do not prove that the others have it. */
  @Test
  void withoutVarianceAnIntervalHasTheLengthOfTheExactOneForAShare() throws IOException {
    List<String> rows = new ArrayList<>(Collections.nCopies(10, "a,1"));
    rows.addAll(Collections.nCopies(20, "b,0"));
    JsonNode gap =
        json(file("s,y", rows) + "--attribute s --outcome y --reference b")
            .at("/comparisons/0/gap");
    assertEquals(1, gap.get("estimate").asDouble(), 1e-12);
    double doubt = 2 - Math.pow(.025, 1 / 10.0) - Math.pow(.025, 1 / 20.0);
    assertEquals(1 - doubt, gap.get("lower").asDouble(), 1e-12);
    assertEquals(1, gap.get("upper").asDouble(), "the width of the range");
  }

  @Test
  void aFileWithoutUsableRowsSaysSo() throws IOException {
    String empty = file("S,X,A,M,R", List.of());
    assertEquals(2, run(empty + "--attribute S --outcome R --positive 1"));
    assertEquals(
        "decompose: %s has a heading and no rows; below it each row needs a value of every column"
            .formatted(directory.resolve("people.csv")),
        err.toString().strip());
    Path spec = Files.writeString(directory.resolve("spec.yaml"), TestSpecs.ucb());
    assertEquals(2, run(empty + "--spec " + spec), err.toString());
    assertTrue(
        err.toString().contains("people.csv]: the log has no row: no learned reward, or a heading"),
        err.toString());
    assertEquals(1, run(file("s,y", List.of("a,NA", ",1")) + "--attribute s --outcome y"));
    assertEquals(
        "decompose: no row has values of all of s and y; 2 rows are left out: a value is missing,"
            + " that is, empty, NA, N/A, NaN or null",
        err.toString().strip());
    assertEquals(
        2, run(file("s,y", List.of("a,1")) + "--attribute s --outcome y --confounders z,,w"));
    assertTrue(err.toString().contains("a list of columns has an empty name"), err.toString());
  }

  @Test
  void aColumnOfManyValuesIsRefusedWithTheRemedy() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 1025; i++) {
      rows.add((i % 2 == 0 ? "a," : "b,") + i + ",1");
    }
    String words = file("s,age,y", rows) + "--attribute s --outcome y --confounders age";
    assertEquals(2, run(words));
    assertTrue(
        err.toString().contains("line 1026: column \"age\" has more than 1024 values; group"),
        err.toString());
    assertEquals(0, run(words + " --bins age=200,600.5"), err.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mediators z                     | column "z" is named twice; every column has one role
          --after v                         | --after requires --decision
          --bins w=2,1                      | --bins w=2,1: write COLUMN=CUTS once for a matched column
          --bins v=1                        | --bins v=1: write COLUMN=CUTS once for a matched column
          --bins w                          | --bins w: write COLUMN=CUTS once for a matched column
          --range 1,0                       | --range must be two increasing numbers, such as 0,1
          --range -1e308,1e308              | --range -1e+308,1e+308: numbers from -1000000000 to 1000000000, because
          --range 0,1e160                   | --range 0,1e+160: numbers from -1000000000 to 1000000000, because
          --range 0,1e-300                  | --range 0,1e-300: a width of at least 0.000000001, so that rewards keep
          --range 999999999,1e9             | --range 999999999,1000000000: a width of at least 1000, so that
          --range 0,1 --positive 1          | --positive makes the outcome 0 or 1; leave out --range
          --delta 0                         | --delta must be from 0.0
          --decision v --all                | --all knows confounders and mediators only
          --mediators v                     | no column "v"; one of x, z, w, y, count
          --mediators coun --decision coutn | no column "coun"; did you mean count?
          --positive NA                     | --positive "NA": this stands for no value, and rows
          --positive 2                      | no row has y = "2"; give a value of the column
          --range 0.5,1                     | y is 0; a number from 0.5 to 1: give the least and
          --mediators w --bins w=x          | --bins w=x: write COLUMN=CUTS once
          --graph dag{a->b}                 | the graph has no node x, z, w, y; it has a, b
          --graph dag{x->m->y}              | the graph has no node z, w; it has x, m, y
          """)
  void anOptionThatMeansNothingIsRefused(String words, String expected) {
    String roles = words.contains("--mediators") ? NETWORK.replace("--mediators w", "") : NETWORK;
    assertEquals(2, run(roles + words), out.toString());
    assertTrue(err.toString().contains(expected), err.toString());
  }

  /** The ends of the accepted ranges, with as many people as the weights allow. */
  @ParameterizedTest
  @CsvSource({"-1e9, 1e9", "999999000, 1e9", "0, 1e-9", "-1e-9, 0"})
  void everyAcceptedRangeHasFiniteParts(String low, String high) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String sex : List.of("f", "m")) {
      for (String end : List.of(low, high)) {
        rows.add(sex + ",a," + end + ",100000000000000");
        rows.add(sex + ",b," + end + (sex.equals("f") ? ",7" : ",0"));
      }
    }
    String words = file("s,w,y,n", rows) + "--attribute s --outcome y --weight n --confounders w";
    String all = json(words + " --all --range " + low + "," + high).toString();
    assertTrue(!all.contains("NaN") && !all.contains("Infinity"), all);
  }

  @Test
  void aRowWithoutAValueIsLeftOutWithItsWeight() throws IOException {
    String words =
        file("s,y,n", List.of("a,1,50", "a,0,50", "b,1,50", "b,0,50", "b,NA,100", "a,1,"))
            + "--attribute s --outcome y --weight n";
    assertEquals(0, run(words), err.toString());
    assertTrue(
        out.toString().contains("101 rows by n are left out: a value is missing"), out.toString());
    assertEquals(101, json(words).path("leftOut").asInt());
    String bad = file("s,y,n", List.of("a,NA,2.5")) + "--attribute s --outcome y --weight n";
    assertEquals(2, run(bad));
    assertTrue(err.toString().contains("line 2: n is 2.5; a whole number"), err.toString());
  }

  @Test
  void aWeightThatIsNoNumberOfRowsIsRefused() throws IOException {
    String words = "--attribute s --outcome y --weight n";
    assertEquals(2, run(file("s,y,n", List.of("a,1,2.5")) + words));
    assertTrue(
        err.toString().contains("line 2: n is 2.5; a whole number of rows from 0"), err.toString());
  }
}
