package io.equipoise.lab.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.Person;
import io.equipoise.tools.simulate.Simulation;
import io.equipoise.tools.simulate.SimulationRun;
import io.equipoise.tools.simulate.SimulationSettings;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClickWorldsTest {
  private static final String LINUCB = "name: linucb, model: shared";
  private static final String HARD = LINUCB + ", constraint: hard, theta-norm: 1";

  @Test
  void thirtyWorldsHaveSpecsThatCompileAndMeansThatAreProbabilities() {
    List<ClickWorld> worlds = ClickWorlds.all();
    Set<String> names = new HashSet<>();
    for (ClickWorld world : worlds) {
      names.add(world.name());
      ClickRun uniform = world.rounds(1, 300).uniform();
      assertTrue(uniform.regret() > 0, world.name());
      new PolicyPlayer(world.spec(LINUCB), 1);
      new PolicyPlayer(world.spec("name: screen"), 1);
      new PolicyPlayer(world.spec(HARD), 1);
    }
    assertEquals(30, names.size());
  }

  @Test
  void theMachineOfTheJobPlaysAWorldAsThePlayerDoes() {
    ClickWorld world = named("shop");
    String text = world.spec(LINUCB);
    CompiledSpec spec = SpecParser.parse(text, CompiledSpec::of);
    World truth = World.of(spec.spec(), WorldFile.parse("shop", world.truth()), null);
    SimulationRun machine =
        new Simulation(spec, truth, new SimulationSettings(2_000, 1, 1, 0, 1)).run(1);
    ClickRun player = world.rounds(1, 2_000).play(new PolicyPlayer(text, 1));
    // the same people; clicks of another stream
    assertEquals(machine.last().reward(), player.reward(), 0.15 * player.reward());
  }

  @Test
  void onlyOfferedArmsArePlayedAndLearned() {
    ClickWorld world = named("r02-a48-changing");
    Set<Integer> played = new HashSet<>();
    ClickPlayer<Integer> first =
        new ClickPlayer<>() {
          @Override
          public Played<Integer> choose(int round, Person person, int[] offered) {
            assertEquals(6, offered.length);
            assertEquals(round / 400, offered[0]);
            return new Played<>(offered[0], false, offered[0]);
          }

          @Override
          public void learn(Integer arm, double reward) {
            played.add(arm);
          }
        };
    world.rounds(1, 1_201).play(first);
    assertEquals(Set.of(0, 1, 2), played);
    assertTrue(world.rounds(1, 1_000).play(new PolicyPlayer(world.spec(LINUCB), 1)).reward() > 0);
  }

  @Test
  void rewardsAreLearnedAfterTheDelay() {
    ClickWorld world = named("r08-a12-unfair");
    int[] learned = {0};
    ClickPlayer<Integer> last =
        new ClickPlayer<>() {
          @Override
          public Played<Integer> choose(int round, Person person, int[] offered) {
            assertEquals(Math.max(0, round - world.delay()), learned[0]);
            return new Played<>(11, false, round);
          }

          @Override
          public void learn(Integer round, double reward) {
            assertEquals(learned[0]++, round);
          }
        };
    world.rounds(1, 100).play(last);
    assertEquals(60, world.delay());
  }

  private static ClickWorld named(String name) {
    return ClickWorlds.all().stream()
        .filter(world -> world.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
