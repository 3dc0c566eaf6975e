package io.equipoise.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationRun.Group;
import io.equipoise.tools.simulate.SimulationRun.Pair;
import io.equipoise.tools.simulate.SimulationRun.Point;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
  private static final String BEST_ARM = "/io/equipoise/segment/best-offer.yaml";
  private static final WorldFile WORLD = WorldFile.parse("world", SimulationSpecs.WORLD);

  private static SimulationRun run(CompiledSpec spec, SimulationSettings settings, long seed) {
    World world = World.of(spec.spec(), WORLD, null);
    return new Simulation(spec, world, settings).run(seed);
  }

  @Test
  void equalSeedsGiveEqualRunsAndOthersDiffer() {
    SimulationSettings settings = SimulationSettings.of(500);
    SimulationRun first = run(SimulationSpecs.cells(), settings, 1);
    assertEquals(first, run(SimulationSpecs.cells(), settings, 1));
    assertNotEquals(
        first.last().reward(), run(SimulationSpecs.cells(), settings, 2).last().reward());
  }

  static Stream<CompiledSpec> families() {
    return Stream.of(
        SimulationSpecs.cells(),
        SimulationSpecs.ridge(),
        SimulationSpecs.logistic(),
        SimulationSpecs.allocation());
  }

  @ParameterizedTest
  @MethodSource("families")
  void everyFamilyPlaysAndLearns(CompiledSpec spec) {
    SimulationRun run = run(spec, SimulationSettings.of(2_000), 1);
    assertEquals(2_000, run.last().decisions());
    assertEquals(1_999, run.learned()); // the last reward comes after the last decision
    assertEquals(2_000, run.armDecisions().stream().mapToInt(it -> it).sum());
    assertEquals(50, run.points().size());
  }

  @Test
  void theBetterFairArmIsPlayedMost() {
    SimulationRun run = run(SimulationSpecs.of("{name: linucb}"), SimulationSettings.of(5_000), 1);
    List<Integer> arms = run.armDecisions();
    assertTrue(arms.get(1) > 4_000, arms::toString);
  }

  @Test
  void anExperimentEndsAndServesItsRecommendation() throws Exception {
    String text =
        new String(
            Objects.requireNonNull(getClass().getResourceAsStream(BEST_ARM)).readAllBytes(),
            StandardCharsets.UTF_8);
    CompiledSpec spec = CompiledSpec.of(SpecParser.parse(text));
    WorldFile world = WorldFile.parse("world", "effects: [{offer: big, effect: 0.3}]");
    SimulationSettings settings = new SimulationSettings(Tier.count(12_000, 20_000), 2, 10, 0, 1);
    SimulationRun run = new Simulation(spec, World.of(spec.spec(), world, null), settings).run(1);
    Point middle = run.points().get(0);
    double late = run.last().reward() - middle.reward();
    assertTrue(late > middle.reward() + 500, () -> middle + " then " + run.last());
  }

  @Test
  void certificatesAndUnfairDecisionsFollowTheTruth() {
    SimulationRun run =
        run(SimulationSpecs.ridge(), SimulationSettings.of(Tier.count(5_000, 10_000)), 1);
    assertEquals(0, run.falseCertificates());
    int first = run.firstCertificates().getOrDefault(new Pair("offer=standard", "gender"), 0);
    assertTrue(first > 100, run.firstCertificates()::toString);
    assertEquals(0, run.firstCertificates().getOrDefault(new Pair("offer=large", "gender"), 0));
    assertEquals(run.armDecisions().get(2), run.last().unfair());
    assertTrue(run.firstCertified() > 0 && run.firstCertified() <= first);
    assertTrue(run.last().certified() > 0 && run.last().fallback() > 0, run::toString);
  }

  @Test
  void regretIsLostToTheBestFairArm() {
    SimulationRun run = run(SimulationSpecs.cells(), SimulationSettings.of(1_000), 3);
    List<Integer> arms = run.armDecisions();
    List<Group> groups = run.last().groups();
    double women = 0.6 * groups.get(0).decisions() - groups.get(0).reward();
    double men = 0.6 * groups.get(1).decisions() - groups.get(1).reward();
    assertEquals(women + men, run.last().regret(), 1e-9);
    assertEquals(1_000, groups.get(0).decisions() + groups.get(1).decisions());
    assertEquals(run.last().regret(), run.last().regretOfBest(), 1e-9);
    assertTrue(run.last().regret() >= 0.1 * arms.get(0), run::toString);
  }

  @Test
  void lateAndMissingRewardsAreNotLearned() {
    CompiledSpec spec = SimulationSpecs.cells();
    SimulationRun delayed = run(spec, new SimulationSettings(2_000, 1, 1, 200, 1), 1);
    assertTrue(delayed.learned() > 1_700 && delayed.learned() < 1_900, delayed::toString);
    SimulationRun half = run(spec, new SimulationSettings(2_000, 1, 1, 0, 0.5), 1);
    assertTrue(half.learned() > 900 && half.learned() < 1_100, half::toString);
  }

  @Test
  void everySpecMeetsTheSamePeople() {
    World cells = World.of(SimulationSpecs.cells().spec(), WORLD, null);
    World ridge = World.of(SimulationSpecs.ridge().spec(), WORLD, null);
    World.People some = cells.people(7);
    World.People others = ridge.people(7);
    World.People ofAnotherSeed = cells.people(8);
    int same = 0;
    for (int i = 0; i < 100; i++) {
      Map<String, Object> attributes = some.next().attributes();
      assertEquals(attributes, others.next().attributes());
      same += attributes.equals(ofAnotherSeed.next().attributes()) ? 1 : 0;
    }
    assertTrue(same < 50, () -> "seeds 7 and 8 have the same people");
  }
}
