package io.equipoise.tools.simulate;

import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.tools.simulate.WorldFile.StatedEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the mean reward of a world: a base rate plus the stated effects whose conditions hold.
 */
final class RewardModel {
  private static final String ARM = "arm";

  private final SegmentSpec spec;
  private final List<SpecVariable> features;
  private final List<SpecVariable> mediators;
  private final double base;
  private final List<Term> terms = new ArrayList<>();
  private final TreeSet<Integer> used = new TreeSet<>();

  /**
   * @throws WorldException if the world names a variable, a level or an arm that the spec lacks
   */
  RewardModel(SegmentSpec spec, WorldFile world) {
    this.spec = spec;
    features = spec.variables().features();
    mediators = spec.variables().mediators();
    NumberRange range = spec.reward().range();
    Double stated = world.baseRate();
    base = stated == null ? range.low() + range.width() / 2 : stated;
    world.effects().forEach(effect -> terms.add(term(effect)));
  }

  /** Tests a feature or a mediator. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Condition(int place, boolean[] allowed) {
    boolean holds(int[] levels) {
      return allowed[levels[place]];
    }
  }

  /**
   * Defines an effect that counts where its conditions hold; the factor of each arm is 0 where the
   * arm is excluded.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Term(
      double effect,
      double[] factors,
      List<Condition> person,
      List<Condition> consequences,
      int number,
      double low,
      double width) {}

  /** Returns the places of the mediators that the mean depends on, among the mediators. */
  List<Integer> usedMediators() {
    return List.copyOf(used);
  }

  /**
   * Returns the mean reward.
   *
   * @param levels of the features
   * @param numbers of the numeric features
   * @param consequences levels of the mediators; those that the mean does not depend on are ignored
   */
  double mean(int[] levels, double[] numbers, int[] consequences, int arm) {
    double mean = base;
    for (Term term : terms) {
      if (term.factors()[arm] != 0 && holds(term, levels, consequences)) {
        double place = term.number() < 0 ? 1 : (numbers[term.number()] - term.low()) / term.width();
        mean += term.effect() * term.factors()[arm] * place;
      }
    }
    return mean;
  }

  private static boolean holds(Term term, int[] levels, int[] consequences) {
    for (Condition condition : term.person()) {
      if (!condition.holds(levels)) {
        return false;
      }
    }
    for (Condition condition : term.consequences()) {
      if (!condition.holds(consequences)) {
        return false;
      }
    }
    return true;
  }

  private Term term(StatedEffect stated) {
    double[] factors = new double[spec.arms().size()];
    Arrays.fill(factors, 1);
    List<Condition> person = new ArrayList<>();
    List<Condition> consequences = new ArrayList<>();
    for (Map.Entry<String, List<String>> condition : stated.where().entrySet()) {
      String name = condition.getKey();
      String place = stated.place() + "." + name;
      if (name.equals(ARM)) {
        List<String> ids = spec.arms().list().stream().map(Arm::id).toList();
        boolean[] allowed = allowed(place, ids, condition.getValue());
        IntStream.range(0, factors.length).filter(i -> !allowed[i]).forEach(i -> factors[i] = 0);
        continue;
      }
      SpecVariable variable = variable(place, name);
      boolean[] allowed = allowed(place, disclosed(variable), condition.getValue());
      if (variable.role() == VariableRole.ACTION) {
        int action = spec.variables().actions().indexOf(variable);
        for (int arm = 0; arm < factors.length; arm++) {
          factors[arm] = allowed[spec.arms().get(arm).level(action)] ? factors[arm] : 0;
        }
      } else if (variable.role() == VariableRole.MEDIATOR) {
        int mediator = mediators.indexOf(variable);
        used.add(mediator);
        consequences.add(new Condition(mediator, allowed));
      } else {
        person.add(new Condition(features.indexOf(variable), allowed));
      }
    }
    return times(stated, factors, person, consequences);
  }

  private Term times(
      StatedEffect stated, double[] factors, List<Condition> person, List<Condition> consequences) {
    String times = stated.times();
    if (times == null) {
      return new Term(stated.effect(), factors, person, consequences, -1, 0, 1);
    }
    String place = stated.place() + ".times";
    SpecVariable variable = variable(place, times);
    NumberRange range = variable.range();
    if (!variable.isNumeric() || range == null) {
      throw new WorldException(place + ": " + times + " given; a variable with a range of numbers");
    }
    if (variable.role() == VariableRole.ACTION) {
      int number = numeric(spec.variables().actions()).indexOf(variable);
      for (int arm = 0; arm < factors.length; arm++) {
        double value = spec.arms().get(arm).numbers()[number];
        factors[arm] *= (value - range.low()) / range.width();
      }
      return new Term(stated.effect(), factors, person, consequences, -1, 0, 1);
    }
    int number = numeric(features).indexOf(variable);
    return new Term(
        stated.effect(), factors, person, consequences, number, range.low(), range.width());
  }

  static List<SpecVariable> numeric(List<SpecVariable> variables) {
    return variables.stream().filter(SpecVariable::isNumeric).toList();
  }

  /** Returns the levels that a person can disclose. */
  static List<String> disclosed(SpecVariable variable) {
    return variable.levels().subList(0, variable.disclosedLevels());
  }

  private SpecVariable variable(String place, String name) {
    List<SpecVariable> all =
        spec.variables().all().stream().filter(it -> it.role() != VariableRole.REWARD).toList();
    return all.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new WorldException(unknown(place, name, all)));
  }

  private String unknown(String place, String name, List<SpecVariable> all) {
    List<String> names = all.stream().map(SpecVariable::name).collect(Collectors.toList());
    names.add(ARM);
    return place
        + ": "
        + name
        + " given; "
        + Nearest.oneOf(name, names)
        + " (spec "
        + spec.name()
        + ")";
  }

  private static boolean[] allowed(String place, List<String> all, List<String> wanted) {
    boolean[] allowed = new boolean[all.size()];
    for (String level : wanted) {
      int index = all.indexOf(level);
      if (index < 0) {
        throw new WorldException(place + ": " + level + " given; " + Nearest.oneOf(level, all));
      }
      allowed[index] = true;
    }
    return allowed;
  }

  /** Describes a person and an arm for messages. */
  String describe(int[] levels, int arm) {
    List<String> words = new ArrayList<>();
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = features.get(place);
      words.add(variable.name() + "=" + level(variable, levels[place]));
    }
    return "arm " + spec.arms().get(arm).id() + " for " + String.join(", ", words);
  }

  private static @Nullable String level(SpecVariable variable, int level) {
    return level < variable.levels().size() ? variable.levels().get(level) : null;
  }
}
