package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.segment.LoggedSegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpecArmsTest {
  private final SpecArms arms = new SpecArms();

  @Test
  void aDecisionAmongTheArmsOfTheSpecWaitsForItsAdoption() {
    LoggedSegment segment = LoggedSegment.of("epsilon-greedy, epsilon: 0.1");
    Decision decision = segment.decision();
    assertEquals(Optional.empty(), arms.propensities(decision));
    segment.events().forEach(arms::on);
    Map<String, Double> propensities = arms.propensities(decision).orElseThrow();
    assertEquals(List.of("A=left", "A=right"), List.copyOf(propensities.keySet()));
    assertEquals(1, propensities.values().stream().mapToDouble(each -> each).sum(), 1e-12);
    assertEquals(0.95, propensities.get(decision.arm()), 1e-12);
  }

  @Test
  void aDeterministicDecisionListsNothingAndHasOneForItsArm() {
    LoggedSegment segment = LoggedSegment.of("ucb");
    segment.events().forEach(arms::on);
    assertEquals(List.of(), segment.decision().propensities().values());
    assertEquals(
        Map.of("A=left", 1.0, "A=right", 0.0), arms.propensities(segment.decision()).orElseThrow());
  }

  @Test
  void runsAreExpandedOverTheCandidatesOfTheRequest() {
    Decision own = LoggedSegment.of("ucb").decision();
    own = Tamper.with(own, "candidates", List.of("a", "b", "c", "d"));
    own = Tamper.with(own, "propensities.values", List.of(0.125, 0.5));
    own = Tamper.with(own, "propensities.runs", List.of(2, 1));
    Decision tooFew = own;
    assertThrows(IllegalArgumentException.class, () -> arms.propensities(tooFew));
    own = Tamper.with(own, "propensities.runs", List.of(3, 1));
    assertEquals(
        Map.of("a", 0.125, "b", 0.125, "c", 0.125, "d", 0.5), arms.propensities(own).orElseThrow());
  }

  @Test
  void aRejectedContextHasItsArmAlone() {
    Decision rejected =
        Tamper.with(LoggedSegment.of("ucb").decision(), "reason", DecisionReason.REJECTED);
    assertEquals(Map.of("A=left", 1.0), arms.propensities(rejected).orElseThrow());
    Decision none = Tamper.with(rejected, "arm", null);
    assertEquals(Map.of(), arms.propensities(none).orElseThrow());
  }
}
