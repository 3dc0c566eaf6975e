package io.equipoise.policy;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.Variable;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.ConfidenceSequence;
import io.equipoise.policy.tabular.TotalEffects;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An oracle written from the formulas alone: values by name, cells by text, rewards in lists, every
 * sum over the full joint distribution. Slow, and shares no code with the model but the tables.
 */
public final class NaiveModel {
  private final SegmentSpec spec;
  private final List<String> w;
  private final Map<String, List<Double>> rewards = new TreeMap<>();
  private final @Nullable ConfidenceSequence confidence;
  private final @Nullable NaiveRegion region;

  /** Limits every cell by itself. */
  public NaiveModel(SegmentSpec spec, List<String> w, ConfidenceSequence confidence) {
    this.spec = spec;
    this.w = w;
    this.confidence = confidence;
    region = null;
  }

  /** Limits the cells of each comparison together. */
  public NaiveModel(SegmentSpec spec, List<String> w, NaiveRegion region) {
    this.spec = spec;
    this.w = w;
    confidence = null;
    this.region = region;
  }

  public void learn(int[] context, int arm, int[] mediators, double reward) {
    Map<String, Integer> values = values(context, arm);
    List<SpecVariable> names = spec.variables().mediators();
    for (int i = 0; i < mediators.length; i++) {
      values.put(names.get(i).name(), mediators[i]);
    }
    rewards.computeIfAbsent(cell(values), unused -> new ArrayList<>()).add(reward);
  }

  public double index(int[] context, int arm, double scale, long t) {
    double index = 0;
    for (Map.Entry<String, Double> entry : weights(context, context, arm).entrySet()) {
      List<Double> seen = rewards.getOrDefault(entry.getKey(), List.of(0.0));
      double bonus = scale * Math.sqrt(2 * 2 * Math.log((double) Math.max(t, 2)) / seen.size());
      index += entry.getValue() * (mean(seen) + bonus);
    }
    return index;
  }

  /**
   * Eq. 9 with all worlds of the descendants and of what is undisclosed and not separated; {@code
   * s} and {@code other} as levels.
   */
  public EffectFinding effect(int[] context, int arm, int place, int s, int other, long t) {
    int[] disclosed = context.clone();
    disclosed[place] = s;
    List<int[]> people = people(disclosed, place);
    double lower = Double.POSITIVE_INFINITY;
    double upper = Double.NEGATIVE_INFINITY;
    double leastEstimate = lower;
    double greatestEstimate = upper;
    double unsupportedBelow = 0;
    double unsupportedAbove = 0;
    int pairs = 0;
    for (int[] factual : people) {
      Map<String, Double> here = weights(factual, factual, arm);
      for (int[] world : worlds(factual, place, other)) {
        pairs++;
        Map<String, Double> c = new TreeMap<>(weights(world, factual, arm));
        here.forEach((cell, p) -> c.merge(cell, -p, Double::sum));
        double low = 0;
        double high = 0;
        double estimate = 0;
        double prior = 0;
        for (Map.Entry<String, Double> term : c.entrySet()) {
          double[] box = box(term.getKey(), t);
          double k = term.getValue();
          low += k > 0 ? k * box[0] : k * box[1];
          high += k > 0 ? k * box[1] : k * box[0];
          estimate += k * box[2];
          prior += rewards.containsKey(term.getKey()) ? 0 : Math.abs(k) * (box[1] - box[0]) / 2;
        }
        if (region != null) {
          List<List<Double>> seen =
              c.keySet().stream().map(cell -> rewards.getOrDefault(cell, List.of())).toList();
          double[] k = c.values().stream().mapToDouble(x -> x).toArray();
          low = -region.end(k, seen, -1);
          high = region.end(k, seen, 1);
        }
        unsupportedBelow = low < lower - 1e-12 ? prior : unsupportedBelow;
        unsupportedBelow =
            Math.abs(low - lower) <= 1e-12 ? Math.max(prior, unsupportedBelow) : unsupportedBelow;
        unsupportedAbove = high > upper + 1e-12 ? prior : unsupportedAbove;
        unsupportedAbove =
            Math.abs(high - upper) <= 1e-12 ? Math.max(prior, unsupportedAbove) : unsupportedAbove;
        lower = Math.min(lower, low);
        upper = Math.max(upper, high);
        leastEstimate = Math.min(leastEstimate, estimate);
        greatestEstimate = Math.max(greatestEstimate, estimate);
      }
    }
    double share =
        upper - lower > 1e-12 ? (unsupportedBelow + unsupportedAbove) / (upper - lower) : 0;
    double estimate = (leastEstimate + greatestEstimate) / 2;
    int[] only = people.get(0);
    return new EffectFinding(
        place,
        s,
        other,
        AuditEffectKind.TOTAL,
        pairs == 1 ? EffectIdentification.IDENTIFIED : EffectIdentification.BOUNDED,
        estimate,
        lower,
        upper,
        Math.min(1, share),
        pairs == 1 ? leverage(worlds(only, place, other).get(0), only, arm) : null);
  }

  /** Everybody whom this context may be, where cells of those who do not tell do not do. */
  private List<int[]> people(int[] context, int place) {
    List<SpecVariable> features = spec.variables().features();
    BitSet undisclosed = new BitSet();
    for (int i = 0; i < context.length; i++) {
      undisclosed.set(i, context[i] == features.get(i).undisclosed());
    }
    if (new TotalEffects(spec, w).holdsWithout(List.of(place), undisclosed)) {
      return List.of(context);
    }
    Set<String> bearing = new TreeSet<>(w);
    bearing.addAll(spec.graph().ancestors(w));
    List<int[]> people = List.of(context);
    for (int i = undisclosed.nextSetBit(0); i >= 0; i = undisclosed.nextSetBit(i + 1)) {
      if (bearing.contains(features.get(i).name())) {
        List<int[]> wider = new ArrayList<>();
        for (int[] person : people) {
          for (int level = 0; level < features.get(i).disclosedLevels(); level++) {
            int[] copy = person.clone();
            copy[i] = level;
            wider.add(copy);
          }
        }
        people = wider;
      }
    }
    return people;
  }

  /** The sum of c^2 / n over the cells; null if a cell that counts was never seen. */
  private @Nullable Double leverage(int[] world, int[] factual, int arm) {
    Map<String, Double> c = new TreeMap<>(weights(world, factual, arm));
    weights(factual, factual, arm).forEach((cell, p) -> c.merge(cell, -p, Double::sum));
    double sum = 0;
    for (Map.Entry<String, Double> term : c.entrySet()) {
      if (Math.abs(term.getValue()) > 1e-12) {
        List<Double> seen = rewards.get(term.getKey());
        if (seen == null) {
          return null;
        }
        sum += term.getValue() * term.getValue() / seen.size();
      }
    }
    return sum;
  }

  /** Every joint value of the attribute's descendants among the features. */
  private List<int[]> worlds(int[] context, int place, int other) {
    List<SpecVariable> features = spec.variables().features();
    var descendants = spec.graph().descendants(List.of(features.get(place).name()));
    int[] changed = context.clone();
    changed[place] = other;
    List<int[]> worlds = new ArrayList<>(List.of(changed));
    for (int i = 0; i < features.size(); i++) {
      if (i != place && descendants.contains(features.get(i).name())) {
        List<int[]> wider = new ArrayList<>();
        for (int[] world : worlds) {
          for (int b = 0; b < features.get(i).disclosedLevels(); b++) {
            int[] copy = world.clone();
            copy[i] = b;
            wider.add(copy);
          }
        }
        worlds = wider;
      }
    }
    return worlds;
  }

  private double[] box(String cell, long t) {
    double low = confidence == null ? NaiveRegion.LOW : confidence.low();
    double high = confidence == null ? NaiveRegion.HIGH : confidence.high();
    if (!rewards.containsKey(cell)) {
      return new double[] {low, high, (low + high) / 2};
    }
    double mean = mean(rewards.get(cell));
    if (confidence == null) {
      return new double[] {low, high, mean};
    }
    CellBlock block = new CellBlock(1);
    rewards.get(cell).forEach(reward -> block.observe(0, reward));
    double lower = confidence.lower(block, 0, t);
    double upper = confidence.upper(block, 0, t);
    return new double[] {lower, upper, Math.max(lower, Math.min(upper, mean))};
  }

  /** Returns the cells of every comparison that any person and arm can have, by name. */
  public Set<Set<String>> comparedCells(List<int[]> contexts) {
    Set<Set<String>> compared = new HashSet<>();
    List<SpecVariable> features = spec.variables().features();
    for (int[] context : contexts) {
      for (int place : spec.variables().sensitive()) {
        for (int s = 0; s < features.get(place).disclosedLevels(); s++) {
          for (int other = 0; other < features.get(place).disclosedLevels(); other++) {
            boolean isOf =
                context[place] == s || context[place] == features.get(place).undisclosed();
            if (isOf && s != other) {
              compared(context, place, s, other, compared);
            }
          }
        }
      }
    }
    return compared;
  }

  private void compared(int[] context, int place, int s, int other, Set<Set<String>> compared) {
    int[] disclosed = context.clone();
    disclosed[place] = s;
    for (int[] factual : people(disclosed, place)) {
      for (int[] world : worlds(factual, place, other)) {
        for (int arm = 0; arm < spec.arms().size(); arm++) {
          Map<String, Double> here = weights(factual, factual, arm);
          Map<String, Double> there = weights(world, factual, arm);
          Set<String> cells = new TreeSet<>(here.keySet());
          cells.addAll(there.keySet());
          if (!here.equals(there)) {
            compared.add(cells);
          }
        }
      }
    }
  }

  /** P(cell | x, a): what is undisclosed is averaged over its posterior given the evidence. */
  private Map<String, Double> weights(int[] context, int[] evidence, int arm) {
    Map<String, Double> weights = new TreeMap<>();
    double total = 0;
    List<Map<String, Integer>> people = completions(evidence);
    for (Map<String, Integer> person : people) {
      total += joint(person);
    }
    for (Map<String, Integer> person : people) {
      Map<String, Integer> known = values(context, arm);
      Map<String, Integer> full = new LinkedHashMap<>(known);
      for (SpecVariable feature : spec.variables().features()) {
        if (known.get(feature.name()) == feature.undisclosed()) {
          full.put(feature.name(), person.get(feature.name()));
        }
      }
      spread(known, full, 0, joint(person) / total, weights);
    }
    return weights;
  }

  private void spread(
      Map<String, Integer> known,
      Map<String, Integer> full,
      int next,
      double p,
      Map<String, Double> weights) {
    List<String> order =
        spec.graph().topologicalOrder().stream()
            .filter(
                name -> spec.variables().mediators().stream().anyMatch(m -> m.name().equals(name)))
            .toList();
    if (next == order.size()) {
      weights.merge(cell(known), p, Double::sum);
      return;
    }
    String name = order.get(next);
    for (int level = 0; level < spec.variables().named(name).levels().size(); level++) {
      full.put(name, level);
      known.put(name, level);
      spread(known, full, next + 1, p * probability(name, full), weights);
    }
  }

  private List<Map<String, Integer>> completions(int[] evidence) {
    List<Map<String, Integer>> all = new ArrayList<>(List.of(new LinkedHashMap<>()));
    List<SpecVariable> features = spec.variables().features();
    for (int i = 0; i < evidence.length; i++) {
      List<Map<String, Integer>> wider = new ArrayList<>();
      boolean isOpen = evidence[i] == features.get(i).undisclosed();
      for (Map<String, Integer> one : all) {
        for (int level = 0; level < features.get(i).disclosedLevels(); level++) {
          if (isOpen || level == evidence[i]) {
            Map<String, Integer> copy = new LinkedHashMap<>(one);
            copy.put(features.get(i).name(), level);
            wider.add(copy);
          }
        }
      }
      all = wider;
    }
    return all;
  }

  private double joint(Map<String, Integer> person) {
    double joint = 1;
    for (SpecVariable feature : spec.variables().features()) {
      joint *= probability(feature.name(), person);
    }
    return joint;
  }

  private double probability(String name, Map<String, Integer> values) {
    Cpt cpt = spec.distributions().cpt(name).orElseThrow();
    int[] parents = cpt.parents().stream().map(Variable::name).mapToInt(values::get).toArray();
    return cpt.probability(parents, values.get(name));
  }

  private Map<String, Integer> values(int[] context, int arm) {
    Map<String, Integer> values = new LinkedHashMap<>();
    for (int i = 0; i < context.length; i++) {
      values.put(spec.variables().features().get(i).name(), context[i]);
    }
    for (int i = 0; i < spec.variables().actions().size(); i++) {
      values.put(spec.variables().actions().get(i).name(), spec.arms().get(arm).level(i));
    }
    return values;
  }

  private String cell(Map<String, Integer> values) {
    StringBuilder cell = new StringBuilder();
    w.forEach(name -> cell.append(name).append('=').append(values.get(name)).append(' '));
    return cell.toString();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(v -> v).sum() / values.size();
  }
}
