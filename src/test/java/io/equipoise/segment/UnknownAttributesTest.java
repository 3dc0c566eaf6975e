package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.CandidateArm;
import io.equipoise.segment.state.CompiledSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UnknownAttributesTest {
  @Test
  void aContextIsCountedAndEachNameIsLoggedOnceWithASuggestion() {
    CompiledSpec spec =
        TestSpecs.compiled(
            """
            name: offers
            version: 1
            segments: default
            variables:
              gender: {role: sensitive, levels: [f, m]}
              offer: {role: action, levels: [small, large]}
              accepted: {role: reward}
            graph: "dag { gender -> offer; {gender offer} -> accepted }"
            reward: {range: [0, 1]}
            policy: {name: f-ucb}
            fairness: {tau: 0.2}
            join: {reward-window: 1d, fallback: offer=small}
            """);
    String known = "gender";
    String other = "Gender";
    AtomicInteger counted = new AtomicInteger();
    List<String> lines = new ArrayList<>();
    UnknownAttributes unknown = new UnknownAttributes(counted::incrementAndGet, lines::add);
    unknown.look(Map.of(known, "f"), null, spec);
    assertEquals(0, counted.get());
    unknown.look(Map.of(other, "f", known, "f"), null, spec);
    unknown.look(Map.of(other, "f", "x", 1L), null, spec);
    assertEquals(2, counted.get());
    unknown.look(Map.of(), List.of(new CandidateArm("a", Map.of("Topik", "news"))), spec);
    assertEquals(3, counted.get());
    assertEquals(3, lines.size());
    assertEquals(
        "Contexts have the attribute %s, which is no variable of spec %s and is ignored. did you"
                .formatted(other, spec.spec().name())
            + " mean %s? The metric unknownAttributes counts them.".formatted(known),
        lines.get(0));
  }
}
