package io.equipoise.policy.bestarm;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.Learn;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Compiles a spec into a search that can be run, or reports all its faults. */
final class CsrCompilation {
  /** The program of a phase is solved between two events. */
  private static final int MOST_ARMS = 100;

  /** Divergences compare every two arms in every cell at every level; a second or two. */
  private static final double MOST_ODDS = 5e7;

  private final SegmentSpec spec;
  private final ExperimentSpec experiment;
  private final List<SpecFault> faults = new ArrayList<>();

  /**
   * Carries the result of a compilation.
   *
   * @param steps of the search
   * @param strata who is in which group and cell
   * @param intervened the place of V among the mediators
   */
  record Compiled(ExperimentSteps steps, SearchStrata strata, int intervened, String fingerprint) {}

  CsrCompilation(SegmentSpec spec) {
    this.spec = spec;
    experiment = ExperimentSpec.of(spec);
  }

  /**
   * Compiles.
   *
   * @throws SpecException with all faults
   */
  Compiled compiled() {
    requireJoin();
    requireGrace();
    if (spec.arms().size() > MOST_ARMS) {
      fault("arms", spec.arms().size() + " arms", "at most " + MOST_ARMS + " in one search");
    }
    ExperimentGraph graph = new ExperimentGraph(spec);
    faults.addAll(graph.faults);
    if (graph.hasIntervened()) {
      requireDefault(graph.intervened().name());
    }
    if (spec.arms().size() > MOST_ARMS || !graph.faults.isEmpty()) {
      throw new SpecException(faults);
    }
    CsrDefinition definition = null;
    CsrModel model = null;
    try {
      definition = definition(graph);
      requireFeasible(definition.cellVariables(), graph);
      model = definition.compile();
    } catch (IllegalArgumentException e) {
      fault(
          "distributions",
          String.valueOf(e.getMessage()),
          "P of the sensitive variable, of the context variables between it and the reward, of the"
              + " parents of the variable that arms set, and of all causes of these");
    }
    Design design = model == null ? null : design(model);
    throwIfAny();
    SearchStrata searchStrata =
        new SearchStrata(
            spec.variables().features(),
            graph.sensitive().name(),
            Objects.requireNonNull(definition).cellVariables());
    ExperimentSteps steps = new ExperimentSteps(Objects.requireNonNull(design), conduct());
    int intervened = spec.variables().mediators().indexOf(graph.intervened());
    return new Compiled(steps, searchStrata, intervened, fingerprint(steps));
  }

  private @Nullable Design design(CsrModel model) {
    try {
      return new Design(model, settings(), costs());
    } catch (IllegalArgumentException e) {
      fault(
          "fairness.tau",
          spec.fairness().tau() + " with policy.samples " + experiment.samples(),
          String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void requireJoin() {
    Aggregate aggregate = spec.join().aggregate();
    if (aggregate != Aggregate.FIRST) {
      fault(
          "join.aggregate",
          aggregate.wire(),
          "first: a search counts one outcome for each sample, once");
    }
  }

  /** A phase that does not wait for all of its windows must not prefer what comes fast. */
  private void requireGrace() {
    if (experiment.minClosedFraction() == 1) {
      return;
    }
    if (!algorithm().isCumulative) {
      fault(
          "policy.min-closed-fraction",
          experiment.minClosedFraction() + " for " + algorithm().wire(),
          "1: it forgets earlier phases, so it waits for all windows; csr-v2 and ts-v2 need not");
    }
    if (spec.join().learn() != Learn.ON_WINDOW_CLOSE) {
      fault(
          "policy.min-closed-fraction",
          experiment.minClosedFraction() + " with join.learn " + spec.join().learn().wire(),
          "join.learn: on-window-close, so that outcomes that come fast are not preferred");
    }
  }

  private Algorithm algorithm() {
    return (Algorithm) spec.policy().name();
  }

  /** A sample that stayed silent needs a level of V, unless its reward is 0. */
  private void requireDefault(String intervened) {
    DefaultReward byDefault = spec.reward().byDefault();
    boolean isNothing = byDefault == null || byDefault.value() == 0;
    if (!isNothing && !byDefault.mediators().containsKey(intervened)) {
      fault(
          "reward.default",
          "the value " + byDefault.value() + " without a level of " + intervened,
          "value 0, which counts the same at every level, or mediators: {" + intervened + ": ...}");
    }
  }

  private void fault(String place, String given, String allowed) {
    faults.add(new SpecFault(place, given, allowed));
  }

  private void throwIfAny() {
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
  }

  private CsrDefinition definition(ExperimentGraph graph) {
    String intervened = graph.intervened().name();
    Cpt table =
        spec.distributions()
            .cpt(intervened)
            .orElseThrow(
                () ->
                    new DistributionException(
                        "the distribution of \"" + intervened + "\" under each arm is not known"));
    SpecVariable sensitive = graph.sensitive();
    return new CsrDefinition(
        spec.distributions(),
        sensitive.name(),
        sensitive.levels().subList(0, 2),
        intervened,
        spec.variables().reward().name(),
        spec.arms().list().stream().map(arm -> ofArm(table, arm)).toList(),
        graph.withoutArms());
  }

  /** Returns P_k(V | pa V): the rows of the table where the actions have the arm's levels. */
  private Cpt ofArm(Cpt table, Arm arm) {
    List<SpecVariable> actions = spec.variables().actions();
    List<String> names = actions.stream().map(SpecVariable::name).toList();
    List<Variable> parents =
        table.parents().stream().filter(parent -> !names.contains(parent.name())).toList();
    Cells rows = new Cells(parents);
    double[] own = new double[rows.count() * table.child().size()];
    int[] levels = new int[table.parents().size()];
    for (int row = 0; row < rows.count(); row++) {
      for (int place = 0; place < levels.length; place++) {
        Variable parent = table.parents().get(place);
        int action = names.indexOf(parent.name());
        levels[place] = action < 0 ? rows.level(row, parent) : arm.level(action);
      }
      for (int v = 0; v < table.child().size(); v++) {
        own[row * table.child().size() + v] = table.probability(levels, v);
      }
    }
    return new Cpt(table.child(), parents, own);
  }

  /**
   * Checks that what a sample is weighted with is known of a person, and is few enough to compare.
   */
  private void requireFeasible(List<Variable> cells, ExperimentGraph graph) {
    List<String> names = cells.stream().map(Variable::name).toList();
    for (String name : graph.withoutArms().ancestors(names)) {
      if (!spec.variables().named(name).role().isFeature()) {
        throw new DistributionException(
            "\"" + name + "\" is no context variable, but a cause of one of " + names);
      }
    }
    double arms = spec.arms().size();
    double odds = arms * arms * new Cells(cells).count() * graph.intervened().levels().size();
    if (odds > MOST_ODDS) {
      throw new DistributionException(
          text(
              "%.0f arms squared x %d joint levels of %s x %d levels of %s are more than %.0f",
              arms,
              new Cells(cells).count(),
              names,
              graph.intervened().levels().size(),
              graph.intervened().name(),
              MOST_ODDS));
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private Design.Settings settings() {
    return new Design.Settings(
        algorithm(),
        experiment.mode(),
        experiment.estimate(),
        experiment.samples(),
        spec.fairness().tau(),
        spec.fairness().delta());
  }

  private Costs costs() {
    double[] ofArm =
        spec.arms().list().stream()
            .mapToDouble(arm -> Objects.requireNonNull(experiment.costs().get(arm.id())))
            .toArray();
    return new Costs(ofArm, experiment.budget());
  }

  /** Neither key nor version: they are the segment's and the spec's, and change no answer. */
  private RunSettings conduct() {
    boolean isAssumed = spec.join().shown() == ShownRule.ASSUMED;
    DefaultReward byDefault = spec.reward().byDefault();
    double value = byDefault == null ? 0 : byDefault.value();
    return new RunSettings(
        "",
        0,
        spec.seed(),
        experiment.control(),
        spec.join().rewardWindow().toMillis(),
        isAssumed ? OptionalDouble.of(value) : OptionalDouble.empty(),
        experiment.minClosedFraction());
  }

  /** Hashes the experiment and what its numbers stand for: variables, levels, cuts and arms. */
  private String fingerprint(ExperimentSteps steps) {
    StringBuilder kind = new StringBuilder("experiment ").append(steps.configHash());
    spec.arms().list().forEach(arm -> kind.append('\n').append(arm));
    return EstimatedLaw.fingerprint(spec, kind.toString(), spec.variables());
  }
}
