package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.policy.bestarm.Design.Quota;
import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocatorTest {
  private static final double OPTIMUM = 1e-7;

  static Stream<String> instances() {
    return InstanceTablesTest.all();
  }

  @ParameterizedTest
  @MethodSource("instances")
  void theOptimumIsThatOfTheReferenceInEveryMode(String name) {
    JsonNode levels = Fixtures.json("tables-" + name).get("vstar");
    CsrModel model = Fixtures.model(name);
    for (int samples : new int[] {2000, 6000, 10_000}) {
      JsonNode wanted = levels.get(Integer.toString(samples));
      assertLevel(wanted.get("separate"), model, Mode.SEPARATE, SearchStage.JOINT, samples);
      assertLevel(wanted.get("separate"), model, Mode.POOLED, SearchStage.JOINT, samples);
      assertLevel(wanted.get("natural"), model, Mode.NATURAL, SearchStage.JOINT, samples);
      assertLevel(
          wanted.get("stage1_fair_only"), model, Mode.SEPARATE, SearchStage.FAIRNESS, samples);
      assertLevel(wanted.get("stage2_Y_only"), model, Mode.SEPARATE, SearchStage.REWARD, samples);
    }
  }

  private static void assertLevel(
      JsonNode wanted, CsrModel model, Mode mode, SearchStage searchStage, int samples) {
    Costs costs = Costs.paper(model.arms(), 0, samples);
    DivergenceTables divergenceTables = DivergenceTables.of(model, FairnessEstimate.COUNTERFACTUAL);
    Allocation found =
        new Allocator(model, divergenceTables, costs, mode)
            .allocate(searchStage, all(model.arms()));
    double level = wanted.asDouble();
    assertEquals(level, found.level(), OPTIMUM * level);
    assertFeasible(found, costs);
    if (mode == Mode.SEPARATE && searchStage == SearchStage.JOINT) {
      assertBoundedByDuals(found.level(), divergenceTables, costs);
    }
  }

  private static void assertFeasible(Allocation allocation, Costs costs) {
    double sum = 0;
    double cost = 0;
    for (double[] ofType : allocation.shares()) {
      for (int arm = 0; arm < ofType.length; arm++) {
        assertTrue(ofType[arm] >= 0);
        sum += ofType[arm];
        cost += ofType[arm] * costs.of(arm);
      }
    }
    assertEquals(1, sum, 1e-9);
    assertTrue(cost <= costs.budget() + 1e-9, cost + " is above " + costs.budget());
  }

  /** Any y on the simplex and lambda >= 0 bound v from above: w + lambda B. */
  private static void assertBoundedByDuals(
      double level, DivergenceTables divergenceTables, Costs costs) {
    SplittableRandom random = new SplittableRandom(7);
    double[][][] tables = {
      divergenceTables.reward(), divergenceTables.ofS(), divergenceTables.ofPrime()
    };
    for (int round = 0; round < 50; round++) {
      double[][] y = new double[3][costs.arms()];
      double total = 0;
      for (double[] row : y) {
        for (int k = 0; k < row.length; k++) {
          row[k] = random.nextInt(4) == 0 ? random.nextDouble() : 1e-6;
          total += row[k];
        }
      }
      double price = round % 2 == 0 ? 0 : random.nextDouble();
      double greatest = 0;
      for (int type = 0; type < 3; type++) {
        for (int j = 0; j < costs.arms(); j++) {
          double column = -price * costs.of(j);
          for (int k = 0; k < costs.arms(); k++) {
            column += y[type][k] / total / tables[type][k][j];
          }
          greatest = Math.max(greatest, column);
        }
      }
      assertTrue(level <= greatest + price * costs.budget() + 1e-12);
    }
  }

  private static BitSet all(int arms) {
    BitSet all = new BitSet();
    all.set(0, arms);
    return all;
  }

  @Test
  void wholePullsSumToThePhaseStayWithinBudgetAndFollowTheShares() {
    for (String name : new String[] {"loose", "hepar2"}) {
      for (Mode mode : Mode.values()) {
        Design design = Fixtures.design(Fixtures.model(name), Algorithm.CSR_V2, mode, 4000, .2);
        Costs costs = design.costs();
        double spent = 0;
        for (Phase phase : design.plan()) {
          Allocation allocation = design.allocate(phase, design.arms());
          int[][] counts = design.quota(phase, allocation);
          int sum = 0;
          for (int type = 0; type < counts.length; type++) {
            for (int arm = 0; arm < counts[type].length; arm++) {
              sum += counts[type][arm];
              double exact = allocation.shares()[type][arm] * phase.pulls();
              assertTrue(counts[type][arm] < exact + 1 || arm == 0, "rounded up by one at most");
            }
          }
          assertEquals(phase.pulls(), sum);
          assertTrue(costs.total(counts) <= costs.budget() * phase.pulls() + 1e-9);
          spent += costs.total(counts);
        }
        assertTrue(spent <= costs.budget() * 4000);
      }
    }
  }

  /** The simplex method may be led astray by rounding in one form, hardly in both alike. */
  @Test
  void bothFormsOfTheProgramFindTheSameOptimumWhicheverArmsAreLeft() {
    SplittableRandom random = new SplittableRandom(11);
    for (String name : instances().toList()) {
      CsrModel model = Fixtures.model(name);
      for (int round = 0; round < 8; round++) {
        BitSet left = new BitSet();
        left.set(random.nextInt(model.arms()));
        double keep = random.nextDouble();
        for (int arm = 0; arm < model.arms(); arm++) {
          left.set(arm, left.get(arm) || random.nextDouble() < keep);
        }
        Mode mode = random.nextBoolean() ? Mode.SEPARATE : Mode.NATURAL;
        Costs costs = Costs.paper(model.arms(), 0, 2000 + random.nextInt(8000));
        DivergenceTables divergenceTables =
            DivergenceTables.of(model, FairnessEstimate.COUNTERFACTUAL);
        Allocator allocator = new Allocator(model, divergenceTables, costs, mode);
        SearchStage searchStage = List.of(SearchStage.values()).get(random.nextInt(3));
        double first =
            allocator.allocate(searchStage, left, List.of(LinearProgram.MAX_MIN)).level();
        double second = allocator.allocate(searchStage, left, List.of(LinearProgram.GAME)).level();
        double start = allocator.allocate(searchStage, left, List.of()).level();
        String where = name + " " + mode + " " + searchStage + " " + left;
        assertEquals(first, second, OPTIMUM * first, where);
        assertTrue(start > 0 && start <= first, where);
      }
    }
  }

  @Test
  void anArmThatIsOutMayStillBeSampled() {
    Design design =
        Fixtures.design(Fixtures.model("loose"), Algorithm.CSR_V2, Mode.NATURAL, 4000, .2);
    BitSet onlyLast = new BitSet();
    onlyLast.set(29);
    Allocation allocation = design.allocate(design.plan().get(0), onlyLast);
    assertTrue(allocation.shares()[0][0] > .9, "the free arm is what the budget buys");
    assertTrue(allocation.level() > design.allocate(design.plan().get(0), design.arms()).level());
  }

  @Test
  void equalRemaindersGoToTheFirstTypeAndArm() {
    double[][] shares = {{.25, 0}, {.25, 0}, {.25, .25}};
    Costs free = new Costs(new double[] {0, 0}, 0);
    int[][] counts = Quota.of(new Allocation(1, shares), 6, free);
    assertEquals(2, counts[0][0]);
    assertEquals(2, counts[1][0]);
    assertEquals(1, counts[2][0]);
    assertEquals(1, counts[2][1]);
  }
}
