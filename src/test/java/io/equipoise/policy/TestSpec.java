package io.equipoise.policy;

import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.List;

/** Builds specs from pieces of YAML. What a test does not say has a harmless default. */
public final class TestSpec {
  private final List<String> variables = new ArrayList<>();
  private final List<String> cpts = new ArrayList<>();
  private String graph = "";
  private String policy = "name: f-ucb";
  private String fairness = "tau: 0.3, delta: 0.05, confidence: sub-gaussian, scale: 0.3";
  private String reward = "range: [0, 1], bounded: false, scale: 0.3";
  private String arms = "all";

  public static TestSpec spec() {
    return new TestSpec();
  }

  /** S -> M <- A, M -> R: the arm 0 treats both alike, the arms 1 and 2 do not. */
  public static TestSpec mediated(String missing) {
    return spec()
        .variable("S", "sensitive", 2, missing)
        .variable("C", "context", 2)
        .variable("A", "action", 3)
        .variable("M", "mediator", 2)
        .graph("C; S -> M A -> M M -> R")
        .cpt(
            "M",
            "S, A",
            "['0','0',.5,.5],['0','1',.9,.1],['0','2',.8,.2],"
                + "['1','0',.5,.5],['1','1',.1,.9],['1','2',.2,.8]");
  }

  public static TestSpec mediated() {
    return mediated(", missing: reject");
  }

  /** Adds a variable with levels "0", "1", ...; {@code more} like ", missing: reject". */
  public TestSpec variable(String name, String role, int levels, String more) {
    List<String> names = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      names.add("\"" + level + "\"");
    }
    variables.add("  " + name + ": {role: " + role + ", levels: " + names + more + "}");
    return this;
  }

  public TestSpec variable(String name, String role, int levels) {
    return variable(name, role, levels, "");
  }

  /** Sets the graph, like {@code "S -> M M -> R"}. */
  public TestSpec graph(String edges) {
    graph = edges;
    return this;
  }

  /** Adds a table; rows like {@code ["0", 0.5, 0.5]}. */
  public TestSpec cpt(String child, String given, String rows) {
    cpts.add("    " + child + ": {given: [" + given + "], rows: [" + rows + "]}");
    return this;
  }

  /** Adds a table of counts; rows like {@code ["0", 50, 50]}. */
  public TestSpec counted(String child, String given, String rows) {
    cpts.add("    " + child + ": {given: [" + given + "], counts: [" + rows + "]}");
    return this;
  }

  public TestSpec policy(String text) {
    policy = text;
    return this;
  }

  public TestSpec fairness(String text) {
    fairness = text;
    return this;
  }

  public TestSpec reward(String text) {
    reward = text;
    return this;
  }

  public TestSpec arms(String text) {
    arms = text;
    return this;
  }

  public SegmentSpec build() {
    return SpecParser.parse(text());
  }

  public TabularPolicy compile() {
    return TabularPolicy.compile(build());
  }

  String text() {
    return """
           name: test
           version: 1
           segments: default
           seed: 7
           variables:
           %s
             R: {role: reward}
           graph: "dag { %s }"
           arms: %s
           %s
           reward: {%s}
           policy: {%s}
           fairness: {%s}
           join: {reward-window: 30m}
           """
        .formatted(
            String.join("\n", variables),
            graph,
            arms,
            cpts.isEmpty() ? "" : "distributions:\n  cpts:\n" + String.join("\n", cpts),
            reward,
            policy,
            fairness);
  }
}
