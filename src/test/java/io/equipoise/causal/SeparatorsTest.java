package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SeparatorsTest {
  private static final int ROUNDS = Tier.count(100, 20_000);

  @Test
  void whatIsFoundAndListedIsWhatBruteForceSays() {
    RandomGraphs random = new RandomGraphs(20260110);
    int separable = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph graph = random.graph(4 + random.upTo(4), 0.35, 0.25 * random.uniform());
      List<String> nodes = random.shuffled(graph.nodes());
      int xs = 1 + random.upTo(2);
      List<String> x = nodes.subList(0, xs);
      List<String> y = nodes.subList(xs, xs + 1);
      List<String> restrict = random.some(nodes.subList(xs + 1, nodes.size()), 0.85);
      List<String> include = random.some(restrict, 0.2);
      Set<Set<String>> all = new HashSet<>();
      for (List<String> z : SeparationTest.subsets(restrict)) {
        if (z.containsAll(include) && PathOracle.separated(graph, x, y, z)) {
          all.add(Set.copyOf(z));
        }
      }
      Set<Set<String>> minimal = minimalOf(all);
      Separators separators = Separators.between(graph, x, y).including(include).among(restrict);
      String question = graph + " x=" + x + " y=" + y + " I=" + include + " R=" + restrict;
      assertEquals(all, separators.all().collect(Collectors.toSet()), question);
      assertEquals(all.size(), separators.all().count(), question);
      assertEquals(minimal, separators.allMinimal().collect(Collectors.toSet()), question);
      assertEquals(minimal.size(), separators.allMinimal().count(), question);
      assertEquals(!all.isEmpty(), separators.any().isPresent(), question);
      assertEquals(!all.isEmpty(), separators.minimal().isPresent(), question);
      separators.any().ifPresent(z -> assertTrue(all.contains(z), question));
      separators.minimal().ifPresent(z -> assertTrue(minimal.contains(z), () -> z + question));
      separable += all.isEmpty() ? 0 : 1;
    }
    assertTrue(separable > ROUNDS / 4 && separable < ROUNDS, "both occur: " + separable);
  }

  @Test
  void separationInMutilatedGraphsIsThatOfACopyWithTheEdgesGone() {
    RandomGraphs random = new RandomGraphs(20260111);
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph graph = random.graph(3 + random.upTo(5), 0.4, 0.3 * random.uniform());
      List<String> cutIn = random.some(graph.nodes(), 0.2);
      List<String> cutOut = random.some(graph.nodes(), 0.2);
      List<String> gone = random.some(graph.nodes(), 0.1);
      List<String> left = graph.nodes().stream().filter(node -> !gone.contains(node)).toList();
      GraphBuilder copy = CausalGraph.builder();
      left.forEach(copy::node);
      for (String node : left) {
        for (String child : graph.children(node)) {
          if (left.contains(child) && !cutIn.contains(child) && !cutOut.contains(node)) {
            copy.directed(node, child);
          }
        }
        for (String sibling : graph.siblings(node)) {
          if (left.contains(sibling) && !cutIn.contains(sibling) && !cutIn.contains(node)) {
            copy.bidirected(node, sibling);
          }
        }
      }
      CausalGraph copied = copy.build();
      Subgraph view =
          graph
              .whole()
              .without(graph.bits(gone))
              .cutInto(graph.bits(cutIn))
              .cutOutOf(graph.bits(cutOut));
      List<String> mixed = random.shuffled(left);
      if (mixed.size() > 2) {
        List<String> z = random.some(mixed.subList(2, mixed.size()), 0.4);
        BitSet x = graph.bits(mixed.subList(0, 1));
        BitSet y = graph.bits(mixed.subList(1, 2));
        assertEquals(
            PathOracle.separated(copied, mixed.subList(0, 1), mixed.subList(1, 2), z),
            view.separated(x, y, graph.bits(z)),
            () -> graph + " " + cutIn + cutOut + gone + mixed + z);
      }
      assertEquals(copied.components(), view.components().stream().map(graph::named).toList());
      BitSet some = graph.bits(random.some(left, 0.3));
      assertEquals(copied.ancestors(graph.named(some)), graph.named(view.ancestors(some)));
      assertEquals(copied.descendants(graph.named(some)), graph.named(view.descendants(some)));
    }
  }

  @Test
  void latentProjectionKeepsSeparationsAmongWhatIsLeft() {
    RandomGraphs random = new RandomGraphs(20260112);
    int bidirected = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph plain = random.graph(4 + random.upTo(4), 0.4, 0.15);
      List<String> hidden = random.some(plain.nodes(), 0.35);
      GraphBuilder marked = CausalGraph.builder();
      for (String node : plain.nodes()) {
        marked = hidden.contains(node) ? marked.latent(node) : marked.node(node);
      }
      for (String node : plain.nodes()) {
        for (String child : plain.children(node)) {
          marked.directed(node, child);
        }
        for (String sibling : plain.siblings(node)) {
          marked.bidirected(node, sibling);
        }
      }
      CausalGraph graph = marked.build();
      CausalGraph projected = graph.projected();
      List<String> left = random.shuffled(projected.nodes());
      assertEquals(graph.observed(), Set.copyOf(left));
      if (left.size() > 1) {
        List<String> z = random.some(left.subList(2, left.size()), 0.4);
        assertEquals(
            Separation.separated(plain, left.subList(0, 1), left.subList(1, 2), z),
            Separation.separated(projected, left.subList(0, 1), left.subList(1, 2), z),
            () -> graph + " -> " + projected + left + z);
      }
      bidirected += projected.components().size() < left.size() ? 1 : 0;
    }
    assertTrue(bidirected > ROUNDS / 4, "latent causes occur: " + bidirected);
  }

  @Test
  void aGraphOfAHundredThousandNodesIsSearched() {
    CausalGraph graph = new RandomGraphs(20260113).sparse(100_000, 2, 0.3);
    List<String> x = List.of("V50000");
    List<String> y = List.of("V50400");
    List<String> others =
        graph.nodes().stream().filter(node -> !x.contains(node) && !y.contains(node)).toList();
    Separators separators = Separators.between(graph, x, y).among(others);
    Set<String> z = separators.minimal().orElseThrow();
    assertTrue(Separation.separated(graph, x, y, z), "separates: " + z.size());
    for (String node : z) {
      List<String> less = z.stream().filter(it -> !it.equals(node)).toList();
      assertTrue(!Separation.separated(graph, x, y, less), "minimal: " + node);
    }
  }

  @Test
  void setsThatOverlapAreRefused() {
    CausalGraph graph = DagittyText.parse("dag { A -> M -> B }");
    GraphException fault =
        assertThrows(
            GraphException.class,
            () -> Separators.between(graph, List.of("A"), List.of("A", "B")).any());
    assertEquals("x, y and include share [A]", fault.getMessage());
    assertEquals(
        Optional.empty(),
        Separators.between(graph, List.of("A"), List.of("B")).among(List.of()).minimal());
  }

  private static Set<Set<String>> minimalOf(Set<Set<String>> sets) {
    return sets.stream()
        .filter(
            set -> sets.stream().noneMatch(other -> !other.equals(set) && set.containsAll(other)))
        .collect(Collectors.toSet());
  }
}
