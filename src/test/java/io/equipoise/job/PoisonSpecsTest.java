package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.Test;

/** Texts that were written to end every job that reads the topic of specs. */
@SuppressWarnings("try") // closing a harness is interruptible
class PoisonSpecsTest {
  private static final CatalogLimit LIMIT = new CatalogLimit(1 << 20);
  private static final String UNNAMED = "compiling fails on";

  /** Long enough for a machine that is busy with other things. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static String refusal(String text) {
    String key = "test/" + "0".repeat(32);
    return assertTimeoutPreemptively(
        PATIENCE,
        () ->
            assertThrows(SpecException.class, () -> TestControls.spec(key, text).check(LIMIT))
                .getMessage());
  }

  private static void assertRefused(String text, String fault) {
    String refusal = refusal(text);
    assertTrue(refusal.contains(fault), refusal);
  }

  private static String levels(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> prefix + i)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String linear(String features) {
    return TestSpecs.ucb().replace("{name: ucb}", "{name: linucb, features: " + features + "}");
  }

  @Test
  void featuresWhoseNumberOverflowsAreCountedAndRefused() {
    String product = "[{product: [" + "{one-hot: X}, ".repeat(3) + "{one-hot: X}]}]";
    assertRefused(
        linear(product).replace("[low, high]", levels("l", 1024)), "1099511627776 features");
  }

  @Test
  void aProductOfAsManyTermsAsTheTextHasRoomForIsRefused() {
    assertRefused(
        linear("[{product: [" + "intercept, ".repeat(50_000) + "intercept]}]"),
        "a list of 2 to 16 items");
  }

  /** M27 is known, and M0 to M26, which lie before it, are to be summed out. */
  @Test
  void aSumOfTooManyTermsIsRefused() {
    StringBuilder variables = new StringBuilder();
    StringBuilder graph = new StringBuilder("dag { S -> A; ");
    StringBuilder tables = new StringBuilder();
    for (int i = 0; i < 28; i++) {
      variables.append("  M%d: {role: mediator, levels: [n, y]}\n".formatted(i));
      String before = i == 0 ? "A" : "M" + (i - 1);
      graph.append("{S %s} -> M%d; ".formatted(before, i));
      List<String> levels = i == 0 ? List.of("left", "right") : List.of("n", "y");
      String rows =
          List.of("a", "b").stream()
              .flatMap(s -> levels.stream().map(m -> "[%s, %s, 0.5, 0.5]".formatted(s, m)))
              .collect(Collectors.joining(", "));
      tables.append("    M%d: {given: [S, %s], rows: [%s]}\n".formatted(i, before, rows));
    }
    graph.append("{M27 X} -> R }");
    String spec =
        TestSpecs.dUcb()
            .replaceFirst("  M: .*\n", variables.toString())
            .replaceFirst("graph: .*\n", "graph: \"" + graph + "\"\n")
            .replaceFirst("(?s)    M:\n.*?reward:", tables + "reward:");
    assertRefused(spec, "each table a sum of 1073741824 terms");
  }

  @Test
  void aTableThatDoesNotFitIsRefused() {
    int mediators = 16;
    int arms = 128;
    StringBuilder variables = new StringBuilder();
    StringBuilder tables = new StringBuilder();
    String rows =
        IntStream.range(0, arms)
            .mapToObj("[a%d, 0.5, 0.5]"::formatted)
            .collect(Collectors.joining(", "));
    for (int i = 0; i < mediators; i++) {
      variables.append("  M%d: {role: mediator, levels: [n, y]}\n".formatted(i));
      tables.append("    M%d: {given: [A], rows: [%s]}\n".formatted(i, rows));
    }
    String names =
        IntStream.range(0, mediators).mapToObj("M%d"::formatted).collect(Collectors.joining(" "));
    String spec =
        TestSpecs.dUcb()
            .replace(
                "{name: d-ucb}",
                "{name: d-ucb, separating-set: [X, " + names.replace(" ", ", ") + "]}")
            .replaceFirst("  M: .*\n", variables.toString())
            .replace("[left, right]", levels("a", arms))
            .replaceFirst(
                "graph: .*\n",
                "graph: \"dag { S -> A; A -> {%s}; {%s X} -> R }\"\n".formatted(names, names))
            .replaceFirst("(?s)    M:\n.*?reward:", tables + "reward:");
    assertRefused(spec, "tables of 8388608 numbers");
  }

  @Test
  void aPatternThatBacktracksForEverMatchesInLinearTimeOrIsRefused() {
    String name = "ab".repeat(64);
    for (String pattern : List.of("((a|b|ab)*)*c", "(.*a){12}c", "(x*)(x*)(x*)(x*)(x*)y")) {
      String text =
          TestSpecs.ucb().replace("segments: default", "segments: {pattern: \"" + pattern + "\"}");
      assertFalse(
          assertTimeoutPreemptively(PATIENCE, () -> SpecParser.parse(text).match().matches(name)));
    }
    String plain = TestSpecs.ucb();
    assertRefused(
        plain.replace("segments: default", "segments: {pattern: '(a*)*\\1b'}"), "back references");
    assertRefused(
        plain.replace("segments: default", "segments: {pattern: '((a{99}){99}){99}'}"),
        "counted repeats of 970299");
  }

  /** A person who does not disclose one of 300 levels would get 89,700 audit records. */
  @Test
  void anAttributeOfTooManyComparisonsIsRefused() {
    String spec = TestSpecs.ucb().replace("[a, b]", levels("l", 300));
    assertRefused(spec, "up to 89700 comparisons of S a decision");
  }

  /** Three attributes of 86 levels with long names. */
  @Test
  void groupsThatNoMetricsRecordHasRoomForAreRefused() {
    StringBuilder variables = new StringBuilder();
    String names = levels("a-level-of-some-length-whatever-it-says-and-however-few-have-it-", 86);
    for (int i = 0; i < 3; i++) {
      variables.append(
          "  S%d: {role: sensitive, levels: %s, missing: reject}\n".formatted(i, names));
    }
    String text =
        linear("[intercept, {one-hot: A}]")
            .replaceFirst(
                "  S: .*\n",
                variables + "  S: {role: sensitive, levels: [a, b], missing: reject}\n")
            .replace("{S X} -> A", "{S X S0 S1 S2} -> A");
    SpecException refused =
        assertThrows(
            SpecException.class,
            () -> SpecParser.parse(text, new CatalogLimit(16 << 10)::compiled));
    assertTrue(refused.getMessage().contains("of every metrics record"), refused.getMessage());
  }

  /** The gate outlives a text that compiling fails on, and says so in a dead letter. */
  @Test
  void theGateRefusesWhatCompilingFailsOn() throws Exception {
    String text = linear("[{product: [" + "intercept, ".repeat(50_000) + "intercept]}]");
    try (var harness = ProcessFunctionTestHarnesses.forProcessFunction(new SpecValidation(LIMIT))) {
      harness.processElement(
          new RawControl(
              "specs",
              0,
              0,
              0,
              ("test/" + "0".repeat(32)).getBytes(StandardCharsets.UTF_8),
              text.getBytes(StandardCharsets.UTF_8)),
          0);
      var refused = Objects.requireNonNull(harness.getSideOutput(ValidationFunction.REFUSED));
      DeadLetter letter = Wire.DEAD_LETTER.decode(refused.remove().getValue().payload().bytes());
      assertTrue(letter.message().contains("a list of 2 to 16 items"), letter.message());
    }
  }

  @Test
  void anErrorOfCompilingIsARefusal() {
    for (Throwable thrown :
        List.of(
            new ArithmeticException("overflow"),
            new StackOverflowError(),
            new NoClassDefFoundError("evil/Missing"),
            new AssertionError())) {
      SpecException refused =
          assertThrows(
              SpecException.class,
              () ->
                  SpecParser.parse(
                      TestSpecs.ucb(),
                      spec -> {
                        if (thrown instanceof Error error) {
                          throw error;
                        }
                        throw (RuntimeException) thrown;
                      }));
      assertTrue(refused.getMessage().contains(UNNAMED), refused.getMessage());
    }
  }

  /** Texts by the grammar of specs: sound in form, and whatever they like in meaning. */
  @Test
  void whateverTheGrammarMakesCompilesOrIsRefusedForAReasonWithAName() {
    int compiled = 0;
    int all = Tier.count(30, 20_000);
    for (int seed = 0; seed < all; seed++) {
      String text = random(new SplittableRandom(seed));
      String said =
          assertTimeoutPreemptively(
              PATIENCE,
              () -> {
                try {
                  SpecParser.parse(text, LIMIT::compiled);
                  return "";
                } catch (SpecException e) {
                  return e.getMessage();
                }
              },
              text);
      assertFalse(said.contains(UNNAMED), () -> said + "\n" + text);
      compiled += said.isEmpty() ? 1 : 0;
    }
    Tier.found(PoisonSpecsTest.class, "specs of the grammar that compiled", compiled + "/" + all);
    assertTrue(compiled > all / 20, compiled + " of " + all + " compiled");
  }

  private static String random(SplittableRandom random) {
    List<String> policies =
        List.of(
            "ucb",
            "c-ucb",
            "d-ucb",
            "f-ucb",
            "linucb",
            "linucb-unaware",
            "lin-ts",
            "epsilon-greedy",
            "glm-ucb",
            "ofulog",
            "screen",
            "cclb");
    int features = 1 + random.nextInt(3);
    int mediators = random.nextInt(3);
    StringBuilder variables = new StringBuilder("  S: " + variable("sensitive", random) + "\n");
    StringBuilder graph = new StringBuilder("dag { ");
    String all = "S";
    for (int i = 0; i < features; i++) {
      variables.append("  X%d: %s\n".formatted(i, variable("context", random)));
      graph.append(random.nextBoolean() ? "{%s} -> X%d; ".formatted(all, i) : "X" + i + "; ");
      all += " X" + i;
    }
    int levels = 1 + random.nextInt(8);
    variables.append("  A: {role: action, levels: %s}\n".formatted(levels("a", levels)));
    StringBuilder tables = new StringBuilder();
    String outcomes = all + " A";
    for (int i = 0; i < mediators; i++) {
      variables.append("  M%d: {role: mediator, levels: [n, y]}\n".formatted(i));
      graph.append("A -> M%d; ".formatted(i));
      String rows =
          IntStream.range(0, levels)
              .mapToObj("[a%d, 0.25, 0.75]"::formatted)
              .collect(Collectors.joining(", "));
      tables.append("    M%d: {given: [A], rows: [%s]}\n".formatted(i, rows));
      outcomes += " M" + i;
    }
    graph.append("{%s} -> R }".formatted(outcomes));
    String policy = policies.get(random.nextInt(policies.size()));
    boolean isOfFeatures = policies.indexOf(policy) >= 4;
    String map = isOfFeatures && random.nextBoolean() ? ", features: " + map(features, random) : "";
    String explore = random.nextInt(4) == 0 ? ", explore: {share: 0.1, over: all}" : "";
    return """
           name: test
           version: 1
           segments: {pattern: "%s"}
           variables:
           %s  R: {role: reward}
           graph: "%s"
           arms: all
           %sreward: {range: [%s]}
           policy: {name: %s%s%s}
           fairness: {tau: %s, delta: 0.05%s}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           """
        .formatted(
            "a(b|c)*".repeat(1 + random.nextInt(3)),
            variables,
            graph,
            mediators == 0 ? "" : "distributions:\n  cpts:\n" + tables,
            random.nextInt(8) == 0 ? "-1e300, 1e300" : "0, 1",
            policy,
            map,
            explore,
            random.nextInt(8) == 0 ? "0" : "0.2",
            random.nextInt(4) == 0 ? ", intersections: true" : "");
  }

  private static String variable(String role, SplittableRandom random) {
    int levels = random.nextInt(10) == 0 ? 1024 : 2 + random.nextInt(6);
    String missing =
        List.of("", ", missing: reject", ", missing: marginalize", ", missing: level")
            .get(random.nextInt(4));
    return "{role: %s, levels: %s%s}".formatted(role, levels("l", levels), missing);
  }

  private static String map(int features, SplittableRandom random) {
    return IntStream.rangeClosed(0, random.nextInt(4))
        .mapToObj(i -> term(features, random, 1))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String term(int features, SplittableRandom random, int depth) {
    String variable =
        List.of("S", "A", "X0", "X" + random.nextInt(features)).get(random.nextInt(4));
    return switch (random.nextInt(depth > 3 ? 3 : 5)) {
      case 0 -> "intercept";
      case 1 -> "{level: {of: %s, is: %s0}}".formatted(variable, variable.equals("A") ? "a" : "l");
      case 2 -> "{one-hot: " + variable + "}";
      default ->
          "{product: "
              + IntStream.rangeClosed(1, 2 + random.nextInt(4))
                  .mapToObj(i -> term(features, random, depth + 1))
                  .collect(Collectors.joining(", ", "[", "]"))
              + "}";
    };
  }
}
