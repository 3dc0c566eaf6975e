package io.equipoise.policy.bestarm;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.KeyType;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.Ties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Declares the searches with a fixed budget, which end; their statistics are those of their phases.
 */
public final class BestArmFamily implements PolicyFamily {
  private static final Map<Integer, Supplier<StateBlock>> FORMATS =
      IntStream.rangeClosed(ExperimentBlock.FIRST_FORMAT, ExperimentBlock.LAST_FORMAT)
          .boxed()
          .collect(Collectors.toMap(code -> code, code -> ExperimentBlock::new));

  @Override
  public String name() {
    return "best-arm";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(Algorithm.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return ExperimentReader.read((Algorithm) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return CsrPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return FORMATS;
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    CsrPolicy search = (CsrPolicy) policy;
    search.warnings().forEach(findings::warn);
    new ExperimentFindings(search, findings).report();
  }

  /** Reads what {@code policy} says of a search for the best fair arm. */
  private record ExperimentReader(Section section, @Nullable Arms arms) {
    /** Returns null after a fault, also in the arms or the reward. */
    static @Nullable PolicySpec read(Algorithm name, PolicySection section) {
      RewardRule reward = section.reward();
      boolean isUnit = reward == null || isUnit(name, section.fields(), reward);
      ExperimentSpec read = new ExperimentReader(section.fields(), section.arms()).experiment();
      return isUnit && read != null ? new PolicySpec(name, Ties.LOWEST, null, read) : null;
    }

    private @Nullable ExperimentSpec experiment() {
      long samples = section.whole("samples");
      Field controlField = section.get("control");
      Integer control = controlField == null ? null : arm(controlField);
      Mode mode = section.word("mode", Mode.class);
      FairnessEstimate estimate = section.word("estimate", FairnessEstimate.class);
      Map<String, Double> costs = costs(control);
      double budget = section.number("budget", 1 / Math.sqrt((double) samples));
      if (samples > 0 && costs != null) {
        checkBudget(budget, costs);
      }
      double minClosedFraction = section.number("min-closed-fraction");
      String abort = section.text("abort");
      return control == null
              || mode == null
              || estimate == null
              || costs == null
              || !section.isSound()
          ? null
          : new ExperimentSpec(
              (int) samples, control, mode, estimate, costs, budget, minClosedFraction, abort);
    }

    private static boolean isUnit(Algorithm name, Section section, RewardRule reward) {
      NumberRange numberRange = reward.range();
      boolean isUnit = numberRange.low() == 0 && numberRange.high() == 1 && reward.bounded();
      if (!isUnit) {
        section
            .field()
            .fault(
                name.wire()
                    + " with "
                    + (reward.bounded() ? "" : "unbounded ")
                    + "rewards from "
                    + Field.shown(numberRange.low())
                    + " to "
                    + Field.shown(numberRange.high()),
                "reward.range [0, 1], bounded: divide rewards and tau by the greatest reward");
      }
      return isUnit;
    }

    private String oneOf(String given) {
      return arms == null
          ? "an arm"
          : Nearest.oneOf(given, arms.list().stream().map(Arm::id).toList());
    }

    /** Returns the place of an arm; null after a fault, also in the arms. */
    private @Nullable Integer arm(Field field) {
      String id = field.text();
      if (id == null || arms == null) {
        return null;
      }
      int place = arms.indexOf(id);
      if (place < 0) {
        field.fault(oneOf(id));
        return null;
      }
      return place;
    }

    /** Returns the costs that are given; else the control is free and every other arm costs 1. */
    private @Nullable Map<String, Double> costs(@Nullable Integer control) {
      Section given = section.names("costs");
      if (arms == null || control == null) {
        return null;
      }
      Map<String, Double> costs = new TreeMap<>();
      for (int place = 0; place < arms.size(); place++) {
        costs.put(arms.get(place).id(), place == control ? 0.0 : 1.0);
      }
      if (given == null) {
        return costs;
      }
      given.refuseOthers(List.copyOf(costs.keySet()));
      KeyType type = section.itemType("costs");
      given
          .fields()
          .forEach(
              (arm, field) -> {
                Double cost = field.number(type);
                if (cost != null) {
                  costs.replace(arm, cost);
                }
              });
      return given.isSound() ? costs : null;
    }

    private void checkBudget(double budget, Map<String, Double> costs) {
      Field field = section.get("budget");
      double cheapest = costs.values().stream().mapToDouble(cost -> cost).min().orElse(0);
      if (budget < cheapest) {
        (field == null ? section.field() : field)
            .fault(
                "a budget of " + budget + " a pull",
                "at least " + Field.shown(cheapest) + ", what the cheapest arm costs");
      }
    }
  }
}
