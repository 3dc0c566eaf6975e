package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.ExperimentSpec.Estimate;
import io.equipoise.policy.bestarm.ExperimentSpec.Mode;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of a search for the best fair arm. */
final class ExperimentReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "samples",
          "control",
          "mode",
          "estimate",
          "costs",
          "budget",
          "min-closed-fraction",
          "abort");

  private static final int MOST_PULLS = 1_000_000_000;
  private static final int MAX_REASON_LENGTH = 1024;

  private final Section section;
  private final @Nullable Arms arms;

  private ExperimentReader(Section section, @Nullable Arms arms) {
    this.section = section;
    this.arms = arms;
  }

  /** Returns null after a fault, also in the arms or the reward. */
  static @Nullable PolicySpec read(Algorithm name, PolicySection section) {
    if (section.refuses(
            "constraint",
            "no constraint: an experiment certifies effects against fairness.tau by itself")
        || section.refuses(
            "explore",
            "no explore: an experiment draws its samples by its own plan, and logs how likely")) {
      return null;
    }
    section.fields().refuseOthers(KEYS);
    RewardRule reward = section.reward();
    boolean isUnit = reward == null || isUnit(name, section.fields(), reward);
    ExperimentSpec read = new ExperimentReader(section.fields(), section.arms()).experiment();
    return isUnit && read != null ? new PolicySpec(name, Ties.LOWEST, null, read) : null;
  }

  private @Nullable ExperimentSpec experiment() {
    Field pullsField = section.require("samples", "T, the number of samples");
    Long pulls = pullsField == null ? null : pullsField.whole(1, MOST_PULLS);
    Field incumbentField =
        section.require("control", "the arm of those who are no sample: " + oneOf(""));
    Integer incumbent = incumbentField == null ? null : arm(incumbentField);
    Field modeField = section.get("mode");
    Mode mode = modeField == null ? Mode.NATURAL : modeField.oneOf(Mode.values(), Mode::wire);
    Field estimateField = section.get("estimate");
    Estimate estimate =
        estimateField == null
            ? Estimate.COUNTERFACTUAL
            : estimateField.oneOf(Estimate.values(), Estimate::wire);
    Map<String, Double> costs = costs(section.get("costs"), incumbent);
    Double budget = budget(section.get("budget"), pulls, costs);
    Double minClosedFraction = minClosedFraction(section.get("min-closed-fraction"));
    Field abortField = section.get("abort");
    String abort = abortField == null ? null : reason(abortField);
    boolean lacksReason = abortField != null && abort == null;
    return pulls == null
            || incumbent == null
            || mode == null
            || estimate == null
            || costs == null
            || budget == null
            || minClosedFraction == null
            || lacksReason
        ? null
        : new ExperimentSpec(
            pulls.intValue(), incumbent, mode, estimate, costs, budget, minClosedFraction, abort);
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

  /** Returns what is given; else the incumbent is free and every other arm costs 1. */
  private @Nullable Map<String, Double> costs(@Nullable Field field, @Nullable Integer incumbent) {
    if (arms == null || incumbent == null) {
      return null;
    }
    Map<String, Double> costs = new TreeMap<>();
    for (int place = 0; place < arms.size(); place++) {
      costs.put(arms.get(place).id(), place == incumbent ? 0.0 : 1.0);
    }
    if (field == null) {
      return costs;
    }
    Section given = Section.ofNames(field);
    given.refuseOthers(List.copyOf(costs.keySet()));
    boolean isSound = given.isMapping();
    for (Map.Entry<String, Field> entry : given.fields().entrySet()) {
      Double cost = entry.getValue().number();
      if (cost != null && cost < 0) {
        entry.getValue().fault("a number of at least 0");
      }
      isSound &= cost != null && cost >= 0;
      if (cost != null) {
        costs.replace(entry.getKey(), cost);
      }
    }
    return isSound ? costs : null;
  }

  private @Nullable Double budget(
      @Nullable Field field, @Nullable Long pulls, @Nullable Map<String, Double> costs) {
    if (pulls == null || costs == null) {
      return null;
    }
    Double budget = field == null ? Double.valueOf(1 / Math.sqrt(pulls)) : field.number();
    double cheapest = costs.values().stream().mapToDouble(cost -> cost).min().orElse(0);
    if (budget != null && budget < cheapest) {
      (field == null ? section.field() : field)
          .fault(
              "a budget of " + budget + " a pull",
              "at least " + Field.shown(cheapest) + ", what the cheapest arm costs");
      return null;
    }
    return budget;
  }

  private static @Nullable Double minClosedFraction(@Nullable Field field) {
    if (field == null) {
      return 1.0;
    }
    Double share = field.number();
    if (share != null && !(share > 0 && share <= 1)) {
      field.fault("a number above 0 and at most 1, the default: all windows of a phase");
      return null;
    }
    return share;
  }

  private static @Nullable String reason(Field field) {
    String reason = field.text();
    if (reason != null && reason.length() > MAX_REASON_LENGTH) {
      field.fault("a reason of at most " + MAX_REASON_LENGTH + " characters");
      return null;
    }
    return reason;
  }
}
