package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.Failures;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Extreme numbers in tables, worlds and options: a verb refuses them in words, or computes. */
@Tag("slow")
class ExtremeTablesTest {
  private static final int RUNS = Tier.count(40, 2_000);
  private static final int ROWS = 60;
  private static final String[] EXTREMES = {
    "4.9e-324",
    "1e-320",
    "1e-160",
    "1e-12",
    "1e-9",
    "0.1",
    "1",
    "2",
    "1e9",
    "1e12",
    "1e160",
    "1e308",
    "-1e308",
    "1e400",
    "0",
    "-0.0",
    "-1",
    "NaN",
    "Infinity",
    "0.9999999999999999",
    "7d"
  };
  private static final String[] SMALL = {"4.9e-324", "1e-160", "1e-20", "1e-12", "1e-9", "1"};
  private static final Pattern NOT_FINITE = Pattern.compile("NaN|Infinity");
  private static final String SPEC =
      """
      name: offers
      version: 1
      segments: default
      variables:
        gender: {role: sensitive, levels: [f, m]}
        age: {role: context, range: [%s, %s], cuts: [0.5]}
        offer: {role: action, levels: [small, large]}
        accepted: {role: reward}
      graph: "dag { {gender age} -> offer; {gender age offer} -> accepted }"
      reward: {range: [%s, %s]}
      policy: {name: %s}
      fairness: {tau: %s}
      join: {reward-window: 60s, fallback: offer=small}
      """;
  private static final List<String> POLICIES =
      List.of(
          "ucb",
          "f-ucb, explore: {share: 0.2, over: all}",
          "linucb, constraint: hard, features: [intercept, {one-hot: gender}, {number: age}]",
          "screen, theta-norm: 5, features: [intercept, {one-hot: gender}]");

  @TempDir private Path directory;
  private SplittableRandom random = new SplittableRandom(0);
  private int answered;
  private String all = "";

  /** Most numbers are ordinary, or no input would have all of them right. */
  private String number(String ordinary, int seldom) {
    return random.nextInt(seldom) > 0 ? ordinary : EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private String spec() throws Exception {
    return file(
        "spec.yaml",
        SPEC.formatted(
            number("0", 30),
            number("1", 30),
            number("0", 30),
            number("1", 30),
            POLICIES.get(random.nextInt(POLICIES.size())),
            number("0.2", 30)));
  }

  private String people(boolean isLog) throws Exception {
    StringBuilder rows = new StringBuilder("gender,age");
    rows.append(isLog ? ",arm,propensity,reward\n" : "\n");
    for (int row = 0; row < ROWS; row++) {
      rows.append(random.nextBoolean() ? "f," : "m,").append(number("0.25", 300));
      if (isLog) {
        rows.append(",offer=").append(random.nextBoolean() ? "small," : "large,");
        rows.append(propensity()).append(',').append(number("" + row % 2, 100));
      }
      rows.append('\n');
    }
    return file("people.csv", rows.toString());
  }

  /** Extremes that are propensities, mostly: one other refuses the table. */
  private String propensity() {
    String extreme = random.nextInt(20) > 0 ? SMALL[random.nextInt(SMALL.length)] : number("1", 2);
    return random.nextInt(ROWS) > 0 ? "0.5" : extreme;
  }

  @ParameterizedTest
  @ValueSource(strings = {"evaluate", "plan", "simulate", "causal", "bounds"})
  void aVerbComputesOrSaysWhyNot(String verb) throws Exception {
    answered = 0;
    int runs = verb.equals("bounds") ? Tier.count(2, RUNS / 4) : RUNS; // each starts a cluster
    for (int seed = 0; seed < runs; seed++) {
      random = new SplittableRandom(seed);
      run(arguments(verb), verb + " with seed " + seed);
    }
    assertTrue(answered > runs / 10, verb + " answered " + answered + "\n" + all);
    Tier.found(ExtremeTablesTest.class, "answers of " + verb, answered + " of " + runs);
  }

  private List<String> arguments(String verb) throws Exception {
    List<String> words = new ArrayList<>();
    switch (verb) {
      case "evaluate" -> words.addAll(List.of("evaluate", spec(), "--input", people(true)));
      case "plan" -> {
        words.addAll(List.of("plan", spec(), "--people", people(false)));
        words.addAll(List.of("--base-rate=" + number("0.5", 8), "--effect=" + number("0.1", 8)));
        words.addAll(List.of("--answered=" + number("0.9", 8), "--rate=" + number("2", 8)));
        words.add("--delay=" + number("3", 8));
      }
      case "simulate" -> {
        String world =
            "base-rate: %s\neffects:\n  - {offer: large, gender: f, effect: %s}\n"
                .formatted(number("0.5", 8), number("-0.3", 8));
        words.addAll(List.of("simulate", spec(), "--world", file("world.yaml", world)));
        words.addAll(List.of("--people", people(false), "--decisions", "40", "--seeds", "1"));
        words.addAll(List.of("--threads", "1", "--rate=" + number("2", 8)));
        words.addAll(List.of("--delay=" + number("3", 8), "--answered=" + number("0.9", 8)));
      }
      case "bounds" -> {
        StringBuilder rows = new StringBuilder("gender,age,offer,accepted,n\n");
        for (int row = 0; row < ROWS; row++) {
          rows.append(random.nextBoolean() ? "f," : "m,").append(number("0.25", 300));
          rows.append(random.nextBoolean() ? ",small," : ",large,");
          rows.append(number("" + row % 2, 300)).append(',').append(number("3", 300)).append('\n');
        }
        words.addAll(
            List.of("bounds", "--spec", spec(), "--input", file("l.csv", rows.toString())));
        words.addAll(List.of("--name", "b", "--weight", "n", "--delta=" + number("0.05", 8)));
        words.addAll(random.nextBoolean() ? List.of("--mean-reward") : List.of());
      }
      default -> {
        StringBuilder rows = new StringBuilder("X,Z,Y,n\n");
        for (int cell = 0; cell < 8; cell++) {
          rows.append("%d,%d,%d,".formatted(cell & 1, cell >> 1 & 1, cell >> 2));
          rows.append(number("10", 20)).append('\n');
        }
        words.addAll(List.of("causal", "identify"));
        words.add(file("graph.txt", "dag { Z -> X -> Y; Z -> Y }"));
        words.addAll(List.of("-y", "Y", "--do", "X", "--table", file("t.csv", rows.toString())));
        words.addAll(List.of("--count", "n"));
      }
    }
    words.addAll(List.of("--json", "-"));
    return words;
  }

  private void run(List<String> words, String about) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Equipoise.commandLine(words);
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int code = line.execute(words.toArray(String[]::new));
    all = about + ": " + words + "\n" + out + "\n" + err;
    assertTrue(code >= 0 && code <= 2 && code != Failures.FAULT, "exit code " + code + " " + all);
    assertFalse(err.toString().contains("\tat "), all);
    if (code == 0) {
      answered++;
      assertFalse(NOT_FINITE.matcher(out + "\n" + err).find(), all);
    } else {
      assertFalse(err.toString().isBlank(), all);
    }
    if (!out.toString().isBlank()) {
      Object unused = new ObjectMapper().readTree(out.toString());
      assertFalse(NOT_FINITE.matcher(out.toString()).find(), all);
    }
  }

  /** The sums of a table are beyond a double, although each number is one. */
  @Test
  void countsBeyondAllSumsAreRefused() throws Exception {
    random = new SplittableRandom(0);
    String table = file("t.csv", "X,Y,n\n0,0,1e308\n0,1,1e308\n1,0,1e308\n1,1,1e308\n");
    String graph = file("graph.txt", "dag { X -> Y }");
    run(
        List.of(
            "causal",
            "identify",
            graph,
            "-y",
            "Y",
            "--do",
            "X",
            "--table",
            table,
            "--count",
            "n",
            "--json",
            "-"),
        "counts");
  }
}
