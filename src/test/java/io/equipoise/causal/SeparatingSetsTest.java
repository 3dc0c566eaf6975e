package io.equipoise.causal;

import static io.equipoise.causal.CausalGraphTest.assertFault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SeparatingSetsTest {
  /** Huang, Zhang and Wu 2022, the Email Campaign. */
  private static final CausalGraph EMAIL =
      DagittyText.parse(
          """
          dag {
            X2 -> X3
            {X1 X2 X3} -> {A1 A2 A3}
            {X1 X3} -> I4
            {X1 A1 A2} -> I1
            {X2 A1 I4} -> I2
            {I1 A3} -> I3
            {I1 I2 I3 A3} -> R
          }
          """);

  private static final Map<String, Long> EMAIL_DOMAINS =
      Map.of(
          "X1", 2L, "X2", 3L, "X3", 3L, "A1", 3L, "A2", 4L, "A3", 3L, "I1", 4L, "I2", 4L, "I3", 4L,
          "I4", 3L);
  private static final List<String> EMAIL_FEATURES = List.of("X1", "X2", "X3", "A1", "A2", "A3");
  private static final List<String> EMAIL_CANDIDATES =
      List.of("X1", "X2", "X3", "A1", "A2", "A3", "I1", "I2", "I3", "I4");

  @Test
  void theEmailCampaignIsTabulatedOverSendTimeTemplateAndFitness() {
    SeparatingSet best =
        SeparatingSets.cheapest(EMAIL, EMAIL_FEATURES, "R", EMAIL_CANDIDATES, EMAIL_DOMAINS::get);
    assertEquals(new SeparatingSet(List.of("A3", "I1", "I2"), 48, List.of("I1", "I2"), 16), best);
    assertEquals(
        best,
        SeparatingSets.cheapestByCut(
            EMAIL, EMAIL_FEATURES, "R", EMAIL_CANDIDATES, EMAIL_DOMAINS::get));
  }

  @Test
  void noOtherEmailSetCostsLessThanTwiceAsMuch() {
    List<Long> costs =
        SeparationTest.subsets(EMAIL_CANDIDATES).stream()
            .filter(w -> SeparatingSets.verify(EMAIL, EMAIL_FEATURES, "R", w).isEmpty())
            .map(w -> w.stream().mapToLong(EMAIL_DOMAINS::get).reduce(1, (a, b) -> a * b))
            .sorted()
            .toList();
    assertEquals(List.of(48L, 96L), costs.subList(0, 2));
  }

  @Test
  void theListHoldsNoEmailSetFromWhichAVariableCouldBeLeftOut() {
    List<SeparatingSet> minimal =
        SeparatingSets.minimal(EMAIL, EMAIL_FEATURES, "R", EMAIL_CANDIDATES, EMAIL_DOMAINS::get);
    assertEquals(48, minimal.get(0).domainSize());
    assertEquals(288, minimal.get(1).domainSize());
    assertTrue(minimal.stream().allMatch(set -> set.variables().contains("A3")));
  }

  @Test
  void aWThatLeaksIsNamedWithItsOpenPath() {
    assertEquals(
        Optional.empty(),
        SeparatingSets.verify(EMAIL, EMAIL_FEATURES, "R", List.of("A3", "I1", "I2")));
    SeparatingSets.Leak leak =
        SeparatingSets.verify(EMAIL, EMAIL_FEATURES, "R", List.of("A3", "I2")).orElseThrow();
    assertEquals(List.of("X2", "X3", "X1", "A1", "A2"), leak.features());
    assertEquals("X2 -> A1 -> I1 -> R", leak.openPath());
  }

  @Test
  void equalTablesAreOrderedByMediatorsThenSizeThenName() {
    CausalGraph graph = DagittyText.parse("dag { B -> A -> M -> R }");
    List<SeparatingSet> sets =
        SeparatingSets.minimal(graph, List.of("B", "A"), "R", List.of("B", "A", "M"), name -> 2L);
    assertEquals(
        List.of(List.of("A"), List.of("M")), sets.stream().map(SeparatingSet::variables).toList());
  }

  @Test
  void everyAnswerAgreesWithBruteForceByTheDefinition() {
    RandomGraphs random = new RandomGraphs(20260104);
    Set<Integer> sizes = new HashSet<>();
    for (int round = 0; round < Tier.count(1_000, 10_000); round++) {
      CausalGraph graph = random.graph(3 + random.upTo(5), 0.4, 0.2 * random.uniform());
      List<String> nodes = random.shuffled(graph.nodes());
      String reward = nodes.get(0);
      List<String> candidates = random.some(nodes.subList(1, nodes.size()), 0.85);
      List<String> features = random.some(candidates, 0.5);
      Map<String, Long> domains =
          nodes.stream().collect(Collectors.toMap(name -> name, name -> 1L + random.upTo(4)));
      List<List<String>> separating =
          SeparationTest.subsets(candidates).stream()
              .filter(w -> PathOracle.separated(graph, List.of(reward), without(features, w), w))
              .toList();
      List<SeparatingSet> minimal =
          SeparatingSets.minimal(graph, features, reward, candidates, domains::get);
      String question = graph + " F=" + features + " R=" + reward + " C=" + candidates + domains;
      assertEquals(
          inclusionMinimal(separating),
          minimal.stream().map(set -> Set.copyOf(set.variables())).collect(Collectors.toSet()),
          question);
      SeparatingSet best =
          SeparatingSets.cheapest(graph, features, reward, candidates, domains::get);
      List<String> expected =
          separating.stream().map(w -> key(w, features, domains)).sorted().toList();
      assertEquals(expected.get(0), key(best.variables(), features, domains), question);
      SeparatingSet cut =
          SeparatingSets.cheapestByCut(graph, features, reward, candidates, domains::get);
      assertEquals(best.domainSize(), cut.domainSize(), question);
      assertEquals(best.mediatorDomainSize(), cut.mediatorDomainSize(), question);
      assertEquals(best.variables().size(), cut.variables().size(), question);
      assertEquals(
          Optional.empty(),
          SeparatingSets.verify(graph, features, reward, cut.variables()),
          question);
      sizes.add(minimal.size());
    }
    assertTrue(sizes.size() > 3, "graphs with one and with many sets occur: " + sizes);
  }

  @Test
  void moreThanTwentyUndecidedVariablesAreSettledByACutButNotListed() {
    GraphBuilder builder = CausalGraph.builder().node("R");
    for (int i = 0; i < 12; i++) {
      builder.node("F" + i).node("M" + i).directed("F" + i, "M" + i).directed("M" + i, "R");
    }
    CausalGraph graph = builder.build();
    List<String> features = IntStream.range(0, 12).mapToObj(i -> "F" + i).toList();
    List<String> candidates =
        Stream.concat(features.stream(), IntStream.range(0, 12).mapToObj(i -> "M" + i)).toList();
    SeparatingSet best =
        SeparatingSets.cheapest(
            graph, features, "R", candidates, name -> name.equals("F3") ? 3L : 2L);
    assertEquals(4096, best.domainSize());
    assertEquals(List.of("M3"), best.mediators());
    assertFault(
        "24 undecided variables are too many to list, at most 20",
        () -> SeparatingSets.minimal(graph, features, "R", candidates, name -> 2L));
  }

  @Test
  void questionsThatMakeNoSenseAreRefused() {
    CausalGraph graph = DagittyText.parse("dag { F -> M -> R; U [latent]; U -> R }");
    assertFault(
        "features that are no candidates: [F]",
        () -> SeparatingSets.cheapest(graph, List.of("F"), "R", List.of("M"), name -> 2L));
    assertFault(
        "candidates must be observed, but latent are [U]",
        () -> SeparatingSets.cheapest(graph, List.of("F"), "R", List.of("F", "U"), name -> 2L));
    assertFault(
        "domain size of \"F\" is 0",
        () -> SeparatingSets.cheapest(graph, List.of("F"), "R", List.of("F"), name -> 0L));
  }

  private static List<String> without(List<String> names, List<String> taken) {
    return names.stream().filter(name -> !taken.contains(name)).toList();
  }

  private static Set<Set<String>> inclusionMinimal(List<List<String>> sets) {
    return sets.stream()
        .filter(w -> sets.stream().noneMatch(v -> v.size() < w.size() && w.containsAll(v)))
        .map(Set::copyOf)
        .collect(Collectors.toSet());
  }

  /** Sorts as text in the order of the objective: table, mediators, number, names. */
  private static String key(List<String> w, List<String> features, Map<String, Long> domains) {
    long all = w.stream().mapToLong(domains::get).reduce(1, (a, b) -> a * b);
    long z = without(w, features).stream().mapToLong(domains::get).reduce(1, (a, b) -> a * b);
    return String.format("%09d %09d %02d %s", all, z, w.size(), w.stream().sorted().toList());
  }
}
