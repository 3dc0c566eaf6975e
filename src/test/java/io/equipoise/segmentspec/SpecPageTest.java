package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference pages have the keys that the reader accepts, section by section. */
class SpecPageTest {
  private static final String UNKNOWN = "qqqqqqqqqqqq";
  private static final Pattern SECTION = Pattern.compile("(?m)^### (.+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

  /** A text for each section of the page, with an unknown key in that section. */
  private static final Map<String, String> PROBES =
      Map.ofEntries(
          Map.entry("spec", SpecText.SOUND + UNKNOWN + ": 1\n"),
          Map.entry("segments", SpecText.with("{exact: [small, tiny]}", unknown())),
          Map.entry("variables.NAME", SpecText.with("{role: action, levels: [a, b]}", unknown())),
          Map.entry(
              "arms[]", SpecText.with("arms: all", "arms: [{A: a, B: on, " + UNKNOWN + ": 1}]")),
          Map.entry("distributions", SpecText.with("  cpts:\n", "  " + UNKNOWN + ": 1\n  cpts:\n")),
          Map.entry("distributions.cpts.NAME", SpecText.with("{rows: [[0.5, 0.5]]}", unknown())),
          Map.entry("reward", SpecText.with("range: [-1, 3]", UNKNOWN + ": 1")),
          Map.entry("reward.default", SpecText.with("value: 0", UNKNOWN + ": 1")),
          Map.entry("fairness", SpecText.with("tau: 0.3", UNKNOWN + ": 1")),
          Map.entry(
              "fairness.certificates",
              SpecText.with("tau: 0.3", "tau: 0.3, certificates: " + unknown())),
          Map.entry("fairness.tau", SpecText.with("tau: 0.3", "tau: " + unknown())),
          Map.entry("join", SpecText.with("reward-window: 30m", UNKNOWN + ": 1")),
          Map.entry("idle-state", SpecText.SOUND + "idle-state: " + unknown() + "\n"),
          Map.entry("metrics", SpecText.SOUND + "metrics: " + unknown() + "\n"),
          Map.entry("policy: tabular", policy("name: ucb, " + UNKNOWN + ": 1")),
          Map.entry("policy: linear", policy("name: linucb, " + UNKNOWN + ": 1")),
          Map.entry("policy: logistic", logistic(UNKNOWN + ": 1")),
          Map.entry("policy: allocation", policy("name: oam, " + UNKNOWN + ": 1")),
          Map.entry("policy: best-arm", policy("name: csr-v2, " + UNKNOWN + ": 1")),
          Map.entry("policy.causal-bounds", policy("name: ucb, causal-bounds: " + unknown())),
          Map.entry("policy.explore", policy("name: ucb, explore: " + unknown())),
          Map.entry("policy.features[]", policy("name: linucb, features: [" + unknown() + "]")),
          Map.entry(
              "policy.features[].level",
              policy("name: linucb, features: [{level: " + unknown() + "}]")),
          Map.entry(
              "policy.features[].number",
              policy("name: linucb, features: [{number: " + unknown() + "}]")),
          Map.entry("policy.alpha", policy("name: linucb, alpha: " + unknown())),
          Map.entry("policy.forget", policy("name: linucb, forget: " + unknown())),
          Map.entry("policy.sample", policy("name: lin-ts, sample: " + unknown())),
          Map.entry("policy.groups", policy("name: fair-linucb, groups: " + unknown())),
          Map.entry("policy.drop", policy("name: linucb-unaware, drop: " + unknown())),
          Map.entry(
              "policy.warm-start[]",
              policy("name: linucb-cp, features: [intercept], warm-start: [" + unknown() + "]")),
          Map.entry("policy.radius", logistic("radius: " + unknown())),
          Map.entry("policy.limits.NAME", logistic("limits: {S: " + unknown() + "}")),
          Map.entry("policy.dual", logistic("dual: " + unknown())));

  private static String unknown() {
    return "{" + UNKNOWN + ": 1}";
  }

  private static String policy(String keys) {
    return SpecText.with("  name: f-ucb\n  safe: [{A: b, B: [on, 2]}]\n", "  {" + keys + "}\n");
  }

  private static String logistic(String keys) {
    return policy("name: screen, " + keys)
        .replace("range: [-1, 3], default: {value: 0, mediators: {M: no}}", "range: [0, 1]");
  }

  @Test
  void thePageHasTheKeysOfEverySection() throws Exception {
    Map<String, Set<String>> wanted = new TreeMap<>();
    PROBES.forEach((section, text) -> wanted.put(section, accepted(section, text)));
    assertEquals(wanted, onThePage());
  }

  /** Returns the keys that the fault about the unknown one lists. */
  private static Set<String> accepted(String section, String text) {
    try {
      SpecParser.parse(text);
    } catch (SpecException e) {
      List<String> allowed =
          e.faults().stream()
              .filter(it -> it.given().contains("the key") && it.given().contains(UNKNOWN))
              .map(SpecFault::allowed)
              .toList();
      if (allowed.size() == 1) {
        TreeSet<String> keys =
            new TreeSet<>(
                Arrays.asList(allowed.get(0).replaceFirst(".*one of ", "").split(", ", -1)));
        if (section.equals("arms[]")) {
          keys.removeAll(List.of("A", "B")); // the actions of the spec
          keys.add("ACTION");
        }
        return keys;
      }
      throw new IllegalStateException(section + ": " + e.faults(), e);
    }
    throw new IllegalStateException(section + ": the key " + UNKNOWN + " is accepted");
  }

  private static Map<String, Set<String>> onThePage() throws Exception {
    Path reference = Path.of("docs", "reference");
    String page =
        Files.readString(reference.resolve("spec.md"))
            + Files.readString(reference.resolve("spec-policy.md"));
    Map<String, Set<String>> sections = new TreeMap<>();
    List<String> parts = Arrays.asList(SECTION.split(page, -1));
    Matcher heading = SECTION.matcher(page);
    for (int part = 1; part < parts.size(); part++) {
      heading.find();
      TreeSet<String> keys = new TreeSet<>();
      for (Matcher row = ROW.matcher(parts.get(part)); row.find(); ) {
        keys.add(row.group(1));
      }
      sections.put(heading.group(1), keys);
    }
    return sections;
  }
}
