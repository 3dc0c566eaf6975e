package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.AdultCommand.Edge;
import io.equipoise.lab.Outcome.Run;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Checks;
import io.equipoise.policy.linear.LinearPolicyName;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdultChecksTest {
  private static final int ROUNDS = 5000;
  private static final String TWINS = "twin f-ucb tau 0.1 - d-ucb, edge sex -> income";

  private final Checks checks = new Checks();

  /** Checks trials whose decisions that treat twins apart are these. */
  private void check(int rounds, int[] ofFairUcb, int[] ofDirectUcb) {
    Outcome outcome = new Outcome(new double[] {.1}, new Runs<>(new LinkedHashMap<>()));
    for (PolicyName policy :
        List.of(
            TabularPolicyName.C_UCB,
            TabularPolicyName.D_UCB,
            TabularPolicyName.F_UCB,
            LinearPolicyName.FAIR_LINUCB)) {
      int[] twins = policy == TabularPolicyName.F_UCB ? ofFairUcb : ofDirectUcb;
      List<Trial> trials =
          Arrays.stream(twins)
              .mapToObj(twin -> new Trial(new double[rounds], new int[1], new int[] {twin}, 0))
              .toList();
      outcome.add(Run.of(policy, 0), trials);
    }
    new AdultChecks(Edge.SEX_TO_INCOME, outcome, rounds, checks).add();
  }

  private Check twins() {
    return checks.all().stream()
        .filter(check -> check.name().equals(TWINS))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fUcbMayExceedDUcbByThreeStandardErrorsOfTheDifferenceTrialByTrial() {
    check(ROUNDS, new int[] {1060, 44}, new int[] {1053, 49});
    Check check = twins();
    assertEquals(1, check.value());
    assertEquals(-ROUNDS, check.low());
    assertEquals(3 * 6, check.high(), 1e-9, "differences of 7 and -5");
    assertTrue(check.ok());
  }

  @Test
  void moreIsAFailure() {
    check(ROUNDS, new int[] {60, 71}, new int[] {50, 60});
    assertEquals(10.5, twins().value());
    assertFalse(twins().ok());
  }

  @Test
  void oneTrialHasNoSpreadAndIsSkipped() {
    check(ROUNDS, new int[] {54}, new int[] {53});
    assertTrue(
        checks.skipped().stream().anyMatch(skip -> skip.name().equals(TWINS)),
        () -> checks.skipped().toString());
  }

  @Test
  void shorterRunsAreSkipped() {
    check(300, new int[] {54, 54}, new int[] {53, 52});
    assertTrue(
        checks.skipped().stream().anyMatch(skip -> skip.name().equals(TWINS)),
        () -> checks.skipped().toString());
  }
}
