package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.event.EliminationReason;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Feeds a trace's samples phase by phase; a second script reproduced the trace independently. */
class GoldenTraceTest {
  private static final double TOLERANCE = 1e-9;

  @ParameterizedTest
  @CsvSource({"loose_separate_T4000, loose, SEPARATE", "hepar2_natural_T6000, hepar2, NATURAL"})
  void estimatesAndDecisionsOfBothVariantsAreThoseOfTheTrace(
      String trace, String instance, Mode mode) {
    JsonNode golden = Fixtures.json(trace);
    CsrModel model = Fixtures.model(instance);
    int samples = golden.get("T").asInt();
    double bound = golden.get("eps").asDouble();
    Design first = Fixtures.design(model, Algorithm.CSR_V1, mode, samples, bound);
    Design second = Fixtures.design(model, Algorithm.CSR_V2, mode, samples, bound);
    List<SampleSums> ofPhase =
        List.of(new CellCounts(first.channels()), new PrefixBins(first.channels(), 10));
    List<SampleSums> soFar =
        List.of(new CellCounts(second.channels()), new PrefixBins(second.channels(), 10));
    BitSet remaining = second.arms();
    for (JsonNode step : golden.get("phases")) {
      Phase phase = second.plan().get(step.get("l").asInt() - 1);
      assertEquals(step.get("tau").asInt(), phase.pulls());
      assertEquals(Fixtures.set(step.get("R")), remaining);
      double level = second.allocate(phase, remaining).level();
      double wanted = step.get("vstar").asDouble();
      assertEquals(wanted, level, 1e-7 * wanted);
      ofPhase.forEach(SampleSums::clear);
      for (SampleSums sums : ofPhase) {
        add(step, sums);
      }
      for (SampleSums sums : soFar) {
        add(step, sums);
      }
      for (SampleSums sums : ofPhase) {
        assertStep(step.get("v1"), first, phase, remaining, sums);
      }
      BitSet after = remaining;
      for (SampleSums sums : soFar) {
        after = assertStep(step.get("v2"), second, phase, remaining, sums);
      }
      remaining = after;
    }
    assertEquals(Fixtures.set(golden.get("final_R")), remaining);
  }

  private static void add(JsonNode step, SampleSums into) {
    for (JsonNode row : step.get("samples_type_j_S_z_v_y_n")) {
      for (int i = 0; i < row.get(6).asInt(); i++) {
        into.add(
            row.get(0).asInt(),
            row.get(2).asInt(),
            row.get(1).asInt(),
            row.get(3).asInt(),
            row.get(4).asInt(),
            row.get(5).asDouble());
      }
    }
  }

  private static BitSet assertStep(
      JsonNode wanted, Design design, Phase phase, BitSet remaining, SampleSums sums) {
    Estimates estimates = design.estimate(phase, remaining, sums);
    assertValues(wanted.get("Y"), estimates.reward(), remaining);
    assertValues(wanted.get("zeta_ss1"), estimates.forward(), remaining);
    assertValues(wanted.get("zeta_s1s"), estimates.backward(), remaining);
    SearchVerdict searchVerdict = design.close(phase, remaining, estimates);
    assertEquals(Fixtures.set(wanted.get("F")), searchVerdict.fair());
    assertEquals(wanted.get("H").isNull() ? -1 : wanted.get("H").asInt(), searchVerdict.leader());
    assertEquals(wanted.get("F").isEmpty(), searchVerdict.isGateClosed());
    if (!searchVerdict.isGateClosed()) {
      assertEquals(
          Fixtures.set(wanted.get("unfair")), dropped(searchVerdict, EliminationReason::isUnfair));
      assertEquals(
          Fixtures.set(wanted.get("subopt")),
          dropped(searchVerdict, reason -> reason == EliminationReason.SUBOPTIMAL));
    }
    return searchVerdict.after();
  }

  private static BitSet dropped(SearchVerdict searchVerdict, Predicate<EliminationReason> why) {
    BitSet dropped = new BitSet();
    searchVerdict.eliminated().stream()
        .filter(elimination -> why.test(elimination.reason()))
        .forEach(elimination -> dropped.set(elimination.arm()));
    return dropped;
  }

  private static void assertValues(JsonNode wanted, Ipw estimates, BitSet remaining) {
    int place = 0;
    for (int k = remaining.nextSetBit(0); k >= 0; k = remaining.nextSetBit(k + 1)) {
      JsonNode value = wanted.get(place++);
      if (value.isNull()) {
        assertTrue(Double.isNaN(estimates.value()[k]), "arm " + k);
      } else {
        assertEquals(value.asDouble(), estimates.value()[k], TOLERANCE, "arm " + k);
      }
    }
    assertEquals(wanted.size(), place);
  }

  @Test
  void aTraceHasMoreThanOneArmDropped() {
    assertTrue(Fixtures.json("loose_separate_T4000").get("final_R").size() < 5);
  }
}
