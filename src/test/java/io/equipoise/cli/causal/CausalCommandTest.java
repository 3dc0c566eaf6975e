package io.equipoise.cli.causal;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.Failures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CausalCommandTest {
  private static final String FRONT_DOOR = "dag { X -> Z -> Y; X <-> Y }";
  private static final String SELECTED = "dag { A -> W -> S; A -> Y; W <-> Y; S [selected] }";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new CausalCommand())
        .setExecutionExceptionHandler(new Failures())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private JsonNode json(String... arguments) throws IOException {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--json";
    all[arguments.length + 1] = "-";
    assertEquals(0, run(all), err::toString);
    return new ObjectMapper().readTree(out.toString());
  }

  private String file(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void anEffectIsIdentifiedFromAFileAndFromText() throws Exception {
    String graph = file("graph.txt", FRONT_DOOR);
    JsonNode answer = json("identify", graph, "-y", "Y", "--do", "X");
    assertTrue(answer.get("identified").asBoolean());
    assertEquals("Σ_Z P(Z|X) Σ_X' P(X') P(Y|X',Z)", answer.get("estimand").asText());
    assertEquals(answer, json("identify", FRONT_DOOR, "-y", "Y", "--do", "X"));
    assertFalse(
        json("identify", "dag { X -> Y; X <-> Y }", "-y", "Y", "--do", "X")
            .get("identified")
            .asBoolean());
  }

  @Test
  void aFormulaIsEvaluatedOnRows() throws Exception {
    String rows = file("rows.csv", "X,Y,n\n0,0,3\n0,1,1\n1,0,1\n1,1,1\n");
    JsonNode answer =
        json("identify", "dag { X -> Y }", "-y", "Y", "--do", "X", "--table", rows, "--count", "n");
    assertEquals(0.25, answer.get("values").get(1).get("value").asDouble());
    assertEquals(4, answer.get("values").get(1).get("rows").asInt());
    assertEquals("", err.toString());
  }

  @Test
  void levelsThatLookAlikeAreNamed() throws Exception {
    String rows = file("rows.csv", "X,Y\nno,0\nNo,1\nyes,0\nyes,1\nno,1\nNo,0\n");
    json("identify", "dag { X -> Y }", "-y", "Y", "--do", "X", "--table", rows);
    assertTrue(err.toString().contains("the levels of X contain \"No\" and \"no\", which differ"));
  }

  @Test
  void boundsArePlannedAndEvaluated() throws Exception {
    JsonNode plan = json("bounds", SELECTED, "-y", "Y", "--do", "A");
    assertEquals("P(Y|A,W,S=1)", plan.get("plans").get(0).get("estimand").asText());
    assertEquals("[\"A\",\"W\",\"Y\"]", plan.get("scopes").get(0).get("variables").toString());
    String rows =
        file("log.csv", "A,W,Y,S\n0,0,0,1\n0,0,1,1\n0,1,1,1\n1,0,0,1\n1,1,0,1\n1,1,1,1\n");
    JsonNode bounds =
        json("bounds", SELECTED, "-y", "Y", "--do", "A", "--table", rows, "--delta", "0")
            .get("bounds");
    assertEquals(0.5, bounds.get(0).get("lower").asDouble());
    assertEquals(1, bounds.get(0).get("upper").asDouble());
    assertEquals("0", bounds.get(0).get("arm").get("A").asText());
    assertEquals(0, run("bounds", SELECTED, "-y", "Y", "--do", "A", "--table", rows));
    assertTrue(
        out.toString().contains("{A=0}       {}  0.0031  1.0000     1     []"), out::toString);
  }

  @Test
  void whatToAdjustForIsListedAndChecked() throws Exception {
    String graph = "dag { Z -> X -> Y; Z -> W -> Y }";
    JsonNode listed = json("adjust", graph, "-y", "Y", "--do", "X");
    assertEquals(2, listed.get("all_minimal").size());
    assertEquals("[\"Z\"]", listed.get("smallest").toString());
    JsonNode checked = json("adjust", graph, "-y", "Y", "--do", "X", "--by");
    assertFalse(checked.get("admissible").asBoolean());
    assertTrue(
        json("adjust", graph, "-y", "Y", "--do", "X", "--by", "W,Z").get("admissible").asBoolean());
  }

  @Test
  void separationIsToldWithAPath() throws Exception {
    String graph = "dag { A -> B <- C; A -> E -> C }";
    JsonNode checked = json("separate", graph, "-x", "A", "-y", "C", "--by", "B,E");
    assertEquals("A -> B <- C", checked.get("open_path").asText());
    assertEquals(
        "[[\"E\"]]", json("separate", graph, "-x", "A", "-y", "C").get("all_minimal").toString());
    assertEquals(
        "[[\"A\"],[\"B\"],[\"C\"],[\"E\"]]",
        json("components", graph).get("components").toString());
  }

  @Test
  void recoveryTellsItsFactors() throws Exception {
    JsonNode answer =
        json(
            "recover",
            "dag { Z -> X -> Y; Z -> Y; X -> S }",
            "--selection",
            "S",
            "-y",
            "Y",
            "--do",
            "X");
    assertFalse(answer.get("recoverable").asBoolean());
    assertEquals("[\"Z\"]", answer.get("factor").toString());
    assertEquals(2, answer.get("factors").size());
  }

  /** What is wrong is one line that says where; nothing is written. */
  @Test
  void faultsAreOneLineOnStandardErrorAndExitCodeTwo() throws Exception {
    String cyclic = file("cyclic.txt", "dag {\n  X -> Y\n  Y -> X\n}");
    assertFault(
        cyclic
            + ", line 3, column 5: directed cycle: X -> Y -> X; remove or turn one of these edges",
        "components",
        cyclic);
    assertFault("directed cycle: X -> Y -> X", "identify", "dag { X -> Y -> X }", "-y", "Y");
    assertFault("no node named \"Q\"", "identify", FRONT_DOOR, "-y", "Q", "--do", "X");
    assertFault("has 5000 levels; at most 4096", bounds(rowsOfManyLevels()));
    assertFault(
        "line 3: S is 0, but a table of selected rows may contain only 1; leave the row out",
        bounds("A,W,Y,S\n0,0,0,1\n0,0,1,0\n"));
    assertFault("line 2: no value of W", bounds("A,W,Y,S\n0,,0,1\n"));
    assertFault("line 2: no value of Y", bounds("A,W,Y,S\n0,0,NaN,1\n"));
    assertFault("line 2: 3 values, but the heading has 4", bounds("A,W,Y,S\n0,0,1\n"));
    assertFault("no table of selected rows has all of [A, W, Y]", bounds("A,Y\n0,0\n0,1\n1,1\n"));
    assertFault("has no level \"1\", only [no, yes]", bounds("A,W,Y\n0,0,no\n1,0,yes\n"));
  }

  @Test
  void moreReplicatesThanMemoryHasRoomForAreRefused() throws Exception {
    String rows = file("rows.csv", "X,Y\n0,0\n1,1\n");
    String[] words = {"identify", "dag { X -> Y }", "-y", "Y", "--do", "X", "--table", rows, ""};
    for (String count : List.of("19", "1000001")) {
      words[8] = "--bootstrap=" + count;
      assertFault(count + " replicates at delta 0.05: from 20 to 1000000, and at least 2", words);
    }
  }

  @Test
  void aCountBeyondAllPeopleIsRefusedWithItsLine() throws Exception {
    for (String rows : new String[] {"0,1,9\n1,0,1e308\n", "0,1,9e14\n1,0,9e14\n"}) {
      String table = file("rows.csv", "X,Y,n\n" + rows);
      String count = rows.substring(rows.lastIndexOf(',') + 1).strip();
      assertFault(
          table
              + ", line 3: n is "
              + count
              + "; a number from 0, and at most 1000000000000000 in all rows together",
          "bounds",
          "dag { X -> Y }",
          "-y",
          "Y",
          "--do",
          "X",
          "--table",
          table,
          "--count",
          "n");
    }
  }

  /** Devices have no end, and a pipe may have no writer. */
  @Test
  void whatIsNoRegularFileIsRefused() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/zero")));
    String message = "/dev/zero: is a device or a pipe; give a regular file";
    assertFault(message, "components", "/dev/zero");
    assertEquals(2, run("bounds", SELECTED, "-y", "Y", "--do", "A", "--table", "/dev/zero"));
    assertTrue(err.toString().contains("'/dev/zero' is a device or a pipe;"), err::toString);
  }

  @Test
  void aFileThatIsMissingOrNoTextIsUnusable() throws Exception {
    String absent = directory.resolve("absent").toString();
    assertFault(absent + " does not exist; check the path", "components", absent);
    Path latin = directory.resolve("latin1.bif");
    Files.write(latin, "network n {\n}\nvariable \u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertFault(
        latin + ", line 3: bytes that are no UTF-8; save it as UTF-8",
        "components",
        latin.toString());
    String marked = "\uFEFFvariable A { type discrete [ 2 ] { a, b }; }";
    String table = " probability ( A ) { table 0.5, 0.5; }";
    assertEquals(0, run("components", file("NET.BIF", marked + table)), err::toString);
    String cut = file("cut.bif", marked);
    assertFault(
        cut + ", line 1, column 10: no probability block of \"A\"; is the file cut?",
        "components",
        cut);
    String empty = file("empty.bif", " ");
    assertFault(
        empty + ", line 1, column 2: no variable block; is the file cut?", "components", empty);
    String broken = file("broken.txt", "dag { X \u2192 Y }");
    assertFault(broken + ", line 1, column 9: '\u2192' is no edge", "components", broken);
    assertFault("write dag { X -> Y }", "components", "X -> Y");
  }

  @Test
  void aGraphThatMemoryHasNoRoomForIsRefused() throws Exception {
    String chain =
        IntStream.rangeClosed(0, 4096).mapToObj("N%d"::formatted).collect(joining(" -> "));
    assertFault("is one more than 4096", "components", file("chain.txt", "dag { " + chain + " }"));
  }

  @Test
  void anOptionOutOfRangeIsNotUnderstood() {
    assertEquals(2, run("bounds", SELECTED, "-y", "Y", "--do", "A", "--delta", "1"));
    assertEquals(2, run("bounds", SELECTED, "-y", "Y", "--do", "A", "--max-size", "-1"));
    assertEquals(2, run("identify", SELECTED, "--do", "A"));
    String[] tiny = {"bounds", SELECTED, "-y", "Y", "--do", "A", "--delta", "4.9e-324"};
    assertEquals(2, run(tiny));
    assertTrue(err.toString().startsWith("--delta must be from 0.000000000001 "), err::toString);
    for (String limit : List.of("0", "-1")) {
      assertEquals(2, run("adjust", SELECTED, "-y", "Y", "--do", "A", "--limit", limit));
      assertEquals(2, run("separate", SELECTED, "-x", "A", "-y", "Y", "--limit", limit));
    }
  }

  @Test
  void optionsThatWouldDoNothingOrContradictAreRefused() throws Exception {
    String[] bounds = {"bounds", SELECTED, "-y", "Y", "--do", "A", "--bootstrap", "500"};
    usage("Unknown options: '--bootstrap', '500'", bounds);
    String[] effect = {"identify", FRONT_DOOR, "-y", "Y", "--do", "X", "", ""};
    for (String option : List.of("--bootstrap=5", "--census=" + file("c.csv", ""), "--count=n")) {
      effect[6] = option;
      effect[7] = option.equals("--bootstrap=5") ? "--bootstrap-seed=2" : "--selection=Z";
      usage(option.split("=", 2)[0] + " requires --table", effect);
    }
    effect[6] = "--bootstrap-delta=0.1";
    usage("--bootstrap-delta requires --bootstrap", effect);
    usage("--outcome [Y, Y] names a variable twice", "identify", FRONT_DOOR, "-y", "Y,Y");
    String[] separate = {"separate", FRONT_DOOR, "-x", "X", "-y", "Y", "", "--exclude=Z"};
    separate[6] = "--by=Z";
    usage("--by checks one set, so --exclude means nothing; leave one out", separate);
    separate[6] = "--include=Z";
    usage("--include [Z] and --exclude [Z] contradict each other", separate);
    usage(
        "--by checks one set, so --include means nothing",
        "adjust",
        FRONT_DOOR,
        "-y",
        "Y",
        "--do",
        "X",
        "--by=Z",
        "--include=Z");
  }

  private void usage(String message, String... arguments) {
    assertEquals(2, run(arguments), out::toString);
    assertTrue(err.toString().startsWith(message), err::toString);
  }

  @Test
  void aGraphWithoutItsBraceIsShownWithIt() {
    String write = "' is no file; write dag { X -> Y }";
    for (String graph : List.of("X -> Y", "dag X -> Y }", "DAG X -> Y", "X -> Y }")) {
      assertFault("'" + graph + write, "components", graph);
    }
  }

  @Test
  void anEmptyGraphIsNoDirectory() {
    for (String graph : List.of("", "  ")) {
      assertFault("the graph is empty; name a file, or write dag { X -> Y }", "components", graph);
    }
  }

  private static String rowsOfManyLevels() {
    StringBuilder rows = new StringBuilder("\uFEFFA,W,Y,S\n");
    for (int row = 0; row < 5000; row++) {
      rows.append(row).append(",0,0,1\n");
    }
    return rows.toString();
  }

  private String[] bounds(String rows) throws IOException {
    String table = file("rows.csv", rows);
    return new String[] {"bounds", SELECTED, "-y", "Y", "--do", "A", "--table", table};
  }

  private void assertFault(String message, String... arguments) {
    assertEquals(2, run(arguments), out::toString);
    assertTrue(err.toString().contains(message), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertEquals("", out.toString());
  }
}
