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

/** How the model of a segment goes on under a spec that takes over. */
public sealed interface SpecCompatibility {

  /** Its statistics mean the same; so do pending decisions. */
  record AsIs() implements SpecCompatibility {}

  /** Its statistics mean the same, and there are more levels. */
  record AfterMigration(LevelMap levels) implements SpecCompatibility {}

  /**
   * Its statistics would mean something else: it starts empty.
   *
   * @param reason what differs, for people
   */
  record Incompatible(String reason) implements SpecCompatibility {}

  /** Says whether a spec's {@code on-incompatible-change} lets it take over so. */
  default boolean isAllowed(CompiledSpec next) {
    return !(this instanceof Incompatible)
        || next.spec().onIncompatibleChange() == OnIncompatibleChange.RESET;
  }

  /** Finds out from the state, and from the text of the spec before if it is known. */
  static SpecCompatibility of(SegmentContext segmentContext, CompiledSpec next) {
    RetiredDefinitions retiredDefinitions =
        (RetiredDefinitions) segmentContext.state.blocks().get(RetiredDefinitions.KEY);
    String redefined = redefined(segmentContext.spec, retiredDefinitions, next);
    return redefined == null
        ? byMeaning(segmentContext, retiredDefinitions, next)
        : new Incompatible(redefined);
  }

  /**
   * Returns why a spec is incompatible with one that it takes over from, for people. The spec must
   * be incompatible. Knows no arms that were retired before.
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
   * Returns the arms with awaiting decisions of which a level that the model needs is gone, or of
   * which it is not known what they set.
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

  /** Returns which arm's id would stand for other levels than under the running model, or null. */
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
