package io.equipoise.segment.upgrade;

import io.equipoise.policy.LevelMap;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.RetiredDefinitions;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.OnIncompatibleChange;
import io.equipoise.segmentspec.SpecVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the model of a segment goes on under a spec that takes over. */
public sealed interface SpecCompatibility {

  /** Its statistics mean the same; so do pending decisions. */
  record AsIs() implements SpecCompatibility {}

  /** Its statistics mean the same, and there are more levels. */
  record AfterMigration(LevelMap levels) implements SpecCompatibility {}

  /** Its statistics would mean something else: it starts empty. */
  record Incompatible() implements SpecCompatibility {}

  /** Says whether a spec's {@code on-incompatible-change} lets it take over so. */
  default boolean isAllowed(CompiledSpec next) {
    return !(this instanceof Incompatible)
        || next.spec().onIncompatibleChange() == OnIncompatibleChange.RESET;
  }

  /** Finds out from the state, and from the text of the spec before if it is known. */
  static SpecCompatibility of(SegmentContext segmentContext, CompiledSpec next) {
    return isRedefined(segmentContext, next) ? new Incompatible() : byMeaning(segmentContext, next);
  }

  private static SpecCompatibility byMeaning(SegmentContext segmentContext, CompiledSpec next) {
    String fingerprint = segmentContext.head.fingerprint;
    if (fingerprint == null || fingerprint.equals(next.fingerprint())) {
      return new AsIs();
    }
    CompiledSpec before = segmentContext.spec;
    LevelMap levels =
        before == null || !fingerprint.equals(before.fingerprint())
            ? null
            : next.bandit().extensionOf(before.bandit());
    return levels == null ? new Incompatible() : new AfterMigration(levels);
  }

  /** Says whether an arm's id would stand for other levels than it did under the running model. */
  private static boolean isRedefined(SegmentContext segmentContext, CompiledSpec next) {
    Map<String, List<String>> before = names(segmentContext.spec);
    RetiredDefinitions retiredDefinitions =
        (RetiredDefinitions) segmentContext.state.blocks().get(RetiredDefinitions.KEY);
    for (Map.Entry<String, List<String>> arm : names(next).entrySet()) {
      List<String> meant = before.get(arm.getKey());
      if (meant == null && retiredDefinitions != null) {
        meant = retiredDefinitions.retired(arm.getKey());
      }
      if (meant != null && !meant.equals(arm.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, List<String>> names(@Nullable CompiledSpec spec) {
    Map<String, List<String>> names = new HashMap<>();
    if (spec != null) {
      List<SpecVariable> actions = spec.spec().variables().actions();
      for (Arm arm : spec.spec().arms().list()) {
        names.put(arm.id(), SpecTranslation.names(arm, actions));
      }
    }
    return names;
  }
}
