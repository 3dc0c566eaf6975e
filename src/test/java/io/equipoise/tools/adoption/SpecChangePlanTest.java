package io.equipoise.tools.adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SpecChangePlanTest {
  private static final CompiledSpec DEFAULT = spec("all", 1, "default");
  private static final CompiledSpec LOAN = spec("loan", 1, "{exact: [north, south]}");
  private static final CompiledSpec LOAN_2 = spec("loan", 2, "{exact: [north, south]}");
  private static final CompiledSpec NARROW = spec("loan", 2, "{exact: [north]}");
  private static final Map<String, String> RUNNING =
      Map.of("north", hash(LOAN), "south", hash(LOAN), "web", hash(DEFAULT));

  @Test
  void aNewVersionConcernsTheSegmentsOfItsName() {
    SpecChangePlan plan = plan(List.of(LOAN_2), Set.of(), RUNNING, DEFAULT, LOAN);
    assertEquals(List.of("loan 1 -> loan 2 KEPT [north, south]"), shown(plan));
    assertEquals(Map.of("north", hash(LOAN_2), "south", hash(LOAN_2)), plan.expected());
  }

  @Test
  void aSegmentThatAVersionLeavesGoesToTheSpecThatCoversIt() {
    assertEquals(
        List.of("loan 1 -> loan 2 KEPT [north]", "loan 1 -> all 1 KEPT [south]"),
        shown(plan(List.of(NARROW), Set.of(), RUNNING, DEFAULT, LOAN)));
    assertEquals(
        List.of("loan 1 -> loan 2 KEPT [north]", "loan 1 -> none UNCOVERED [south]"),
        shown(plan(List.of(NARROW), Set.of(), RUNNING, LOAN)));
  }

  @Test
  void aRetiredSpecLeavesItsSegmentsToTheOthers() {
    assertEquals(
        List.of("loan 1 -> all 1 KEPT [north, south]"),
        shown(plan(List.of(), Set.of(LOAN), RUNNING, DEFAULT, LOAN)));
    SpecChangePlan alone = plan(List.of(), Set.of(LOAN), RUNNING, LOAN);
    assertEquals(List.of("loan 1 -> none UNCOVERED [north, south]"), shown(alone));
    assertEquals(Map.of(), alone.expected());
  }

  @Test
  void segmentsAreComparedWithTheSpecThatTheyRun() {
    Map<String, String> running = Map.of("north", hash(LOAN), "south", "gone");
    CompiledSpec third = spec("loan", 3, "{exact: [north, south]}");
    assertEquals(
        List.of("loan 1 -> loan 3 KEPT [north]", "none -> loan 3 UNKNOWN [south]"),
        shown(plan(List.of(third), Set.of(), running, LOAN, LOAN_2)));
  }

  @Test
  void withoutActiveSegmentsTheVersionInForceIsCompared() {
    assertEquals(
        List.of("loan 2 -> loan 3 KEPT []"),
        shown(plan(List.of(spec("loan", 3, "default")), Set.of(), Map.of(), LOAN, LOAN_2)));
    assertEquals(
        List.of("none -> loan 1 FIRST []"), shown(plan(List.of(LOAN), Set.of(), Map.of())));
  }

  @Test
  void manySegmentsAreCounted() {
    List<String> many = IntStream.range(0, 12).mapToObj(String::valueOf).toList();
    assertEquals("0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more", SpecChangePlan.names(many));
    assertEquals("0, 1", SpecChangePlan.names(many.subList(0, 2)));
  }

  private static SpecChangePlan plan(
      List<CompiledSpec> added,
      Set<CompiledSpec> retired,
      Map<String, String> running,
      CompiledSpec... published) {
    List<RawControl> records = new ArrayList<>();
    for (CompiledSpec one : published) {
      byte[] key = one.spec().key().getBytes(StandardCharsets.UTF_8);
      byte[] text = one.spec().text().getBytes(StandardCharsets.UTF_8);
      records.add(new RawControl("specs", 0, records.size(), 0, key, text));
    }
    return SpecChangePlan.of(
        SpecHistory.of(records, new CatalogLimit(1 << 20)),
        added,
        Set.copyOf(retired.stream().map(CompiledSpec::spec).toList()),
        new TreeMap<>(running));
  }

  private static List<String> shown(SpecChangePlan plan) {
    return plan.moves().stream()
        .map(
            move ->
                "%s -> %s %s %s"
                    .formatted(
                        move.from() == null
                            ? "none"
                            : move.from().name() + " " + move.from().version(),
                        move.to() == null ? "none" : move.to().name() + " " + move.to().version(),
                        move.effect().kind(),
                        move.segments()))
        .toList();
  }

  private static CompiledSpec spec(String name, int version, String segments) {
    return TestSpecs.compiled(
        SpecVariant.of("ucb")
            .version(version)
            .text()
            .replace("name: test", "name: " + name)
            .replace("segments: default", "segments: " + segments));
  }

  private static String hash(CompiledSpec spec) {
    return spec.spec().hash();
  }
}
