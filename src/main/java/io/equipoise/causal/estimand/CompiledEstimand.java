package io.equipoise.causal.estimand;

import io.equipoise.causal.DistributionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * Evaluates an estimand with its variables in slots and cached values. The levels that were set are
 * state; cached values follow from levels and data, which stay, so they are valid for ever. For one
 * thread.
 */
final class CompiledEstimand {
  private final ObservedValues observedValues;
  private final CellRule rule;
  private final Map<String, Integer> slots = new HashMap<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final IdentityHashMap<Estimand, Node> nodes = new IdentityHashMap<>();
  private final Node root;
  private final int[] levels;

  CompiledEstimand(Estimand estimand, ObservedValues observedValues, CellRule rule) {
    this.observedValues = observedValues;
    this.rule = rule;
    root = compiled(estimand);
    levels = new int[sizes.size()];
  }

  /** Sets the level of a variable for the next values. */
  void set(String name, int level) {
    Integer slot = slots.get(name);
    if (slot == null) {
      return;
    }
    if (level < 0 || level >= sizes.get(slot)) {
      throw new DistributionException("\"" + name + "\" has no level number " + level);
    }
    levels[slot] = level;
  }

  Estimate value() {
    return root.value();
  }

  private Node compiled(Estimand estimand) {
    Node known = nodes.get(estimand);
    if (known == null) {
      known = made(estimand);
      nodes.put(estimand, known);
    }
    return known;
  }

  private Node made(Estimand estimand) {
    int[] free = slots(estimand.free());
    if (estimand instanceof Probability p) {
      return new Share(p, free);
    }
    if (estimand instanceof Sum sum) {
      return new Total(free, slots(sum.bound()), compiled(sum.body()));
    }
    List<Node> parts = estimand.parts().stream().map(this::compiled).toList();
    if (estimand instanceof Product) {
      return new Times(free, parts);
    }
    if (estimand instanceof Quotient) {
      return new Over(free, parts.get(0), parts.get(1));
    }
    return new Constant(free, estimand instanceof One ? Estimate.ONE : Estimate.VACUOUS);
  }

  private int[] slots(SortedSet<String> names) {
    return names.stream()
        .mapToInt(
            name ->
                slots.computeIfAbsent(
                    name,
                    it -> {
                      sizes.add(observedValues.variable(it).size());
                      return sizes.size() - 1;
                    }))
        .toArray();
  }

  /** Evaluates a sub-formula; its values are cached by the code of its free variables. */
  private abstract class Node {
    private final int[] free;
    private final Map<Long, Estimate> known = new HashMap<>();

    Node(int[] free) {
      this.free = free;
    }

    final Estimate value() {
      long code = code(free);
      Estimate value = known.get(code);
      if (value == null) {
        value = computed();
        known.put(code, value);
      }
      return value;
    }

    abstract Estimate computed();

    final long code(int[] of) {
      long code = 0;
      for (int slot : of) {
        code = Math.addExact(Math.multiplyExact(code, (long) sizes.get(slot)), levels[slot]);
      }
      return code;
    }
  }

  private final class Constant extends Node {
    private final Estimate constant;

    Constant(int[] free, Estimate constant) {
      super(free);
      this.constant = constant;
    }

    @Override
    Estimate computed() {
      return constant;
    }
  }

  private final class Share extends Node {
    private final Probability probability;
    private final ContingencyTable joint;
    private final ContingencyTable condition;
    private final int[] all;
    private final int[] given;

    Share(Probability probability, int[] free) {
      super(free);
      this.probability = probability;
      all = free;
      given = slots(probability.given());
      ContingencyTable table = observedValues.require(probability.free(), probability.isSelected());
      joint = table.marginal(List.copyOf(probability.free()));
      condition = joint.marginal(List.copyOf(probability.given()));
    }

    @Override
    Estimate computed() {
      long code = code(all);
      double hits = joint.weight(code);
      return rule.of(new CellRule.Cell(probability, code, hits, condition.weight(code(given))));
    }
  }

  private final class Total extends Node {
    private final int[] bound;
    private final Node body;

    Total(int[] free, int[] bound, Node body) {
      super(free);
      this.bound = bound;
      this.body = body;
    }

    /** Restores the outer levels of bound variables. */
    @Override
    Estimate computed() {
      int[] outer = new int[bound.length];
      for (int i = 0; i < bound.length; i++) {
        outer[i] = levels[bound[i]];
      }
      Estimate total = total(0);
      for (int i = 0; i < bound.length; i++) {
        levels[bound[i]] = outer[i];
      }
      return total;
    }

    private Estimate total(int from) {
      if (from == bound.length) {
        return body.value();
      }
      Estimate total = Estimate.ZERO;
      for (int level = 0; level < sizes.get(bound[from]); level++) {
        levels[bound[from]] = level;
        total = total.plus(total(from + 1));
      }
      return total;
    }
  }

  private final class Times extends Node {
    private final List<Node> factors;

    Times(int[] free, List<Node> factors) {
      super(free);
      this.factors = factors;
    }

    @Override
    Estimate computed() {
      Estimate product = Estimate.ONE;
      for (Node factor : factors) {
        product = product.times(factor.value());
      }
      return product;
    }
  }

  private final class Over extends Node {
    private final Node numerator;
    private final Node divisor;

    Over(int[] free, Node numerator, Node divisor) {
      super(free);
      this.numerator = numerator;
      this.divisor = divisor;
    }

    @Override
    Estimate computed() {
      return numerator.value().over(divisor.value());
    }
  }
}
