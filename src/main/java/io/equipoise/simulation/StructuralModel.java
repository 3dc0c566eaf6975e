package io.equipoise.simulation;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Defines a structural causal model of discrete variables: people, actions, their consequences, and
 * the mean reward. Levels are indices; arrays of levels have an entry for each variable.
 *
 * @param nodes all variables but the reward, causes first; actions come after people's variables
 *     and before mediators
 * @param declared the same in the order of a spec
 * @param rewardParents places of the causes of the reward, hidden ones included
 * @param means the mean reward by the joint level of its parents, the last one fastest
 * @param noise the standard deviation of a reward around its mean; 0 for rewards of 0 and 1
 */
@SuppressWarnings("ArrayRecordComponent") // tables, never compared
public record StructuralModel(
    List<Node> nodes, List<Node> declared, int[] rewardParents, double[] means, double noise) {

  public StructuralModel {
    nodes = List.copyOf(nodes);
    declared = List.copyOf(declared);
  }

  /** Names the role of a variable in a spec. */
  public enum Role {
    /** An unobserved cause, which no spec has. */
    HIDDEN,
    CONTEXT,
    SENSITIVE,
    ACTION,
    MEDIATOR
  }

  /**
   * Defines a variable other than the reward.
   *
   * @param place index among all variables
   * @param levels their names in a spec
   * @param parents places of the causes, which come before it
   * @param rows the probabilities of the levels by the joint level of the parents, the last one
   *     fastest; empty for an action without a table
   * @param disclosed the probability that a person of each level discloses it, if some do not
   * @param missing the spec's rule if people may leave it undisclosed, else null
   * @param numbers the number of each level of a numeric variable, else null
   */
  @SuppressWarnings("ArrayRecordComponent") // tables, never compared
  public record Node(
      int place,
      String name,
      Role role,
      List<String> levels,
      int[] parents,
      double[][] rows,
      double[] disclosed,
      @Nullable String missing,
      double @Nullable [] numbers) {

    /** Defines a variable without numbers that everybody discloses. */
    public Node(
        int place, String name, Role role, List<String> levels, int[] parents, double[][] rows) {
      this(place, name, role, List.copyOf(levels), parents, rows, new double[0], null, null);
    }

    public boolean isFeature() {
      return role == Role.CONTEXT || role == Role.SENSITIVE;
    }

    public boolean hasParent(int other) {
      return Arrays.stream(parents).anyMatch(parent -> parent == other);
    }
  }

  /**
   * Tabulates a mean.
   *
   * @param mean of the levels of the parents of the reward; called once for each joint level, in
   *     ascending order
   */
  public static StructuralModel of(
      List<Node> nodes,
      List<Node> declared,
      ToDoubleFunction<int[]> mean,
      double noise,
      int... rewardParents) {
    double[] means = new double[cells(nodes, rewardParents)];
    int[] levels = new int[nodes.size()];
    for (int cell = 0; cell < means.length; cell++) {
      setCell(nodes, rewardParents, cell, levels);
      means[cell] = mean.applyAsDouble(levels);
    }
    return new StructuralModel(nodes, declared, rewardParents, means, noise);
  }

  /** Returns the number of joint levels of some variables. */
  public static int cells(List<Node> nodes, int... places) {
    return Arrays.stream(places)
        .map(place -> nodes.get(place).levels().size())
        .reduce(1, Math::multiplyExact);
  }

  /** Sets the levels of some variables to a joint level, the last variable fastest. */
  public static void setCell(List<Node> nodes, int[] places, int cell, int[] levels) {
    int rest = cell;
    for (int i = places.length - 1; i >= 0; i--) {
      int size = nodes.get(places[i]).levels().size();
      levels[places[i]] = rest % size;
      rest /= size;
    }
  }

  /** Returns the joint level of some variables, the last one fastest. */
  public int cell(int[] places, int[] levels) {
    int cell = 0;
    for (int place : places) {
      cell = cell * nodes.get(place).levels().size() + levels[place];
    }
    return cell;
  }

  public Node node(int place) {
    return nodes.get(place);
  }

  public Node node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no variable " + name));
  }

  /** Returns the variables of some roles in the order of a spec. */
  public List<Node> of(Role... roles) {
    List<Role> wanted = List.of(roles);
    return declared.stream().filter(node -> wanted.contains(node.role())).toList();
  }

  /** Returns the variables that people may disclose, in the order of a spec. */
  public List<Node> features() {
    return of(Role.CONTEXT, Role.SENSITIVE);
  }

  /** Returns the probabilities of the levels of a variable, given those of its parents. */
  public double[] row(Node node, int[] levels) {
    return node.rows()[cell(node.parents(), levels)];
  }

  /** Returns the mean reward, given the levels of its parents. */
  public double mean(int[] levels) {
    return means[cell(rewardParents, levels)];
  }

  /** Returns the range of the mean reward. */
  public DoubleSummaryStatistics meanRange() {
    return Arrays.stream(means).summaryStatistics();
  }

  /** Draws a person: the variables before the actions. The other levels are 0. */
  public int[] person(DoubleSupplier uniform) {
    int[] levels = new int[nodes.size()];
    draw(levels, uniform, Role.HIDDEN, Role.CONTEXT, Role.SENSITIVE);
    return levels;
  }

  /** Draws the variables of some roles, causes first, each with one uniform number. */
  public void draw(int[] levels, DoubleSupplier uniform, Role... roles) {
    List<Role> drawn = List.of(roles);
    for (Node node : nodes) {
      if (drawn.contains(node.role())) {
        levels[node.place()] = level(row(node, levels), uniform.getAsDouble());
      }
    }
  }

  /** Returns the number of cumulative sums that are at most u, clipped to the last level. */
  public static int level(double[] row, double u) {
    int level = 0;
    for (double below = row[0]; u >= below && level < row.length - 1; below += row[level]) {
      level++;
    }
    return level;
  }

  /** Returns the mean reward over the mediators, given the levels of all other variables. */
  public double expected(int[] levels) {
    return expected(levels.clone(), 0);
  }

  private double expected(int[] levels, int place) {
    if (place == nodes.size()) {
      return mean(levels);
    }
    Node node = nodes.get(place);
    if (node.role() != Role.MEDIATOR) {
      return expected(levels, place + 1);
    }
    double[] row = row(node, levels);
    double mean = 0;
    for (int level = 0; level < row.length; level++) {
      levels[place] = level;
      mean += row[level] * expected(levels, place + 1);
    }
    return mean;
  }
}
