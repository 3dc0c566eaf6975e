package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.DagittyText;
import io.equipoise.hostile.OneEdit;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A spec with one character changed is refused, or says what SnakeYAML reads: every key of the text
 * has its value, and no other key has one.
 */
class EditedSpecsTest {
  private static final int EDITS = Tier.count(300, 10_000);

  /** Not those that YAML 1.1, which SnakeYAML reads, takes for other signs than 1.2: ? and NEL. */
  private static final String SIGNS =
      ":#,-[]{}\"'&*!|>%@`\\ \n\t019eE.\u00e4\u0430\u00a0\u0000\uFEFF";

  private static final String SPEC =
      """
      name: offers
      version: 1
      seed: -7
      segments: {exact: [s1, "s 2"]}
      variables:
        gender: {role: sensitive, levels: [f, m, 01x], missing: reject}
        age: {role: context, range: [0, 90.50], cuts: [40, 6e1]}
        offer: {role: action, levels: [small, "large"]}
        accepted: {role: reward}
      graph: "dag { {gender age} -> offer; {gender age offer} -> accepted }"
      reward: {range: [0, 1], default: {value: 0}} # accepted or not
      policy: {name: f-ucb, ties: seeded, explore: {share: 0.2, over: all}}
      fairness:
        tau: 0.20
        delta: .1
      join: {reward-window: 36h, fallback: "offer=small", aggregate: sum}
      idle-state: {after: 30d, retain: model}
      metrics: {every: 10}
      on-incompatible-change: reset
      """;

  /** What a spec says at a path where its text says nothing. */
  private static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("seed", number(0)),
          Map.entry("reward.default.value", "none"),
          Map.entry("policy.ties", "lowest"),
          Map.entry("policy.explore.share", number(0)),
          Map.entry("policy.explore.over", "all"),
          Map.entry("fairness.delta", number(0.05)),
          Map.entry("join.fallback", "none"),
          Map.entry("join.aggregate", "first"),
          Map.entry("idle-state.after", "none"),
          Map.entry("idle-state.retain", "model"),
          Map.entry("metrics.every", number(1000)),
          Map.entry("on-incompatible-change", "reject"));

  @Test
  void anEditedSpecIsRefusedOrSaysWhatYamlReads() {
    String flat = SPEC.replaceAll("\n  (tau|delta): (.*)", "\n  \"$1\": '$2'");
    OneEdit edit = new OneEdit(List.of(SPEC, flat), SIGNS);
    SplittableRandom random = new SplittableRandom(41);
    int read = 0;
    for (int i = 0; i < EDITS; i++) {
      String text = edit.next(random);
      Map<String, Object> said;
      try {
        said = said(SpecParser.parse(text));
      } catch (SpecException e) {
        assertTrue(e.faults().stream().allMatch(it -> it.toString().lines().count() == 1), text);
        continue;
      }
      read++;
      Map<String, Object> expected = new LinkedHashMap<>(said);
      expected.replaceAll((path, value) -> DEFAULTS.getOrDefault(path, "no default"));
      flatten("", new Yaml().compose(new StringReader(text)), said, expected);
      assertEquals(expected, said, text);
    }
    assertTrue(read > EDITS / 20, "read " + read);
    Tier.found(EditedSpecsTest.class, "edited specs read", read + " of " + EDITS);
  }

  /** Writes each scalar of a text, as what the spec says at its path. */
  private static void flatten(
      String path, Node node, Map<String, Object> said, Map<String, Object> to) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        String key = ((ScalarNode) entry.getKeyNode()).getValue();
        flatten(path.isEmpty() ? key : path + "." + key, entry.getValueNode(), said, to);
      }
    } else if (node instanceof SequenceNode sequence) {
      for (int i = 0; i < sequence.getValue().size(); i++) {
        flatten(path + "[" + i + "]", sequence.getValue().get(i), said, to);
      }
    } else {
      String text = ((ScalarNode) node).getValue();
      Object value = said.get(path);
      to.put(
          path,
          value instanceof Double
              ? number(new BigDecimal(text).doubleValue())
              : value instanceof Duration
                  ? duration(text)
                  : path.equals("graph") ? DagittyText.parse(text) : text);
    }
  }

  private static Duration duration(String text) {
    boolean isMillis = text.endsWith("ms");
    return isMillis
        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
        : Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
  }

  private static Double number(double value) {
    return value + 0.0; // -0.0 is 0
  }

  private static Object orNone(@Nullable Object value) {
    return value == null ? "none" : value;
  }

  /** Returns what a spec says, by path. */
  private static Map<String, Object> said(SegmentSpec spec) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("name", spec.name());
    said.put("version", number((double) spec.version()));
    said.put("seed", number((double) spec.seed()));
    if (spec.match() instanceof SegmentMatch.Exact exact) {
      put("segments.exact", exact.segments(), said);
    } else if (spec.match() instanceof SegmentMatch.Pattern pattern) {
      said.put("segments.pattern", pattern.pattern().pattern());
    } else {
      said.put("segments", "default");
    }
    for (SpecVariable variable : spec.variables().all()) {
      String path = "variables." + variable.name();
      said.put(path + ".role", variable.role().wire());
      if (variable.range() != null && variable.role() != VariableRole.REWARD) {
        put(path + ".range", variable.range(), said);
        for (int cut = 0; cut < variable.cuts().length; cut++) {
          said.put(path + ".cuts[" + cut + "]", number(variable.cuts()[cut]));
        }
      } else {
        put(path + ".levels", variable.levels().subList(0, variable.disclosedLevels()), said);
      }
      boolean isByDefault =
          variable.missing()
              == (variable.role() == VariableRole.SENSITIVE ? Missing.LEVEL : Missing.REJECT);
      if (!isByDefault) {
        said.put(path + ".missing", variable.missing().wire());
      }
    }
    said.put("graph", spec.graph());
    put("reward.range", spec.reward().range(), said);
    DefaultReward silence = spec.reward().byDefault();
    said.put("reward.default.value", silence == null ? "none" : number(silence.value()));
    ExploreSpec explore = spec.policy().family().explore();
    said.put("policy.name", spec.policy().name().wire());
    said.put("policy.ties", spec.policy().ties().wire());
    said.put("policy.explore.share", number(explore == null ? 0 : explore.share()));
    said.put("policy.explore.over", explore == null ? "all" : explore.over().wire());
    said.put("fairness.tau", number(spec.fairness().tau()));
    said.put("fairness.delta", number(spec.fairness().delta()));
    said.put("join.reward-window", spec.join().rewardWindow());
    said.put("join.fallback", orNone(spec.join().fallbackArm()));
    said.put("join.aggregate", spec.join().aggregate().wire());
    IdleStateSpec idle = spec.idleState();
    said.put("idle-state.after", orNone(idle == null ? null : idle.after()));
    said.put("idle-state.retain", idle == null ? "model" : idle.retain().wire());
    said.put("metrics.every", number((double) spec.metricsEvery()));
    said.put("on-incompatible-change", spec.onIncompatibleChange().wire());
    return said;
  }

  private static void put(String path, List<String> texts, Map<String, Object> to) {
    for (int i = 0; i < texts.size(); i++) {
      to.put(path + "[" + i + "]", texts.get(i));
    }
  }

  private static void put(String path, NumberRange range, Map<String, Object> to) {
    to.put(path + "[0]", number(range.low()));
    to.put(path + "[1]", number(range.high()));
  }
}
