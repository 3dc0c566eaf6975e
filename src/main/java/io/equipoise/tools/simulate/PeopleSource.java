package io.equipoise.tools.simulate;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.HeldQuery;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Draws people and the mediators that follow from a person and an arm.
 *
 * <p>A level comes from the stated shares, else from the table of the spec, else it is uniform.
 * With a table of people, a person is a row of it, drawn with replacement.
 */
final class PeopleSource {
  private static final String UNDISCLOSED = "undisclosed";

  private final SegmentSpec spec;
  private final List<SpecVariable> features;
  private final List<SpecVariable> actions;
  private final List<SpecVariable> mediators;
  private final Map<String, Integer> slots = new HashMap<>();
  private final List<Source> people = new ArrayList<>();
  private final List<Source> consequences = new ArrayList<>();
  private final double[] undisclosed;
  private final List<Map<String, Object>> rows;
  private final List<Encoded> encoded = new ArrayList<>();
  private final KnownDistributions known;

  /**
   * @param file people instead of the spec's distributions; null without
   * @throws WorldException if the world states shares that the spec has no use for
   */
  PeopleSource(SegmentSpec spec, WorldFile world, @Nullable PeopleFile file) {
    this.spec = spec;
    features = spec.variables().features();
    actions = spec.variables().actions();
    mediators = spec.variables().mediators();
    rows = file == null ? List.of() : file.rows();
    undisclosed = new double[features.size()];
    List<SpecVariable> ordered = new ArrayList<>(features);
    ordered.addAll(actions);
    ordered.addAll(mediators);
    ordered.forEach(variable -> slots.put(variable.name(), slots.size()));
    checkNames(world, file);
    List<Cpt> tables = new ArrayList<>();
    List<Variable> declared = new ArrayList<>();
    for (SpecVariable variable : ordered) {
      List<String> levels = RewardModel.disclosed(variable);
      if (levels.isEmpty()) {
        continue;
      }
      Variable own = new Variable(variable.name(), levels);
      declared.add(own);
      if (variable.role() != VariableRole.ACTION) {
        tables.add(table(own, variable, world));
      }
    }
    known = KnownDistributions.of(declared, tables);
    for (String name : known.graph().topologicalOrder()) {
      known.cpt(name).ifPresent(this::addSource);
    }
    ContextEncoder encoder = new ContextEncoder(spec);
    rows.forEach(row -> encoded.add(encoder.encode(row)));
  }

  /** Draws a level from a table, with the slots of its child and its parents. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Source(Cpt table, int slot, int[] parents) {
    int draw(int[] levels, double unit) {
      int[] row = new int[parents.length];
      for (int i = 0; i < row.length; i++) {
        row[i] = levels[parents[i]];
      }
      int last = table.child().size() - 1;
      double sum = 0;
      for (int level = 0; level < last; level++) {
        sum += table.probability(row, level);
        if (unit < sum) {
          return level;
        }
      }
      return last;
    }
  }

  private void addSource(Cpt table) {
    Integer slot = slots.get(table.child().name());
    int[] parents = table.parents().stream().mapToInt(it -> slots.get(it.name())).toArray();
    if (slot != null) {
      (slot < features.size() ? people : consequences).add(new Source(table, slot, parents));
    }
  }

  private void checkNames(WorldFile world, @Nullable PeopleFile file) {
    for (Map.Entry<String, Map<String, Double>> stated : world.levels().entrySet()) {
      String name = stated.getKey();
      String place = world.at("levels." + name);
      Integer slot = slots.get(name);
      boolean isAction = slot != null && slot >= features.size() && slot < slotOfMediators();
      if (slot == null || isAction) {
        throw new WorldException(
            place + ": no feature or mediator; " + Nearest.oneOf(name, sampled()));
      }
      if (file != null && slot < features.size()) {
        throw new WorldException(
            place + ": people come from " + file.place() + "; remove the shares or the file");
      }
      SpecVariable variable = spec.variables().named(name);
      double withheld = stated.getValue().getOrDefault(UNDISCLOSED, 0.0);
      if (withheld > 0 && (variable.undisclosed() < 0 || withheld >= 1)) {
        String allowed =
            withheld >= 1
                ? "less than 1"
                : "0, because variables." + name + " has no missing: level or marginalize";
        throw new WorldException(place + ".undisclosed: " + withheld + " given; " + allowed);
      }
      if (slot < features.size()) {
        undisclosed[slot] = withheld;
      }
    }
  }

  private List<String> sampled() {
    List<String> names = new ArrayList<>(features.stream().map(SpecVariable::name).toList());
    mediators.forEach(mediator -> names.add(mediator.name()));
    return names;
  }

  private int slotOfMediators() {
    return features.size() + actions.size();
  }

  private Cpt table(Variable own, SpecVariable variable, WorldFile world) {
    Map<String, Double> stated = world.levels().get(own.name());
    if (stated == null) {
      return spec.distributions().cpt(own.name()).orElseGet(() -> uniform(own));
    }
    double[] shares = new double[own.size()];
    double disclosed = 1 - stated.getOrDefault(UNDISCLOSED, 0.0);
    for (Map.Entry<String, Double> share : stated.entrySet()) {
      int level = own.levels().indexOf(share.getKey());
      boolean isUndisclosed = share.getKey().equals(UNDISCLOSED) && variable.undisclosed() >= 0;
      if (level < 0 && !isUndisclosed) {
        throw new WorldException(
            world.at("levels." + own.name())
                + ": "
                + share.getKey()
                + " given; "
                + Nearest.oneOf(share.getKey(), own.levels()));
      }
      if (level >= 0) {
        shares[level] = share.getValue() / disclosed;
      }
    }
    return new Cpt(own, List.of(), shares, 1e-5);
  }

  private static Cpt uniform(Variable variable) {
    double[] shares = new double[variable.size()];
    Arrays.fill(shares, 1.0 / variable.size());
    return new Cpt(variable, List.of(), shares);
  }

  /**
   * Prepares the distribution of mediators given the features and actions.
   *
   * @param wanted places among the mediators
   * @throws WorldException if it sums over too many levels
   */
  HeldQuery query(List<Integer> wanted) {
    List<String> given = new ArrayList<>(features.stream().map(SpecVariable::name).toList());
    actions.forEach(action -> given.add(action.name()));
    try {
      return known.query(wanted.stream().map(it -> mediators.get(it).name()).toList(), given);
    } catch (DistributionException e) {
      throw new WorldException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the levels that {@link #query} takes. */
  int[] held(int[] levels, int arm) {
    int[] held = Arrays.copyOf(levels, levels.length + actions.size());
    Arm chosen = spec.arms().get(arm);
    for (int action = 0; action < actions.size(); action++) {
      held[levels.length + action] = chosen.level(action);
    }
    return held;
  }

  Person person(WorldDraws draws) {
    return rows.isEmpty() ? generated(draws) : fromRow(draws);
  }

  private Person generated(WorldDraws draws) {
    int[] levels = new int[features.size()];
    for (Source source : people) {
      levels[source.slot()] = source.draw(levels, draws.unit(source.table().child().name()));
    }
    List<Double> numbers = new ArrayList<>();
    Map<String, Object> attributes = new HashMap<>();
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = features.get(place);
      Object value = variable.isNumeric() ? null : variable.levels().get(levels[place]);
      if (value == null) {
        double number = number(variable, levels[place], draws.unit(variable.name() + "/number"));
        levels[place] = Math.max(0, variable.binOf(number));
        numbers.add(number);
        value = number;
      }
      boolean isDisclosed =
          undisclosed[place] == 0
              || draws.unit(variable.name() + "/disclosed") >= undisclosed[place];
      if (isDisclosed) {
        attributes.put(variable.name(), value);
      }
    }
    return new Person(levels, numbers.stream().mapToDouble(it -> it).toArray(), attributes);
  }

  private static double number(SpecVariable variable, int level, double unit) {
    NumberRange range = variable.range();
    if (range == null) {
      throw new IllegalStateException(variable.name() + " is not numeric");
    }
    double[] cuts = variable.cuts();
    double low = level == 0 || cuts.length == 0 ? range.low() : cuts[level - 1];
    double high = level >= cuts.length ? range.high() : cuts[level];
    return low + unit * (high - low);
  }

  /** Draws the hidden values of a row from the rows that disclose them. */
  private Person fromRow(WorldDraws draws) {
    int row = (int) (draws.unit("row") * rows.size());
    int[] levels = encoded.get(row).levels();
    double[] numbers = encoded.get(row).numbers();
    int number = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = features.get(place);
      if (levels[place] == variable.undisclosed()) {
        int other = discloser(place, draws.unit(variable.name() + "/hidden"));
        levels[place] = other < 0 ? 0 : encoded.get(other).levels()[place];
        if (variable.isNumeric() && other >= 0) {
          numbers[number] = encoded.get(other).numbers()[number];
        }
      }
      number += variable.isNumeric() ? 1 : 0;
    }
    return new Person(levels, numbers, rows.get(row));
  }

  /** Returns a row that discloses a feature, or -1 if none does. */
  private int discloser(int place, double unit) {
    int hidden = features.get(place).undisclosed();
    int start = (int) (unit * rows.size());
    for (int step = 0; step < rows.size(); step++) {
      int row = (start + step) % rows.size();
      if (encoded.get(row).levels()[place] != hidden) {
        return row;
      }
    }
    return -1;
  }

  int[] mediators(Person person, int arm, WorldDraws draws) {
    int[] levels = Arrays.copyOf(held(person.levels(), arm), slots.size());
    for (Source source : consequences) {
      levels[source.slot()] = source.draw(levels, draws.unit(source.table().child().name()));
    }
    return Arrays.copyOfRange(levels, slotOfMediators(), levels.length);
  }
}
