package io.equipoise.watch;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the challengers that a champion's log cannot replay, and the groups that it cannot count.
 */
public final class ChallengerCheck {
  /** Most groups of a monitor. */
  public static final int MOST_GROUPS = 64;

  private static final String SAMPLING = "lin-ts";

  private ChallengerCheck() {}

  /** Returns why a challenger cannot be compared with a champion, or null if it can. */
  public static @Nullable RefusedWatch of(CompiledSpec champion, CompiledSpec challenger) {
    SegmentSpec one = champion.spec();
    SegmentSpec other = challenger.spec();
    if (champion.experiment() != null || challenger.experiment() != null) {
      return refused(
          WatchRefusal.EXPERIMENT, "a best-arm experiment is no policy that goes on; end it first");
    }
    if (isSampling(one) || isSampling(other)) {
      return refused(
          WatchRefusal.ESTIMATED_PROPENSITIES,
          "policy %s has no exact propensities; use another policy".formatted(SAMPLING));
    }
    if (!one.reward().bounded()) {
      return refused(
          WatchRefusal.REWARD_UNBOUNDED,
          "reward.bounded is false; the bounds need rewards within reward.range");
    }
    if (!one.reward().equals(other.reward()) || !one.join().equals(other.join())) {
      return refused(
          WatchRefusal.REWARD_DIFFERS,
          "reward and join of spec %s differ from those of spec %s, which decides; copy them"
              .formatted(other.name(), one.name()));
    }
    if (other.policy().causalBounds() != null) {
      return refused(
          WatchRefusal.CAUSAL_BOUNDS,
          "remove policy.causal-bounds from spec %s".formatted(other.name()));
    }
    if (other.idleState() != null) {
      return refused(
          WatchRefusal.IDLE_STATE, "remove idle-state from spec %s".formatted(other.name()));
    }
    return ofVariables(champion, challenger);
  }

  private static @Nullable RefusedWatch ofVariables(
      CompiledSpec champion, CompiledSpec challenger) {
    for (SpecVariable variable : challenger.features()) {
      SpecVariable logged = named(champion, variable.name());
      boolean isSame =
          logged != null
              && logged.role().isFeature()
              && logged.missing() == variable.missing()
              && logged.isNumeric() == variable.isNumeric()
              && Objects.equals(logged.range(), variable.range())
              && Arrays.equals(logged.cuts(), variable.cuts())
              && variable.levels().containsAll(logged.levels());
      boolean isNumberLost =
          variable.isNumeric()
              && challenger.policy().takesCandidates()
              && !champion.policy().takesCandidates();
      if (!isSame || isNumberLost) {
        return refused(
            WatchRefusal.VARIABLE_DIFFERS,
            "the log of spec %s cannot give variable %s of spec %s: it needs the same role, range,"
                    .formatted(champion.spec().name(), variable.name(), challenger.spec().name())
                + " cuts and missing, the same levels or more, and a champion that logs numbers;"
                + " evaluate reads new variables from the contexts");
      }
    }
    for (String mediator : challenger.policy().mediatorsNeeded()) {
      SpecVariable logged = named(champion, mediator);
      if (logged == null || logged.role() != VariableRole.MEDIATOR) {
        return refused(
            WatchRefusal.VARIABLE_DIFFERS,
            "the log of spec %s has no mediator %s, which spec %s needs"
                .formatted(champion.spec().name(), mediator, challenger.spec().name()));
      }
    }
    return null;
  }

  /** Returns why groups cannot be watched under a champion, or null if they can. */
  public static @Nullable RefusedWatch ofGroups(
      CompiledSpec champion, List<String> attributes, List<String> arms, boolean isOfReward) {
    if (champion.experiment() != null) {
      return refused(WatchRefusal.EXPERIMENT, "a best-arm experiment tests its groups itself");
    }
    if (isOfReward && !champion.spec().reward().bounded()) {
      return refused(
          WatchRefusal.REWARD_UNBOUNDED,
          "reward.bounded is false; use --quantity arm, or bound the reward");
    }
    for (String attribute : attributes) {
      SpecVariable variable = named(champion, attribute);
      if (variable == null || variable.role() != VariableRole.SENSITIVE) {
        return refused(
            WatchRefusal.VARIABLE_DIFFERS,
            "spec %s has no sensitive variable %s".formatted(champion.spec().name(), attribute));
      }
    }
    for (String arm : arms) {
      if (!champion.armIds().contains(arm)) {
        return refused(
            WatchRefusal.VARIABLE_DIFFERS,
            "spec %s has no arm %s; it has %s"
                .formatted(champion.spec().name(), arm, champion.armIds()));
      }
    }
    int groups = new PeopleGroups(attributes, champion).names().size();
    return groups < 2 || groups > MOST_GROUPS
        ? refused(
            WatchRefusal.TOO_MANY_GROUPS,
            "%s make %d groups; 2 to %d are watched".formatted(attributes, groups, MOST_GROUPS))
        : null;
  }

  private static boolean isSampling(SegmentSpec spec) {
    return spec.policy().name().wire().equals(SAMPLING);
  }

  private static @Nullable SpecVariable named(CompiledSpec spec, String name) {
    return spec.spec().variables().has(name) ? spec.spec().variables().named(name) : null;
  }

  private static RefusedWatch refused(WatchRefusal code, String message) {
    return new RefusedWatch(code, message);
  }
}
