package io.equipoise.bandit.refutation;

import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.TabularBandit;
import io.equipoise.bandit.refutation.Assumptions.Untested;
import io.equipoise.bandit.refutation.MeanTest.Rewards;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.Variable;
import io.equipoise.spec.Range;
import io.equipoise.spec.RewardRule;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.Variables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads off a spec what it assumes, and how that can be tested. */
public final class AssumptionPlan {
  /** Rewards of a cell that are compared with all later ones at first. */
  private static final int FIRST_PERIOD = 128;

  /** Each period but the last ends at four times the rewards at which the one before it ends. */
  private static final int PERIODS = 7;

  private final SegmentSpec spec;
  private final Variables variables;
  private final List<String> w;
  private final List<AssumptionTest> tests = new ArrayList<>();
  private final List<Untested> untested = new ArrayList<>();

  private AssumptionPlan(SegmentSpec spec, List<String> w) {
    this.spec = spec;
    this.variables = spec.variables();
    this.w = w;
  }

  /** Compiles the tests of a spec. */
  public static Assumptions of(SegmentSpec spec, Bandit bandit) {
    double delta = spec.fairness().refutationDelta();
    if (!(bandit instanceof TabularBandit tabular)) {
      String why = "policy " + spec.policy().name().wire() + " keeps no cells to compare";
      return new Assumptions(
          List.of(), List.of(new Untested("graph and reward model", why)), delta);
    }
    AssumptionPlan plan = new AssumptionPlan(spec, tabular.separatingSet().variables());
    plan.tables(tabular.separatingSet().mediators());
    plan.cells();
    return new Assumptions(plan.tests, plan.untested, delta);
  }

  /** Plans the tests of the tables that p(z | x, a) is made of. */
  private void tables(List<String> mediators) {
    Set<String> seen = new LinkedHashSet<>(mediators);
    Deque<String> open = new ArrayDeque<>(mediators);
    while (!open.isEmpty()) {
      Cpt cpt = spec.distributions().cpt(open.pop()).orElseThrow();
      table(cpt);
      for (Variable parent : cpt.parents()) {
        Observed observed = Observed.named(parent.name(), variables);
        boolean isHeld = observed != null && !mediator(observed.variable());
        if (!isHeld && seen.add(parent.name())) {
          open.add(parent.name());
        }
      }
    }
  }

  private boolean mediator(SpecVariable variable) {
    return variables.mediators().contains(variable);
  }

  private void table(Cpt cpt) {
    Observed child = Observed.named(cpt.child().name(), variables);
    List<Observed> parents = observed(cpt.parents().stream().map(Variable::name).toList());
    if (child == null || parents.size() < cpt.parents().size()) {
      untested.add(new Untested(cpt.title(), "a variable of the table is not observed"));
    } else if (cpt.isEstimated()) {
      untested.add(new Untested(cpt.title(), "it is estimated from counts, with an error"));
    } else {
      tests.add(new TableTest(cpt, child, new Strata(parents)));
    }
  }

  /** Returns the observed variables of these names. */
  private List<Observed> observed(List<String> names) {
    List<Observed> observed = new ArrayList<>();
    for (String name : names) {
      Observed variable = Observed.named(name, variables);
      if (variable != null) {
        observed.add(variable);
      }
    }
    return observed;
  }

  private void cells() {
    Strata cells = new Strata(observed(w));
    Range range = spec.reward().range();
    Rewards rewards = new Rewards(range.low(), range.high(), scale());
    String reward = variables.reward().name();
    String given = w.isEmpty() ? "" : " given " + String.join(", ", w);
    for (SpecVariable variable : outsideW()) {
      independence(variable, cells, rewards, given);
    }
    double halfRange = (range.high() - range.low()) / 2;
    if (!spec.reward().bounded() || rewards.scale() < halfRange) {
      String name = reward + " is sub-Gaussian with scale " + rewards.scale() + given;
      tests.add(new ScaleTest(name, cells, rewards.scale()));
    }
    tests.add(
        new MeanTest(
            AssumptionKind.STABILITY,
            "mean of " + reward + given + " constant over time",
            cells,
            PERIODS,
            (experience, before) -> period(before),
            rewards,
            String.valueOf(FIRST_PERIOD),
            "start the model with nothing under a new spec, or use a policy that forgets"));
  }

  /** Returns the features, the sensitive ones first, and actions that no cell tells apart. */
  private List<SpecVariable> outsideW() {
    List<SpecVariable> outside = new ArrayList<>();
    List<SpecVariable> features = variables.features();
    variables.sensitive().forEach(place -> outside.add(features.get(place)));
    features.stream().filter(it -> !outside.contains(it)).forEach(outside::add);
    outside.addAll(variables.actions());
    outside.removeIf(variable -> w.contains(variable.name()));
    return outside;
  }

  private void independence(SpecVariable variable, Strata cells, Rewards rewards, String given) {
    Observed observed = Observed.named(variable.name(), variables);
    if (observed == null || observed.levels() < 2) {
      return;
    }
    String name = variable.name();
    String reward = variables.reward().name();
    String levels = variable.levels().subList(0, observed.levels()).toString();
    tests.add(
        new MeanTest(
            AssumptionKind.INDEPENDENCE,
            "%s independent of %s%s".formatted(reward, name, given),
            cells,
            observed.levels(),
            MeanTest.byLevel(observed::of),
            rewards,
            levels,
            "draw the path from %1$s to %2$s that the graph lacks, or add %1$s to policy.separating-set"
                .formatted(name, reward)));
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
  private double scale() {
    RewardRule reward = spec.reward();
    double halfRange = (reward.range().high() - reward.range().low()) / 2;
    return switch (spec.fairness().confidence()) {
      case SUB_GAUSSIAN -> spec.fairness().scale();
      case EMPIRICAL_BERNSTEIN -> halfRange;
      case PAPER -> reward.bounded() ? halfRange : reward.scale();
    };
  }
}
