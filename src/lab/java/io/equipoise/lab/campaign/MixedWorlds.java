package io.equipoise.lab.campaign;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Draws random graphs that may have every structure at once: hidden causes between any two
 * variables, followers, mediators of mediators, and variables that people may not disclose. A spec
 * of many of them is refused; in the others every statement must be true.
 */
final class MixedWorlds {
  private static final List<String> MISSING = List.of("level", "marginalize");
  private static final double DISCLOSED = 0.7;
  private static final double EDGE = 0.4;

  private final Chance chance;
  private final WorldBuilder world;
  private final List<List<Integer>> effects = new ArrayList<>();

  private MixedWorlds(Chance chance) {
    this.chance = chance;
    world = new WorldBuilder(chance);
  }

  /**
   * Returns a world.
   *
   * @param mediators at most so many
   * @param link from an additive score around 0.5 to the expected reward
   */
  static StructuralModel random(Chance chance, int mediators, DoubleUnaryOperator link) {
    return new MixedWorlds(chance).world(mediators, link);
  }

  private StructuralModel world(int mediators, DoubleUnaryOperator link) {
    int people = 2 + chance.below(2);
    int following = chance.below(mediators + 1);
    int ends = people + following + 1;
    int hidden = chance.below(3);
    for (int i = 0; i < ends; i++) {
      effects.add(new ArrayList<>());
    }
    for (int i = 0; i < hidden; i++) {
      int place = world.coin("U" + i, Role.HIDDEN);
      int first = chance.below(ends);
      int second = (first + 1 + chance.below(ends - 1)) % ends;
      effects.get(first).add(place);
      effects.get(second).add(place);
    }
    List<Integer> before = new ArrayList<>();
    for (int i = 0; i < people; i++) {
      boolean isSensitive = i == 0 || chance.hits(0.4);
      Role role = isSensitive ? Role.SENSITIVE : Role.CONTEXT;
      int place = world.random((isSensitive ? "S" : "X") + i, role, 2, causes(i, before));
      if (chance.hits(0.25)) {
        world.undisclosed(place, DISCLOSED, chance.oneOf(MISSING));
      }
      before.add(place);
    }
    int action = world.action(2);
    before.add(action);
    effects.get(ends - 1).add(action);
    for (int i = people; i < people + following; i++) {
      effects.get(i).add(action);
      before.add(world.random("M" + i, Role.MEDIATOR, 2, causes(i, before)));
    }
    return rewarded(ends - 1, before, link);
  }

  /**
   * Returns the causes of the i-th: its hidden ones, the action where it has it, and some others.
   */
  private int[] causes(int i, List<Integer> before) {
    List<Integer> causes = new ArrayList<>(effects.get(i));
    for (int place : before) {
      if (!causes.contains(place) && causes.size() < 4 && chance.hits(EDGE)) {
        causes.add(place);
      }
    }
    return causes.stream().mapToInt(place -> place).toArray();
  }

  private StructuralModel rewarded(int end, List<Integer> before, DoubleUnaryOperator link) {
    int[] parents = causes(end, before);
    double[] gains = new double[parents.length];
    for (int i = 0; i < gains.length; i++) {
      gains[i] = chance.sign() * chance.uniform(0.1, 0.4) * Math.min(1, 2.2 / gains.length);
    }
    return world.rewarded(
        levels -> {
          double score = 0.5;
          for (int i = 0; i < gains.length; i++) {
            score += gains[i] * (levels[parents[i]] - 0.5);
          }
          return link.applyAsDouble(score);
        },
        0,
        parents);
  }
}
