package io.equipoise.segment;

import io.equipoise.event.BoundEvidence;
import io.equipoise.event.BoundSetHeader;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundMode;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A book of causal bounds, and small sets for {@link TestSpecs}. */
public final class TestBounds implements BoundsRegistry {
  /** The name that {@link #policy} asks for. */
  public static final String NAME = "shop";

  private static final String GRAPH_HASH = SpecParser.parse(TestSpecs.ucb()).graph().fingerprint();

  private final Map<String, CausalBoundSet> byHash = new HashMap<>();
  private final List<CausalBoundSet> offered = new ArrayList<>();

  /** Returns the policy section of a spec with these bounds. */
  public static String policy(String policy, String refuted) {
    return policy
        + ", causal-bounds: {name: "
        + NAME
        + ", on-refutation: "
        + refuted
        + ", delta: 0.1}";
  }

  /** Returns a UCB-PCB spec. */
  public static String spec(String refuted) {
    return spec(refuted, 1);
  }

  /** Returns a UCB-PCB spec of a number. */
  public static String spec(String refuted, int number) {
    return TestSpecs.text(
        policy("ucb-pcb", refuted),
        number,
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
        "{range: [0, 1]}",
        "reset");
  }

  /** Returns a set for the graph of {@link TestSpecs}: bounds of A=left and of A=right. */
  public static CausalBoundSet set(long number, double[] left, double[] right) {
    return of(number, row("A=left", Map.of(), left), row("A=right", Map.of(), right));
  }

  /** Returns a set of these rows. */
  public static CausalBoundSet of(long number, CausalBound... rows) {
    return CausalBoundSet.of(NAME, number, List.of(rows));
  }

  /** Returns a row, set by a person, for the graph of {@link TestSpecs}. */
  public static CausalBound row(String arm, Map<String, String> context, double... bounds) {
    return row(graphHash(), arm, context, bounds);
  }

  /** Returns a row, set by a person. */
  public static CausalBound row(
      String graph, String arm, Map<String, String> context, double... bounds) {
    return new CausalBound(
        BoundSetHeader.of(graph),
        arm,
        context,
        bounds[0],
        bounds[1],
        new BoundEvidence(CausalBoundMode.MANUAL, List.of(), "", null, null, null, List.of()));
  }

  /** Returns the hash of the graph of {@link TestSpecs}. */
  public static String graphHash() {
    return GRAPH_HASH;
  }

  /** Offers a set. */
  public TestBounds publish(CausalBoundSet set) {
    byHash.put(set.hash(), set);
    offered.removeIf(known -> known.hash().equals(set.hash()));
    offered.add(set);
    offered.sort(
        Comparator.comparing(CausalBoundSet::version)
            .reversed()
            .thenComparing(CausalBoundSet::hash));
    return this;
  }

  /** Offers nothing any more; what runs goes on. */
  public TestBounds retire() {
    offered.clear();
    return this;
  }

  /** Loses all rows. */
  public TestBounds lose() {
    byHash.clear();
    return retire();
  }

  @Override
  public List<CausalBoundSet> offered(String name) {
    return offered.stream().filter(set -> set.name().equals(name)).toList();
  }

  @Override
  public @Nullable CausalBoundSet byHash(String hash) {
    return byHash.get(hash);
  }
}
