package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.Tier;
import io.equipoise.hostile.Campaign;
import io.equipoise.hostile.TextDamage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Feeds the readers of graphs and networks with texts that were damaged at random. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class HostileTextsTest {
  private static final long FIXED_BYTES = 1 << 20;
  private static final long BYTES_PER_CHAR = 2000;
  private static final List<String> GRAPHS =
      List.of(
          "dag { U [latent]  U -> X\n {S A} -> M  {M X B} -> R }",
          "dag{ bb=\"0,0,1,1\" A [exposure,pos=\"0.1,2\"] B [outcome]; A <-> B <- {C D E} -> F }",
          "dag g { \"a b\" -> \"c\\\"d\" /* why */ -> S // so\n S [selected] # end\n }",
          "dag { X1 -> X2 -> X3 -> X4 -> X5 -> Y; X1 <-> X3; X2 <-> X5; Y -> Z }");

  @Test
  void aDamagedGraphIsRefusedByAGraphExceptionOrComesBack() throws InterruptedException {
    new Campaign<>(
            "graphs",
            new TextDamage(GRAPHS, List.of("{", "[", "/*", "{A ", "A -> ", "\"")),
            text -> {
              CausalGraph graph;
              try {
                graph = DagittyText.parse(text);
              } catch (GraphException e) {
                return false;
              }
              assertEquals(graph, DagittyText.parse(DagittyText.print(graph)));
              return true;
            },
            FIXED_BYTES,
            BYTES_PER_CHAR)
        .run(Tier.count(500, 400_000));
  }

  @Test
  void aDamagedNetworkIsRefusedByADistributionExceptionOrComesBack()
      throws InterruptedException, IOException {
    List<String> networks =
        List.of(
            resource("/causal/orchard.bif"),
            """
            network n {
            }
            variable A { type discrete [ 2 ] { a, "b c" }; }
            variable B { type discrete [ 3 ] { 0, 1, 2 }; property x y; }
            probability ( A ) { table 0.25, 0.75; }
            probability ( B | A ) { (a) 0.1, 0.2, 0.7; default 0.5, 0.5, 0; }
            """);
    new Campaign<>(
            "networks",
            new TextDamage(networks, List.of("{", "(", "[", "/*", "property ", "A, ")),
            text -> {
              KnownDistributions network;
              try {
                network = BifFormat.read(text);
              } catch (DistributionException e) {
                return false;
              }
              String ours = BifWriter.write("n", network);
              assertEquals(ours, BifWriter.write("n", BifFormat.read(ours)));
              return true;
            },
            FIXED_BYTES,
            BYTES_PER_CHAR)
        .run(Tier.count(500, 100_000));
  }

  @Test
  void aParentNamedAgainAndAgainIsRefusedBeforeATableIsMadeForIt() {
    String text =
        "variable A { type discrete [ 2 ] { a, b }; }\nvariable B { type discrete [ 2 ] { a, b }; }"
            + "\nprobability ( B |"
            + " A".repeat(20)
            + " ) { default 0.5, 0.5; }";
    DistributionException refusal =
        assertThrows(DistributionException.class, () -> BifFormat.read(text));
    assertEquals(
        "line 3, column 21: variable \"A\" occurs twice in this block", refusal.getMessage());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(HostileTextsTest.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
