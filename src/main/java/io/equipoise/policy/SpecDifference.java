package io.equipoise.policy;

import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Explains to people why what one policy has learned means something else under another: the first
 * difference that is found. Asked only where fingerprints differ and the later policy is no {@link
 * Migration#extensionOf extension} of the earlier one.
 */
public final class SpecDifference {
  private SpecDifference() {}

  /** Returns the difference with what to do about it, without a full stop. */
  public static String of(Policy before, Policy after) {
    String one = before.spec().policy().name().wire();
    String other = after.spec().policy().name().wire();
    if (before.getClass() != after.getClass()) {
      return "policy %s keeps other statistics than %s".formatted(other, one);
    }
    String found = ofVariables(before, after);
    found = found == null ? ofRewards(before.spec(), after.spec()) : found;
    found = found == null ? ofArms(before.spec(), after) : found;
    return found == null
        ? "the statistics of %s depend on %s".formatted(other, after.dependsOn())
        : found;
  }

  private static @Nullable String ofVariables(Policy before, Policy after) {
    List<SpecVariable> variables = after.spec().variables().all();
    for (SpecVariable variable : before.spec().variables().all()) {
      if (!after.spec().variables().has(variable.name())) {
        return "variable %s is gone; keep it".formatted(variable.name());
      }
    }
    for (SpecVariable variable : variables) {
      if (!before.spec().variables().has(variable.name())) {
        return "variable %s is new".formatted(variable.name());
      }
      SpecVariable earlier = before.spec().variables().named(variable.name());
      String found = ofVariable(earlier, variable);
      found = found == null ? ofGoneLevels(before, after, earlier, variable) : found;
      if (found == null && !earlier.levels().equals(variable.levels())) {
        found = after.refusalOfLevels(variable);
        found = found == null ? null : ofLevels(earlier, variable) + ": " + found;
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String ofVariable(SpecVariable before, SpecVariable after) {
    String name = before.name();
    if (before.role() != after.role()) {
      return "variable %s has another role".formatted(name);
    }
    if (before.missing() != after.missing()) {
      return "variable %s has another value of missing".formatted(name);
    }
    if (!Objects.equals(before.range(), after.range())
        || !Arrays.equals(before.cuts(), after.cuts())) {
      return "variable %s has another range or other cuts".formatted(name);
    }
    return null;
  }

  /** Returns why levels that are gone cannot be, or null if they can. */
  static @Nullable String ofGoneLevels(Migration before, Migration after) {
    return after.spec().variables().all().stream()
        .filter(variable -> before.spec().variables().has(variable.name()))
        .map(
            variable ->
                ofGoneLevels(
                    before, after, before.spec().variables().named(variable.name()), variable))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String ofGoneLevels(
      Migration before, Migration after, SpecVariable earlier, SpecVariable variable) {
    List<String> gone = without(earlier.levels(), variable.levels());
    if (gone.isEmpty()) {
      return null;
    }
    String what = "levels %s of variable %s are gone".formatted(gone, variable.name());
    int place = before.spec().variables().actions().indexOf(earlier);
    String refusal = place < 0 ? "it is no action" : after.refusalOfRemoval(variable);
    if (refusal != null) {
      return "%s; keep them, and retire arms instead: %s".formatted(what, refusal);
    }
    List<String> arms =
        before.spec().arms().list().stream()
            .filter(arm -> gone.contains(earlier.levels().get(arm.level(place))))
            .map(Arm::id)
            .toList();
    return arms.isEmpty()
        ? null
        : "%s, but arms %s set them; retire these in one version, and remove levels in a later one"
            .formatted(what, arms);
  }

  private static String ofLevels(SpecVariable before, SpecVariable after) {
    List<String> added = without(after.levels(), before.levels());
    return added.isEmpty()
        ? "the levels of variable %s have another order".formatted(after.name())
        : "levels %s of variable %s are new".formatted(added, after.name());
  }

  private static @Nullable String ofRewards(SegmentSpec before, SegmentSpec after) {
    if (!before.reward().range().equals(after.reward().range())) {
      return "reward.range is another";
    }
    if (before.reward().bounded() != after.reward().bounded()) {
      return "reward.bounded is another: statistics may hold rewards outside of the range";
    }
    if (before.hasWindowedReward()
        && after.hasWindowedReward()
        && !(before.join().rewardWindow().equals(after.join().rewardWindow())
            && before.join().earlyRewardTimeout().equals(after.join().earlyRewardTimeout()))) {
      return "join.reward-window or early-reward-timeout is another, and the reward is what comes"
          + " within it; keep both, or start a new model";
    }
    return before.rewardMeaning().equals(after.rewardMeaning())
        ? null
        : "join.aggregate, join.learn, reward.default or join.shown gives rewards another meaning";
  }

  private static @Nullable String ofArms(SegmentSpec before, Policy after) {
    String refusal = after.refusalOfArms();
    List<String> earlier = before.arms().list().stream().map(Arm::id).toList();
    List<String> later = after.spec().arms().list().stream().map(Arm::id).toList();
    if (refusal == null || earlier.equals(later)) {
      return null;
    }
    List<String> added = without(later, earlier);
    List<String> gone = without(earlier, later);
    List<String> parts = new ArrayList<>();
    if (!added.isEmpty()) {
      parts.add("arms %s are new".formatted(added));
    }
    if (!gone.isEmpty()) {
      parts.add("arms %s are gone".formatted(gone));
    }
    String what = parts.isEmpty() ? "the arms have another order" : String.join(" and ", parts);
    return what + ": " + refusal;
  }

  private static List<String> without(List<String> all, List<String> others) {
    return all.stream().filter(one -> !others.contains(one)).toList();
  }
}
