package io.equipoise.policy.refutation;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Variable;
import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelEvidence;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.policy.refutation.Assumptions.Untested;
import io.equipoise.policy.refutation.MeanTest.Rewards;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.NumberRange;
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
import org.jspecify.annotations.Nullable;

/**
 * Plans the tests of what a spec and the models of its policy assume.
 *
 * <p>The family reports what its models assume. Policies over cells assume their tables, and that a
 * reward depends on nothing outside W. A model over features assumes that the mean reward is a
 * function of its features. So the rewards of people and arms with equal features have one mean,
 * also over the levels of a variable that the graph separates from the reward. No test examines
 * which function it is.
 */
public final class AssumptionPlan implements AssumptionFindings {
  /** Rewards of a cell in the first period, with which later ones are compared. */
  private static final int FIRST_PERIOD = 128;

  /** Each period but the last ends at four times the rewards at which the one before it ends. */
  private static final int PERIODS = 7;

  /** Equal parts of a bin whose rewards are compared. */
  private static final int PARTS_OF_BIN = 4;

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
  public static Assumptions of(SegmentSpec spec, Policy policy) {
    AssumptionPlan plan = new AssumptionPlan(spec);
    PolicyFamilies.installed().of(spec.policy().name()).assumptions(policy, plan);
    return new Assumptions(plan.tests, plan.untested, spec.fairness().refutationDelta());
  }

  @Override
  public void untested(String name, String why) {
    untested.add(new Untested(name, why));
  }

  @Override
  public void evidence(ModelEvidence evidence) {
    tests.add(new ModelEvidenceTest(evidence));
  }

  @Override
  public void tables(List<String> mediators) {
    Set<String> seen = new LinkedHashSet<>(mediators);
    Deque<String> open = new ArrayDeque<>(mediators);
    while (!open.isEmpty()) {
      Cpt cpt = spec.distributions().cpt(open.pop()).orElseThrow();
      table(cpt);
      for (Variable parent : cpt.parents()) {
        if (!isGiven(parent.name()) && seen.add(parent.name())) {
          open.add(parent.name());
        }
      }
    }
  }

  private boolean isGiven(String name) {
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
      untested(cpt.title(), "a variable of the table is not observed");
    } else if (cpt.isEstimated()) {
      untested(cpt.title(), "it is estimated from counts, with an error");
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

  @Override
  public void cells(Collection<String> variables, double rewardScale) {
    TestStrata cells = new TestStrata(observed(variables));
    Rewards rewards = rewards(rewardScale);
    bins(cells, rewards);
    for (SpecVariable variable : outside(variables)) {
      independence(
          variable,
          cells,
          rewards,
          "draw the path from %1$s to %2$s that the graph lacks, or add %1$s to"
              + " policy.separating-set");
    }
    range(cells, rewards);
    scale(cells, rewards);
    stability(cells, rewards);
  }

  @Override
  public void features(
      FeatureMap features, String model, boolean isForgetful, @Nullable Double rewardScale) {
    untested(
        "a %s function of the features".formatted(model),
        "only what is alike in all features is compared");
    if (features.hasNumbers()) {
      untested("mean of " + reward + " given the features", "they contain numbers");
      return;
    }
    EstimatedLaw law = EstimatedLaw.ofFeatures(spec, features);
    Set<String> shown = new LinkedHashSet<>(features.variables());
    List<Observed> people = new ArrayList<>();
    for (Observed variable : observed(shown)) {
      if (!isAction(variable.name())) {
        List<String> separated = law.separated(this.variables.named(variable.name()));
        boolean isPart = !separated.isEmpty() && separated.size() < variable.levels();
        people.add(isPart ? variable.merged(separated) : variable);
        if (isPart) {
          shown.remove(variable.name());
        }
      }
    }
    List<Observed> all = new ArrayList<>(people);
    all.add(Observed.arm(spec.arms()));
    TestStrata cells = new TestStrata(all);
    NumberRange range = spec.reward().range();
    Rewards rewards = rewards(rewardScale == null ? range.width() / 2 : rewardScale);
    bins(cells, rewards);
    for (SpecVariable variable : outside(shown)) {
      if (variable.role() != VariableRole.ACTION && isSeparated(variable.name(), law, people)) {
        independence(variable, cells, rewards, "add {one-hot: %1$s} to policy.features");
      }
    }
    if (rewardScale != null) {
      range(cells, rewards);
      scale(cells, rewards);
    }
    if (isForgetful) {
      untested(constantMean(cells), "the model forgets, so it is not assumed");
    } else {
      stability(cells, rewards);
    }
  }

  /**
   * Returns whether the graph has no path from a variable to the reward around these and the arm.
   */
  private boolean isSeparated(String name, EstimatedLaw law, List<Observed> people) {
    List<String> given = new ArrayList<>();
    people.forEach(variable -> given.add(variable.name()));
    variables.actions().forEach(variable -> given.add(variable.name()));
    return Separation.separated(law.graph(), List.of(law.itself(name)), List.of(reward), given);
  }

  /** Adds the tests of numbers that act by their bins: rewards of a cell are alike within a bin. */
  private void bins(TestStrata cells, Rewards rewards) {
    int number = -1;
    for (SpecVariable variable : variables.all()) {
      boolean isOfPerson = variable.role().isFeature() && variable.isNumeric();
      number += isOfPerson ? 1 : 0;
      String name = "%s depends on %s by its bin alone".formatted(reward, variable.name());
      if (variable.actsByBin() && isOfPerson && cells.has(variable.name())) {
        int place = variables.features().indexOf(variable);
        int at = number;
        tests.add(
            new MeanTest(
                AssumptionKind.INDEPENDENCE,
                name + given(cells),
                cells,
                PARTS_OF_BIN,
                MeanTest.byLevel(experience -> partOfBin(variable, place, at, experience)),
                rewards,
                variable.levels().toString(),
                "remove acts-by: bin from variables.%1$s, or give %1$s finer cuts"
                    .formatted(variable.name())));
      } else if (variable.actsByBin() && variable.role() != VariableRole.ACTION) {
        untested(name, isOfPerson ? "no cell has its bin" : "its numbers are not kept");
      }
    }
  }

  /** Returns which of the equal parts of its bin a person's number is in; -1 without a number. */
  private static int partOfBin(
      SpecVariable variable, int place, int number, Experience experience) {
    int bin = experience.person()[place];
    if (number >= experience.inputs().length || bin == variable.undisclosed()) {
      return -1;
    }
    double value = experience.inputs()[number];
    double low = variable.lowEnd(bin);
    double share = (value - low) / (2 * (variable.middle(bin) - low));
    return Math.max(0, Math.min(PARTS_OF_BIN - 1, (int) (share * PARTS_OF_BIN)));
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

  private void independence(
      SpecVariable variable, TestStrata cells, Rewards rewards, String remedy) {
    Observed observed = Observed.named(variable.name(), variables);
    if (observed != null && observed.levels() > 1) {
      tests.add(
          new MeanTest(
              AssumptionKind.INDEPENDENCE,
              "%s independent of %s%s".formatted(reward, variable.name(), given(cells)),
              cells,
              observed.levels(),
              MeanTest.byLevel(observed::of),
              rewards,
              observed.names().toString(),
              remedy.formatted(variable.name(), reward)));
    }
  }

  /** Rewards of a bounded range are refused outside of it. */
  private void range(TestStrata cells, Rewards rewards) {
    if (!spec.reward().bounded()) {
      NumberRange numberRange = spec.reward().range();
      String name = "mean of %s%s from %s to %s";
      tests.add(
          new RangeTest(
              name.formatted(reward, given(cells), numberRange.low(), numberRange.high()),
              cells,
              rewards));
    }
  }

  /** Half the range is a scale of every bounded reward. */
  private void scale(TestStrata cells, Rewards rewards) {
    if (!spec.reward().bounded() || rewards.scale() < (rewards.high() - rewards.low()) / 2) {
      String name = reward + " is sub-Gaussian with scale " + rewards.scale() + given(cells);
      tests.add(new ScaleTest(name, cells, rewards.scale()));
    }
  }

  private void stability(TestStrata cells, Rewards rewards) {
    tests.add(
        new MeanTest(
            AssumptionKind.STABILITY,
            constantMean(cells),
            cells,
            PERIODS,
            (experience, before) -> period(before),
            rewards,
            String.valueOf(FIRST_PERIOD),
            "start the model with nothing under a new spec, or use a policy that forgets"));
  }

  private String constantMean(TestStrata cells) {
    return "mean of " + reward + given(cells) + " constant over time";
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

  private Rewards rewards(double scale) {
    NumberRange range = spec.reward().range();
    return new Rewards(range.low(), range.high(), scale);
  }

  /**
   * Tests that the mean reward of each cell lies in the declared range, for rewards that may lie
   * outside it (docs/math/refutation.md#range-of-means).
   *
   * <p>As in {@link MeanTest}: the mixture of normal likelihoods over means that are normal around
   * the middle of the range, with the range as standard deviation tau, divided by the greatest
   * likelihood of a mean in the range. With d the distance of the sample mean from the middle and e
   * that from the range,
   *
   * <pre>log E = n e^2 / (2 s^2) - (log(1 + n tau^2/s^2) + d^2/(s^2/n + tau^2)) / 2
   * </pre>
   */
  private static final class RangeTest extends AssumptionTest {
    private final double low;
    private final double high;
    private final double scaleSquared;

    RangeTest(String name, TestStrata cells, MeanTest.Rewards rewards) {
      super(AssumptionKind.RANGE, name, cells, 3);
      low = rewards.low();
      high = rewards.high();
      scaleSquared = rewards.scale() * rewards.scale();
    }

    @Override
    boolean add(double[] numbers, int at, Experience experience) {
      double middle = low + (high - low) / 2;
      double n = ++numbers[at + 1];
      numbers[at + 2] += experience.reward() - middle;
      double apart = Math.abs(numbers[at + 2]) / n;
      double beyond = Math.max(0, apart - (high - low) / 2);
      double tauSquared = (high - low) * (high - low);
      numbers[at] =
          n * beyond * beyond / (2 * scaleSquared)
              - (StrictMath.log(1 + n * tauSquared / scaleSquared)
                      + apart * apart / (scaleSquared / n + tauSquared))
                  / 2;
      return true;
    }

    @Override
    void describe(StringBuilder text) {
      for (double setting : new double[] {low, high, scaleSquared}) {
        text.append(' ').append(Long.toHexString(Double.doubleToLongBits(setting)));
      }
    }

    @Override
    String remedy() {
      return "widen reward.range, so that it holds the mean reward of every cell";
    }
  }

  /** Compares evidence that the model itself collects with a threshold; all arms count together. */
  private static final class ModelEvidenceTest extends AssumptionTest {
    private final ModelEvidence evidence;

    ModelEvidenceTest(ModelEvidence evidence) {
      super(evidence.kind(), evidence.name(), new TestStrata(List.of()), 1);
      this.evidence = evidence;
    }

    @Override
    boolean sharesDelta() {
      return evidence.logThreshold() == null;
    }

    @Override
    void observe(
        EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
      eProcess.observations++;
      double log = evidence.statistic().logEvidence(modelState, experience);
      if (Double.isNaN(log)) {
        return;
      }
      eProcess.logTotal = log;
      eProcess.numbers[0] = log;
      if (eProcess.logTotal >= logThreshold(ALL, logOneOverShare)) {
        eProcess.refute(ALL);
      }
    }

    @Override
    double logThreshold(int stratum, double logOneOverShare) {
      Double own = evidence.logThreshold();
      return own == null ? logOneOverShare : own;
    }

    @Override
    boolean add(double[] numbers, int at, Experience experience) {
      throw new UnsupportedOperationException("the model has the evidence");
    }

    @Override
    void describe(StringBuilder text) {
      text.append(' ').append(Long.toHexString(evidence.meaning()));
    }

    @Override
    String remedy() {
      return evidence.remedy();
    }
  }
}
