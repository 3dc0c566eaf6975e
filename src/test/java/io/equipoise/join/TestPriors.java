package io.equipoise.join;

import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorMode;
import io.equipoise.event.PriorSet;
import io.equipoise.spec.GraphHash;
import io.equipoise.spec.SpecParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A book of prior bounds, and small sets for {@link TestSpecs}. */
public final class TestPriors implements PriorBook {
  /** The name that {@link #policy} asks for. */
  public static final String NAME = "shop";

  private final Map<String, PriorSet> byHash = new HashMap<>();
  private final List<PriorSet> offered = new ArrayList<>();

  /** Returns the policy section of a spec with these bounds. */
  public static String policy(String policy, String refuted) {
    return policy + ", priors: {name: " + NAME + ", refuted: " + refuted + ", delta: 0.1}";
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
        "{window: 60s, early: 30s, dedup: 60s}",
        "{range: [0, 1]}",
        "reset");
  }

  /** Returns a set for the graph of {@link TestSpecs}: bounds of A=left and of A=right. */
  public static PriorSet set(long number, double[] left, double[] right) {
    return of(number, row("A=left", Map.of(), left), row("A=right", Map.of(), right));
  }

  /** Returns a set of these rows. */
  public static PriorSet of(long number, PriorBound... rows) {
    return PriorSet.of(NAME, number, List.of(rows));
  }

  /** Returns a row, set by a person, for the graph of {@link TestSpecs}. */
  public static PriorBound row(String arm, Map<String, String> context, double... bounds) {
    return row(graphHash(), arm, context, bounds);
  }

  /** Returns a row, set by a person. */
  public static PriorBound row(
      String graph, String arm, Map<String, String> context, double... bounds) {
    return new PriorBound(
        NAME,
        1,
        "",
        1,
        arm,
        context,
        bounds[0],
        bounds[1],
        PriorMode.MANUAL,
        List.of(),
        "",
        null,
        null,
        graph,
        null,
        List.of());
  }

  /** Returns the hash of the graph of {@link TestSpecs}. */
  public static String graphHash() {
    return GraphHash.of(SpecParser.parse(TestSpecs.ucb()).graph());
  }

  /** Offers a set. */
  public TestPriors publish(PriorSet set) {
    byHash.put(set.hash(), set);
    offered.removeIf(known -> known.hash().equals(set.hash()));
    offered.add(set);
    offered.sort(Comparator.comparing(PriorSet::number).reversed().thenComparing(PriorSet::hash));
    return this;
  }

  /** Offers nothing any more; what runs goes on. */
  public TestPriors retire() {
    offered.clear();
    return this;
  }

  /** Loses all rows. */
  public TestPriors lose() {
    byHash.clear();
    return retire();
  }

  @Override
  public List<PriorSet> offered(String name) {
    return offered.stream().filter(set -> set.name().equals(name)).toList();
  }

  @Override
  public @Nullable PriorSet byHash(String hash) {
    return byHash.get(hash);
  }
}
