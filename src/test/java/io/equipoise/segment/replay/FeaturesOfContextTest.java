package io.equipoise.segment.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.segment.NumericArmTest;
import io.equipoise.segment.Scenario;
import io.equipoise.segment.TestSpecs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Features put back on decisions that leave them off. */
class FeaturesOfContextTest {
  private static final String ARMS = "[{id: cheap, topic: news, price: 2}]";
  private static final String LINEAR =
      NumericArmTest.spec("linucb, features: [intercept, number: price]", 1, ARMS);

  private final Scenario scenario = Scenario.under(LINEAR);

  private ContextEvent context(Object level, @Nullable List<CandidateArm> own) {
    return new ContextEvent(
        "d",
        Scenario.SEGMENT,
        Scenario.millis(0),
        Map.of("S", level, "X", "low"),
        own,
        null,
        scenario.origin("contexts", 0),
        new byte[0]);
  }

  private Decision decided(ContextEvent context) {
    scenario.context(context);
    return scenario.log.decisions.get(0);
  }

  private Decision restored(Decision decision, ContextEvent context) {
    return FeaturesOfContext.in(decision, context, TestSpecs.compiled(LINEAR));
  }

  @Test
  void thoseOfAPersonComeBack() {
    ContextEvent context = context("b", null);
    Decision whole = decided(context);
    assertEquals(List.of(1.0, 0.0), whole.features());
    assertEquals(whole, restored(whole.withFeatures(null, null), context));
  }

  @Test
  void thoseOfArmsThatTheRequestBroughtComeBack() {
    CandidateArm own = new CandidateArm("mine", Map.of("topic", "sport", "price", 7.25));
    ContextEvent context = context("a", List.of(own));
    Decision whole = decided(context);
    assertNotNull(whole.candidateFeatures());
    assertEquals(whole, restored(whole.withFeatures(null, null), context));
  }

  @Test
  void aContextThatCannotBeDecidedAboutIsNoneOfThem() {
    Decision bare = decided(context("a", null)).withFeatures(null, null);
    for (ContextEvent other :
        List.of(context("nobody", null), context("a", List.<CandidateArm>of()))) {
      ReplayMismatchException thrown =
          assertThrows(ReplayMismatchException.class, () -> restored(bare, other));
      assertTrue(thrown.getMessage().contains("could not be decided about"), thrown.getMessage());
    }
  }

  @Test
  void theOracleAsksForThem() {
    decided(context("a", null));
    Decision bare = scenario.log.decisions.get(0).withFeatures(null, null);
    ReplayOracle replayOracle = new ReplayOracle(scenario.book);
    replayOracle.onSegmentEvent(scenario.log.segmentEvents.get(0));
    ReplayMismatchException thrown =
        assertThrows(ReplayMismatchException.class, () -> replayOracle.onDecision(bare));
    assertTrue(thrown.getMessage().contains("leaves its features off"), thrown.getMessage());
  }
}
