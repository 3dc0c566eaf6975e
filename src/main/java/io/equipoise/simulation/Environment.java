package io.equipoise.simulation;

import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A simulated segment over a {@link StructuralModel}. It draws people, returns mediators and a
 * reward for an arm, and computes the truth exactly: mu(x, a), and Delta(x, a), the difference
 * between mu in the worlds s+ and s- (Huang et al. 2022, eq. 8 and 9).
 */
public final class Environment {
  private final StructuralModel model;
  private final List<Node> features;
  private final List<Node> actions;
  private final List<int[]> arms;
  private final int sensitivePlace;
  private final int followerPlace;
  private final Map<List<Integer>, double[]> means = new HashMap<>();

  /** Takes the arms as levels of the actions, in their order. */
  public Environment(StructuralModel model, List<int[]> arms) {
    this.model = model;
    features = model.features();
    actions = model.of(Role.ACTION);
    this.arms = List.copyOf(arms);
    sensitivePlace = features.indexOf(model.of(Role.SENSITIVE).get(0));
    followerPlace = follower();
  }

  /** Returns the features in the order of a context. */
  public List<Node> features() {
    return features;
  }

  /** Returns the mediators in the order of {@link Round#uniforms}, parents first. */
  public List<Node> mediators() {
    return model.nodes().stream().filter(node -> node.role() == Role.MEDIATOR).toList();
  }

  public int arms() {
    return arms.size();
  }

  /** Draws rounds from the stream of a seed. */
  public List<Round> rounds(int count, long seed) {
    SplitMix random = new SplitMix(seed);
    int size = mediators().size();
    List<Round> rounds = new ArrayList<>(count);
    for (int t = 0; t < count; t++) {
      int[] context = levels(features, model.person(random::nextDouble));
      double[] uniforms = DoubleStream.generate(random::nextDouble).limit(size).toArray();
      rounds.add(new Round(context, uniforms, model.noise() * random.nextGaussian()));
    }
    return rounds;
  }

  /** The outcome of an arm: the levels of the mediators as declared, and the reward. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record SimulatedOutcome(int[] mediators, double reward) {}

  /** Returns the outcome of an arm in a round. */
  public SimulatedOutcome answer(Round round, int arm) {
    int[] levels = levels(round.context(), arm);
    model.draw(levels, Arrays.stream(round.uniforms()).iterator()::nextDouble, Role.MEDIATOR);
    int[] observed = levels(model.of(Role.MEDIATOR), levels);
    return new SimulatedOutcome(observed, model.mean(levels) + round.noise());
  }

  private static int[] levels(List<Node> nodes, int[] levels) {
    return nodes.stream().mapToInt(node -> levels[node.place()]).toArray();
  }

  /** Returns mu(x, a) for every arm. */
  public double[] means(int[] context) {
    return means.computeIfAbsent(
        Arrays.stream(context).boxed().toList(),
        key ->
            IntStream.range(0, arms.size())
                .mapToDouble(arm -> model.expected(levels(context, arm)))
                .toArray());
  }

  /** Returns Delta(x, a): the mean of the same arm under s+ minus that under s-. */
  public double effect(int[] context, int arm) {
    double other = 0;
    for (Twin twin : twins(context)) {
      other += twin.chance() * means(twin.context())[arm];
    }
    double here = means(context)[arm];
    return context[sensitivePlace] == 1 ? here - other : other - here;
  }

  /**
   * Returns the person's twins. A feature that follows the sensitive attribute has two levels and
   * one uniform number V, the same in both worlds: its level is 1 if V is below its probability.
   */
  public List<Twin> twins(int[] context) {
    int[] other = with(context, sensitivePlace, 1 - context[sensitivePlace]);
    if (followerPlace < 0) {
      return List.of(new Twin(other, 1));
    }
    Node follower = features.get(followerPlace);
    double here = model.row(follower, levels(context, 0))[1];
    double there = model.row(follower, levels(other, 0))[1];
    double one =
        context[followerPlace] == 1
            ? Math.min(1, there / here)
            : Math.max(0, (there - here) / (1 - here));
    return List.of(
        new Twin(with(other, followerPlace, 0), 1 - one),
        new Twin(with(other, followerPlace, 1), one));
  }

  /** Returns whether the sensitive attribute is a cause of a feature. */
  public boolean hasFollower() {
    return followerPlace >= 0;
  }

  /** Returns the index of the feature that the sensitive attribute causes, or -1. */
  private int follower() {
    Node sensitive = features.get(sensitivePlace);
    int place = -1;
    for (int i = 0; i < features.size(); i++) {
      Node feature = features.get(i);
      boolean isChild = feature.hasParent(sensitive.place());
      boolean isGrandchild = place >= 0 && feature.hasParent(features.get(place).place());
      if (isGrandchild || (isChild && (place >= 0 || feature.levels().size() != 2))) {
        throw new IllegalArgumentException(
            "only one feature of two levels may follow " + sensitive.name());
      }
      place = isChild ? i : place;
    }
    return place;
  }

  /** Returns the level of the sensitive attribute. */
  public int sensitive(int[] context) {
    return context[sensitivePlace];
  }

  /** Returns the joint level of the parents of the reward, which a person and an arm have. */
  public int cell(int[] context, int arm) {
    return model.cell(model.rewardParents(), levels(context, arm));
  }

  /** Returns the number of levels of all attributes of people and arms. */
  public int indicators() {
    return count(features) + count(actions);
  }

  private static int count(List<Node> nodes) {
    return nodes.stream().mapToInt(node -> node.levels().size()).sum();
  }

  /** Returns all attributes of a person and an arm one-hot, people's first. */
  public double[] indicators(int[] context, int arm) {
    double[] x = new double[indicators()];
    int first = 0;
    for (int i = 0; i < context.length; i++) {
      x[first + context[i]] = 1;
      first += features.get(i).levels().size();
    }
    for (int i = 0; i < actions.size(); i++) {
      x[first + arms.get(arm)[i]] = 1;
      first += actions.get(i).levels().size();
    }
    return x;
  }

  /**
   * A person with the other value of the sensitive attribute. If a feature follows the attribute,
   * there is one twin for each of its values, else there is one twin.
   *
   * @param chance the twin's probability, given the person
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Twin(int[] context, double chance) {}

  private static int[] with(int[] context, int place, int level) {
    int[] changed = context.clone();
    changed[place] = level;
    return changed;
  }

  private int[] levels(int[] context, int arm) {
    int[] levels = new int[model.nodes().size()];
    for (int i = 0; i < context.length; i++) {
      levels[features.get(i).place()] = context[i];
    }
    for (int i = 0; i < actions.size(); i++) {
      levels[actions.get(i).place()] = arms.get(arm)[i];
    }
    return levels;
  }
}
