package io.equipoise.policy.refutation;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Variable;
import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Policy;
import io.equipoise.policy.linear.LinearPolicy;
import io.equipoise.policy.linear.LinearSpec;
import io.equipoise.policy.logistic.LogisticSpec;
import io.equipoise.policy.refutation.Assumptions.Untested;
import io.equipoise.policy.refutation.MeanTest.Rewards;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.policy.tabular.TabularSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads off a spec what it assumes, and how that can be tested.
 *
 * <p>Policies over cells assume their tables, and that a reward depends on nothing outside W. A
 * linear or logistic model assumes that the mean reward is a function of its features, so the
 * rewards of people and arms that are alike in all variables of the features have one mean, also
 * over the levels of a variable that the graph separates from the reward. What the function is
 * cannot be tested so.
 */
public final class AssumptionPlan {
  private static final String APPROXIMATE = "the intervals of a logistic model are approximate";

  /** Rewards of a cell in the first period, with which later ones are compared. */
  private static final int FIRST_PERIOD = 128;

  /** Each period but the last ends at four times the rewards at which the one before it ends. */
  private static final int PERIODS = 7;

  private final SegmentSpec spec;
  private final Variables variables;
  private final String reward;
  private final List<AssumptionTest> tests = new ArrayList<>();
  private final List<Untested> untested = new ArrayList<>();

  private AssumptionPlan(SegmentSpec spec) {
    this.spec = spec;
    this.variables = spec.variables();
    this.reward = variables.reward().name();
  }

  /** Compiles the tests of a spec. */
  public static Assumptions of(SegmentSpec spec, Policy bandit) {
    AssumptionPlan plan = new AssumptionPlan(spec);
    PolicySpec policy = spec.policy();
    if (bandit instanceof TabularPolicy tabular) {
      plan.tables(tabular.separatingSet().mediators());
      plan.cells(tabular.separatingSet().variables());
    } else if (policy.family() instanceof LinearSpec linear) {
      plan.norm(linear, bandit);
      plan.model(bandit);
      plan.features(linear.features(), linear.forget().equals(Forget.NOTHING), "linear");
    } else if (policy.family() instanceof LogisticSpec logistic) {
      plan.untested.add(
          new Untested("coefficients of norm " + logistic.thetaNorm() + " at most", APPROXIMATE));
      plan.features(logistic.features(), true, "logistic");
    } else {
      String why = "policy " + policy.name().wire() + " has no tests";
      plan.untested.add(new Untested("graph and reward model", why));
    }
    return new Assumptions(plan.tests, plan.untested, spec.fairness().refutationDelta());
  }

  /** Plans the tests of the tables that p(z | x, a) is made of. */
  private void tables(List<String> mediators) {
    Set<String> seen = new LinkedHashSet<>(mediators);
    Deque<String> open = new ArrayDeque<>(mediators);
    while (!open.isEmpty()) {
      Cpt cpt = spec.distributions().cpt(open.pop()).orElseThrow();
      table(cpt);
      for (Variable parent : cpt.parents()) {
        if (!isHeld(parent.name()) && seen.add(parent.name())) {
          open.add(parent.name());
        }
      }
    }
  }

  private boolean isHeld(String name) {
    if (!variables.has(name)) {
      return false;
    }
    VariableRole variableRole = variables.named(name).role();
    return variableRole.isFeature() || variableRole == VariableRole.ACTION;
  }

  private void table(Cpt cpt) {
    Observed child = Observed.named(cpt.child().name(), variables);
    List<Observed> parents = observed(cpt.parents().stream().map(Variable::name).toList());
    if (child == null || parents.size() < cpt.parents().size()) {
      untested.add(new Untested(cpt.title(), "a variable of the table is not observed"));
    } else if (cpt.isEstimated()) {
      untested.add(new Untested(cpt.title(), "it is estimated from counts, with an error"));
    } else {
      tests.add(new TableTest(cpt, child, new TestStrata(parents)));
    }
  }

  /** Returns the observed variables of these names. */
  private List<Observed> observed(Collection<String> names) {
    List<Observed> observed = new ArrayList<>();
    for (String name : names) {
      Observed variable = Observed.named(name, variables);
      if (variable != null) {
        observed.add(variable);
      }
    }
    return observed;
  }

  private void cells(List<String> w) {
    TestStrata cells = new TestStrata(observed(w));
    for (SpecVariable variable : outside(w)) {
      independence(
          variable,
          cells,
          "draw the path from %1$s to %2$s that the graph lacks, or add %1$s to"
              + " policy.separating-set");
    }
    range(cells);
    scale(cells);
    stability(cells, true);
  }

  private void norm(LinearSpec linear, Policy bandit) {
    String name = "coefficients of norm " + linear.thetaNorm() + " at most";
    if (linear.warmStart() != null || !linear.forget().equals(Forget.NOTHING)) {
      untested.add(new Untested(name, "the model forgets, or starts from offline evidence"));
    } else {
      tests.add(new NormTest(name, bandit, linear.thetaNorm()));
    }
  }

  private void model(Policy bandit) {
    if (bandit instanceof LinearPolicy linear && linear.hasContrasts()) {
      String name = "intervals of each effect that do not exclude each other";
      tests.add(new ModelTest(name, linear, spec.fairness().delta()));
    }
  }

  /** Plans what follows from a mean reward that is a function of features. */
  private void features(FeatureMap features, boolean isForEver, String model) {
    untested.add(
        new Untested(
            "a %s function of the features".formatted(model),
            "only what is alike in all features is compared"));
    if (features.hasNumbers()) {
      untested.add(
          new Untested("mean of " + reward + " given the features", "they contain numbers"));
      return;
    }
    Set<String> shown = features.variables();
    List<Observed> people = observed(shown).stream().filter(it -> !isAction(it.name())).toList();
    List<Observed> all = new ArrayList<>(people);
    all.add(Observed.arm(spec.arms()));
    TestStrata cells = new TestStrata(all);
    for (SpecVariable variable : outside(shown)) {
      if (variable.role() != VariableRole.ACTION && isSeparated(variable.name(), people)) {
        independence(variable, cells, "add {one-hot: %1$s} to policy.features");
      }
    }
    if (model.equals("linear")) {
      range(cells);
      scale(cells);
    }
    stability(cells, isForEver);
  }

  /** Says whether the graph has no path from a variable to the reward around these and the arm. */
  private boolean isSeparated(String name, List<Observed> people) {
    List<String> held = new ArrayList<>();
    people.forEach(variable -> held.add(variable.name()));
    variables.actions().forEach(variable -> held.add(variable.name()));
    return Separation.separated(spec.graph(), List.of(name), List.of(reward), held);
  }

  private boolean isAction(String name) {
    return variables.named(name).role() == VariableRole.ACTION;
  }

  /** Returns the features, the sensitive ones first, and actions that are not among some names. */
  private List<SpecVariable> outside(Collection<String> names) {
    List<SpecVariable> features = variables.features();
    List<SpecVariable> outside = new ArrayList<>();
    variables.sensitive().forEach(place -> outside.add(features.get(place)));
    features.stream().filter(it -> it.role() != VariableRole.SENSITIVE).forEach(outside::add);
    outside.addAll(variables.actions());
    outside.removeIf(variable -> names.contains(variable.name()));
    return outside;
  }

  private void independence(SpecVariable variable, TestStrata cells, String remedy) {
    Observed observed = Observed.named(variable.name(), variables);
    if (observed != null && observed.levels() > 1) {
      tests.add(
          new MeanTest(
              AssumptionKind.INDEPENDENCE,
              "%s independent of %s%s".formatted(reward, variable.name(), given(cells)),
              cells,
              observed.levels(),
              MeanTest.byLevel(observed::of),
              rewards(),
              observed.names().toString(),
              remedy.formatted(variable.name(), reward)));
    }
  }

  /** Rewards of a bounded range are refused outside of it. */
  private void range(TestStrata cells) {
    if (!spec.reward().bounded()) {
      NumberRange numberRange = spec.reward().range();
      String name = "mean of %s%s from %s to %s";
      tests.add(
          new RangeTest(
              name.formatted(reward, given(cells), numberRange.low(), numberRange.high()),
              cells,
              rewards()));
    }
  }

  /** Half the range is a scale of every bounded reward. */
  private void scale(TestStrata cells) {
    Rewards rewards = rewards();
    if (!spec.reward().bounded() || rewards.scale() < (rewards.high() - rewards.low()) / 2) {
      String name = reward + " is sub-Gaussian with scale " + rewards.scale() + given(cells);
      tests.add(new ScaleTest(name, cells, rewards.scale()));
    }
  }

  private void stability(TestStrata cells, boolean isForEver) {
    String name = "mean of " + reward + given(cells) + " constant over time";
    if (!isForEver) {
      untested.add(new Untested(name, "the model forgets, so it is not assumed"));
      return;
    }
    tests.add(
        new MeanTest(
            AssumptionKind.STABILITY,
            name,
            cells,
            PERIODS,
            (experience, before) -> period(before),
            rewards(),
            String.valueOf(FIRST_PERIOD),
            "start the model with nothing under a new spec, or use a policy that forgets"));
  }

  private static String given(TestStrata cells) {
    List<String> names = cells.variables().stream().map(Observed::name).toList();
    return names.isEmpty() ? "" : " given " + String.join(", ", names);
  }

  private static int period(double before) {
    double end = FIRST_PERIOD;
    int period = 0;
    while (before >= end && period < PERIODS - 1) {
      end *= 4;
      period++;
    }
    return period;
  }

  /** Returns the scale that the certificates rest on; of bounded rewards half the range holds. */
  private Rewards rewards() {
    NumberRange numberRange = spec.reward().range();
    double halfRange = (numberRange.high() - numberRange.low()) / 2;
    boolean isBernoulli = spec.policy().family() instanceof LogisticSpec;
    double scale = isBernoulli ? halfRange : scale(halfRange);
    return new Rewards(numberRange.low(), numberRange.high(), scale);
  }

  private double scale(double halfRange) {
    return switch (spec.fairness().confidence()) {
      case SUB_GAUSSIAN -> spec.fairness().scale();
      case JOINT ->
          spec.policy().family() instanceof TabularSpec ? halfRange : spec.fairness().scale();
      case PAPER -> spec.reward().bounded() ? halfRange : spec.reward().scale();
    };
  }
}
