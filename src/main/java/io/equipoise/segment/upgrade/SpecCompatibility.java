package io.equipoise.segment.upgrade;

import io.equipoise.policy.LevelMap;
import io.equipoise.policy.SpecDifference;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.RetiredDefinitions;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.OnIncompatibleChange;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a segment's model continues under a new spec: as it is, after a migration, or
 * not.
 */
public sealed interface SpecCompatibility {

  /** Keeps the model: its statistics and pending decisions mean the same. */
  record AsIs() implements SpecCompatibility {}

  /** Keeps the model after adding levels: its statistics mean the same. */
  record AfterMigration(LevelMap levels) implements SpecCompatibility {}

  /**
   * Resets the model: its statistics would mean something else.
   *
   * @param reason describes the difference, for people
   */
  record Incompatible(String reason) implements SpecCompatibility {}

  /** Returns whether the spec's {@code on-incompatible-change} allows this change. */
  default boolean isAllowed(CompiledSpec next) {
    return !(this instanceof Incompatible)
        || next.spec().onIncompatibleChange() == OnIncompatibleChange.RESET;
  }

  /**
   * Compares the next spec with the state, and with the text of the previous spec if it is known.
   */
  static SpecCompatibility of(SegmentContext segmentContext, CompiledSpec next) {
    RetiredDefinitions retiredDefinitions =
        (RetiredDefinitions) segmentContext.state.blocks().get(RetiredDefinitions.KEY);
    String redefined = redefined(segmentContext.spec, retiredDefinitions, next);
    return redefined == null
        ? byMeaning(segmentContext, retiredDefinitions, next)
        : new Incompatible(redefined);
  }

  /**
   * Returns a message on why a spec is incompatible with the previous one. The spec must be
   * incompatible. Ignores arms that were retired earlier.
   */
  static String reason(CompiledSpec before, CompiledSpec next) {
    String redefined = redefined(before, null, next);
    return redefined == null ? SpecDifference.of(before.policy(), next.policy()) : redefined;
  }

  private static SpecCompatibility byMeaning(
      SegmentContext segmentContext,
      @Nullable RetiredDefinitions retiredDefinitions,
      CompiledSpec next) {
    String fingerprint = segmentContext.head.fingerprint;
    if (fingerprint == null || fingerprint.equals(next.fingerprint())) {
      return new AsIs();
    }
    CompiledSpec before = segmentContext.spec;
    if (before == null || !fingerprint.equals(before.fingerprint())) {
      return new Incompatible("the text of the spec that it learned under is not known");
    }
    LevelMap levels = next.policy().extensionOf(before.policy());
    if (levels == null) {
      return new Incompatible(SpecDifference.of(before.policy(), next.policy()));
    }
    List<String> awaited = awaited(segmentContext, retiredDefinitions, levels, next);
    return awaited.isEmpty()
        ? new AfterMigration(levels)
        : new Incompatible(
            "decisions for arms %s await rewards, and a level of theirs is gone; publish the version again, as the next one, when their reward windows are over"
                .formatted(awaited));
  }

  /**
   * Returns the arms with pending decisions that set a removed level the model needs, or whose
   * levels are unknown.
   */
  private static List<String> awaited(
      SegmentContext segmentContext,
      @Nullable RetiredDefinitions retiredDefinitions,
      LevelMap levels,
      CompiledSpec next) {
    List<SpecVariable> actions = next.spec().variables().actions();
    boolean isNeeded = false;
    for (int place = 0; place < actions.size(); place++) {
      boolean isGone = Arrays.stream(levels.action(place)).anyMatch(level -> level < 0);
      isNeeded |= isGone && next.policy().needsLevel(actions.get(place));
    }
    Map<String, List<String>> sets = names(segmentContext.spec);
    List<String> awaited = new ArrayList<>();
    for (int position : isNeeded ? segmentContext.head.awaiting.keySet() : Set.<Integer>of()) {
      String arm = segmentContext.head.arms.get(position);
      List<String> retired = retiredDefinitions == null ? null : retiredDefinitions.retired(arm);
      List<String> names = sets.getOrDefault(arm, retired);
      if (names == null || SpecTranslation.profile(names, actions) == null) {
        awaited.add(arm);
      }
    }
    return awaited;
  }

  /**
   * Returns a message on the first arm id that would mean other levels than under the running
   * model, or null.
   */
  private static @Nullable String redefined(
      @Nullable CompiledSpec running,
      @Nullable RetiredDefinitions retiredDefinitions,
      CompiledSpec next) {
    Map<String, List<String>> before = names(running);
    for (Map.Entry<String, List<String>> arm : names(next).entrySet()) {
      List<String> meant = before.get(arm.getKey());
      if (meant == null && retiredDefinitions != null) {
        meant = retiredDefinitions.retired(arm.getKey());
      }
      if (meant != null && !meant.equals(arm.getValue())) {
        return "arm %s stands for %s, which was %s; give the arm a new id"
            .formatted(arm.getKey(), arm.getValue(), meant);
      }
    }
    return null;
  }

  private static Map<String, List<String>> names(@Nullable CompiledSpec spec) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    if (spec != null) {
      List<SpecVariable> actions = spec.spec().variables().actions();
      for (Arm arm : spec.spec().arms().list()) {
        names.put(arm.id(), arm.names(actions));
      }
    }
    return names;
  }
}
