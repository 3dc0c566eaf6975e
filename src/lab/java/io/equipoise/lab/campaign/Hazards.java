package io.equipoise.lab.campaign;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Builds small worlds, each with one structure under which a comparison of groups is not the
 * effect. Causes are so strong that a certificate which overlooks the structure is soon false.
 *
 * @param link from a score around 0.5 to the expected reward, so that the reward suits the model
 * @param noise of a reward, 0 for rewards of 0 and 1
 */
record Hazards(DoubleUnaryOperator link, double noise) {
  /** For models that take any mean. */
  static final Hazards LINEAR = new Hazards(WorldBuilder::clipped, 0);

  private static final List<String> MISSING = List.of("level", "marginalize");
  private static final double DISCLOSED = 0.7;

  /**
   * Returns a world in which people may not disclose a variable that causes the audited attribute,
   * follows from it, or shares a cause with it.
   *
   * @param isSelective whether people of one level disclose it less often than of the other
   * @param isOfAttribute whether it may be the audited attribute itself that is not disclosed
   */
  StructuralModel undisclosed(Chance chance, boolean isOfAttribute, boolean isSelective) {
    WorldBuilder world = new WorldBuilder(chance);
    double fidelity = chance.uniform(0.8, 0.95);
    Role role = chance.hits(0.5) ? Role.CONTEXT : Role.SENSITIVE;
    int other;
    int audited;
    switch (chance.below(3)) {
      case 0 -> {
        other = world.coin("X", role);
        audited = world.copy("S", Role.SENSITIVE, other, fidelity);
      }
      case 1 -> {
        audited = world.coin("S", Role.SENSITIVE);
        other = world.copy("X", role, audited, fidelity);
      }
      default -> {
        int hidden = world.coin("U", Role.HIDDEN);
        other = world.copy("X", role, hidden, fidelity);
        audited = world.copy("S", Role.SENSITIVE, hidden, fidelity);
      }
    }
    double[] disclosed = {DISCLOSED, DISCLOSED};
    if (isSelective) {
      disclosed = new double[] {chance.uniform(0.2, 0.9), chance.uniform(0.2, 0.9)};
    }
    if (isOfAttribute && chance.hits(0.5)) {
      world.undisclosed(audited, disclosed, "level");
    } else {
      world.undisclosed(other, disclosed, chance.oneOf(MISSING));
    }
    int action = world.action(2);
    double own = chance.uniform(0.25, 0.35);
    double cancels = own * chance.uniform(0.8, 1.3);
    return world.rewarded(
        l ->
            link.applyAsDouble(
                0.5 + cancels * (l[other] - 0.5) - own * (l[audited] - 0.5) + 0.03 * l[action]),
        noise,
        other,
        audited,
        action);
  }

  /**
   * Returns a world in which what people may not disclose acts through a mediator, whose
   * distribution is then that of people of whom the rest is known.
   */
  StructuralModel undisclosedCause(Chance chance, boolean isSelective) {
    WorldBuilder world = new WorldBuilder(chance);
    double fidelity = chance.uniform(0.8, 0.95);
    boolean isCause = chance.hits(0.5);
    int first = world.coin(isCause ? "X" : "S", isCause ? Role.CONTEXT : Role.SENSITIVE);
    int second =
        world.copy(isCause ? "S" : "X", isCause ? Role.SENSITIVE : Role.CONTEXT, first, fidelity);
    int other = isCause ? first : second;
    int audited = isCause ? second : first;
    double[] disclosed =
        isSelective
            ? new double[] {chance.uniform(0.2, 0.9), chance.uniform(0.2, 0.9)}
            : new double[] {DISCLOSED, DISCLOSED};
    world.undisclosed(other, disclosed, chance.oneOf(MISSING));
    int action = world.action(2);
    int mediator =
        world.add(
            "M",
            Role.MEDIATOR,
            2,
            new double[][] {{0.9, 0.1}, {0.85, 0.15}, {0.15, 0.85}, {0.1, 0.9}},
            other,
            action);
    double own = chance.hits(0.5) ? chance.uniform(0.1, 0.3) : 0;
    double gain = chance.uniform(0.3, 0.5);
    int[] paid = own == 0 ? new int[] {mediator} : new int[] {mediator, audited};
    return world.rewarded(
        l -> link.applyAsDouble(0.5 + gain * (l[mediator] - 0.5) - own * (l[audited] - 0.5)),
        noise,
        paid);
  }

  /** Returns a world with two mediators that a hidden cause joins, so that their tables mislead. */
  StructuralModel joined(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int hidden = world.coin("U", Role.HIDDEN);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    int action = world.action(3 + chance.below(2));
    double p = Chance.rounded(chance.uniform(0.8, 0.98));
    double q = Chance.rounded(1 - p);
    int arms = world.node(action).levels().size();
    double[][] flips = new double[4 * arms][];
    for (int row = 0; row < flips.length; row++) {
      boolean isSame = row % 2 == row / (2 * arms);
      flips[row] = isSame ? new double[] {p, q} : new double[] {q, p};
    }
    int first = world.add("M0", Role.MEDIATOR, 2, flips, attribute, action, hidden);
    int second = world.copy("M1", Role.MEDIATOR, hidden, p);
    double gain = chance.uniform(0.2, 0.4);
    return world.rewarded(
        l -> link.applyAsDouble(0.5 + (l[first] == l[second] ? gain : -gain)),
        noise,
        first,
        second);
  }

  /** Returns a world in which a hidden cause acts on a disclosed value and on its consequences. */
  StructuralModel confounded(Chance chance) {
    return switch (chance.below(3)) {
      case 0 -> attributeAndReward(chance);
      case 1 -> followerAndReward(chance);
      default -> attributeAndMediator(chance);
    };
  }

  private StructuralModel attributeAndReward(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int hidden = world.coin("U", Role.HIDDEN);
    int attribute = world.copy("S", Role.SENSITIVE, hidden, chance.uniform(0.8, 0.95));
    int action = world.action(2);
    double gain = chance.uniform(0.3, 0.5);
    double own = chance.uniform(0.25, 0.45);
    return world.rewarded(
        l ->
            link.applyAsDouble(
                0.5 + gain * (l[hidden] - 0.5) - own * (l[attribute] - 0.5) + 0.02 * l[action]),
        noise,
        hidden,
        attribute,
        action);
  }

  private StructuralModel followerAndReward(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int hidden = world.coin("U", Role.HIDDEN);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    double p = Chance.rounded(chance.uniform(0.8, 0.95));
    double q = Chance.rounded(1 - p);
    double[][] follows = {{p, q}, {q, p}, {0.5, 0.5}, {0.5, 0.5}};
    int follower = world.add("X", Role.CONTEXT, 2, follows, attribute, hidden);
    int action = world.action(2);
    double gain = chance.uniform(0.4, 0.6);
    double own = chance.uniform(0.15, 0.27);
    return world.rewarded(
        l -> link.applyAsDouble(0.2 + gain * l[hidden] + own * l[attribute] + 0.02 * l[action]),
        noise,
        hidden,
        attribute,
        follower,
        action);
  }

  private StructuralModel attributeAndMediator(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    double fidelity = chance.uniform(0.8, 0.95);
    int hidden = world.coin("U", Role.HIDDEN);
    int attribute = world.copy("S", Role.SENSITIVE, hidden, fidelity);
    int action = world.action(2);
    int mediator = world.copy("M", Role.MEDIATOR, hidden, fidelity);
    double gain = chance.uniform(0.4, 0.55);
    double own = chance.uniform(0.25, 0.45);
    return world.rewarded(
        l ->
            link.applyAsDouble(
                0.5 + gain * (l[mediator] - 0.5) - own * (l[attribute] - 0.5) + 0.02 * l[action]),
        noise,
        attribute,
        action,
        mediator);
  }

  /** Returns a world of two rates of success, for rewards that come as successes only. */
  StructuralModel rates(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    int action = world.action(2);
    double low = chance.uniform(0.1, 0.25);
    double high = low + chance.uniform(0.2, 0.4);
    return world.rewarded(
        l -> link.applyAsDouble((l[attribute] == 0 ? high : low) + 0.02 * l[action]),
        noise,
        attribute,
        action);
  }
}
