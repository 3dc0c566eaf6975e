package io.equipoise.watch;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.Arrays;
import java.util.Collection;
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

  /** Refuses a challenger that cannot be compared with a champion. */
  public static void check(CompiledSpec champion, CompiledSpec challenger) {
    SegmentSpec one = champion.spec();
    SegmentSpec other = challenger.spec();
    WatchRefusal.EXPERIMENT.refuseIf(
        champion.experiment() != null || challenger.experiment() != null,
        "spec %s or %s is a best-arm experiment, which is no policy that goes on; end it first"
            .formatted(one.name(), other.name()));
    WatchRefusal.ESTIMATED_PROPENSITIES.refuseIf(
        isSampling(one) || isSampling(other),
        "policy %s of spec %s has no exact propensities; use another policy"
            .formatted(SAMPLING, isSampling(one) ? one.name() : other.name()));
    WatchRefusal.REWARD_UNBOUNDED.refuseIf(
        !one.reward().bounded(),
        "reward.bounded of spec %s is false; the bounds need rewards within reward.range"
            .formatted(one.name()));
    WatchRefusal.REWARD_DIFFERS.refuseIf(
        !one.reward().equals(other.reward()) || !one.join().equals(other.join()),
        "reward and join of spec %s differ from those of spec %s, which decides; copy them"
            .formatted(other.name(), one.name()));
    WatchRefusal.CAUSAL_BOUNDS.refuseIf(
        other.policy().causalBounds() != null,
        "remove policy.causal-bounds from spec %s".formatted(other.name()));
    WatchRefusal.IDLE_STATE.refuseIf(
        other.idleState() != null, "remove idle-state from spec %s".formatted(other.name()));
    checkVariables(champion, challenger);
  }

  private static void checkVariables(CompiledSpec champion, CompiledSpec challenger) {
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
      WatchRefusal.VARIABLE_DIFFERS.refuseIf(
          !isSame || isNumberLost,
          "the log of spec %s cannot give variable %s of spec %s: it needs the same role, range,"
                  .formatted(champion.spec().name(), variable.name(), challenger.spec().name())
              + " cuts and missing, the same levels or more, and a champion that logs numbers;"
              + " evaluate reads new variables from the contexts");
    }
    for (String mediator : challenger.policy().mediatorsNeeded()) {
      SpecVariable logged = named(champion, mediator);
      WatchRefusal.VARIABLE_DIFFERS.refuseIf(
          logged == null || logged.role() != VariableRole.MEDIATOR,
          "the log of spec %s has no mediator %s, which spec %s needs"
              .formatted(champion.spec().name(), mediator, challenger.spec().name()));
    }
  }

  /** Refuses groups that cannot be watched under a champion. */
  public static void checkGroups(
      CompiledSpec champion, List<String> attributes, List<String> arms, boolean isOfReward) {
    WatchRefusal.EXPERIMENT.refuseIf(
        champion.experiment() != null, "a best-arm experiment tests its groups itself");
    WatchRefusal.REWARD_UNBOUNDED.refuseIf(
        isOfReward && !champion.spec().reward().bounded(),
        "reward.bounded is false; use --quantity arm, or bound the reward");
    checkSensitive(champion, attributes);
    for (String arm : arms) {
      WatchRefusal.VARIABLE_DIFFERS.refuseIf(
          !champion.armIds().contains(arm),
          "spec %s has no arm %s; it has %s"
              .formatted(champion.spec().name(), arm, champion.armIds()));
    }
    int groups = new PeopleGroups(attributes, champion).names().size();
    WatchRefusal.TOO_MANY_GROUPS.refuseIf(
        groups < 2 || groups > MOST_GROUPS,
        "%s make %d groups; 2 to %d are watched".formatted(attributes, groups, MOST_GROUPS));
  }

  /** Refuses attributes that are no sensitive variables of a champion. */
  public static void checkSensitive(CompiledSpec champion, Collection<String> attributes) {
    for (String attribute : attributes) {
      SpecVariable variable = named(champion, attribute);
      WatchRefusal.VARIABLE_DIFFERS.refuseIf(
          variable == null || variable.role() != VariableRole.SENSITIVE,
          "spec %s has no sensitive variable %s".formatted(champion.spec().name(), attribute));
    }
  }

  private static boolean isSampling(SegmentSpec spec) {
    return spec.policy().name().wire().equals(SAMPLING);
  }

  private static @Nullable SpecVariable named(CompiledSpec spec, String name) {
    return spec.spec().variables().has(name) ? spec.spec().variables().named(name) : null;
  }
}
