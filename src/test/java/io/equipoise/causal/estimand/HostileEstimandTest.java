package io.equipoise.causal.estimand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.hostile.Campaign;
import io.equipoise.hostile.TextDamage;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Feeds the reader of estimands with texts that were damaged at random. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class HostileEstimandTest {
  private static final List<String> ESTIMANDS =
      List.of(
          "Σ_{z} P(y|x,z) P(z)",
          "sum_m [P(m|x) · Σ_{x'} P(y|x',m) P(x')]",
          "P(a,b)/P(b) * (P(c|a) / Σ_{c} P(c,a|S=1))",
          "Σ_{a,b}[P(a)P(b|a)[P(y|a,b)/1]]");

  @Test
  void aDamagedEstimandIsRefusedOrComesBack() throws InterruptedException {
    new Campaign<>(
            "estimands",
            new TextDamage(ESTIMANDS, List.of("[", "(", "Σ_{a} ", "Σ_{a'}", "P(", "1/[", "P(a)/")),
            text -> {
              Estimand estimand;
              try {
                estimand = EstimandParser.parse(text);
              } catch (IllegalArgumentException e) {
                assertEquals(IllegalArgumentException.class, e.getClass(), e::toString);
                return false;
              }
              estimand.toText();
              return true;
            },
            1 << 20,
            4000)
        .run(Tier.count(800, 300_000));
  }

  @Test
  void nestingWithoutEndIsRefusedWithItsPlace() {
    for (String opening : List.of("[", "(", "Σ_{a}", "sum_{a'} ", "P(a)/P(b)/")) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> EstimandParser.parse(opening.repeat(100_000) + "P(a)"));
      assertTrue(String.valueOf(refusal.getMessage()).contains("nested"), opening);
    }
  }

  @Test
  void signsOfPatternsAreLettersOfANameLikeOthers() {
    EstimandParser.parse("Σ_{a+'} P(a+')");
    EstimandParser.parse("Σ_{(*'} P(b)");
    assertThrows(
        IllegalArgumentException.class, () -> EstimandParser.parse("Σ_{a+'} P(a+)"), "hidden");
  }
}
