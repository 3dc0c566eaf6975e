package io.equipoise.audit.verify;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.control.RawControl;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the specs and causal bounds that a log names by hash.
 *
 * @param all every available spec
 * @param refused the invalid records of the control topics
 * @param retired append times of the retirements of specs that were not published again, by hash,
 *     epoch ms
 */
public record SpecCatalog(
    SpecRegistry specs,
    BoundsRegistry causalBounds,
    List<CompiledSpec> all,
    List<RawControl> refused,
    Map<String, Long> retired) {
  public SpecCatalog {
    retired = Map.copyOf(retired);
    all = List.copyOf(all);
    refused = List.copyOf(refused);
  }

  /** Returns the catalog of a deployment's control topics. */
  public static SpecCatalog of(PublishedControls controls) {
    return new SpecCatalog(
        controls.specs(),
        controls.causalBounds(),
        controls.all(),
        controls.refused(),
        controls.retired());
  }

  @Nullable SegmentSpec spec(String hash) {
    CompiledSpec compiled = specs.byHash(hash);
    return compiled == null ? null : compiled.spec();
  }

  /** Returns which text a segment's state needs that is not available, or null. */
  @Nullable String missing(SegmentSnapshot saved) {
    String spec = saved.head().specHash;
    if (spec != null && specs.byHash(spec) == null) {
      return "the text of spec " + spec + " is not on the specs topic; publish it again";
    }
    String bounds = saved.head().boundsHash;
    return bounds != null && causalBounds.byHash(bounds) == null
        ? "the rows of causal bounds "
            + bounds
            + " are not on the causal-bounds topic; publish them again"
        : null;
  }

  /** Returns which text a segment event needs that is not available, or null. */
  @Nullable String missing(SegmentEvent segmentEvent) {
    String spec = segmentEvent.specHash();
    if (segmentEvent.type() == SegmentEventType.SPEC_ADOPTED
        && (spec == null || specs.byHash(spec) == null)) {
      return "the text of spec " + spec + " is not on the specs topic; publish it again";
    }
    String bounds = segmentEvent.versions().boundsHash();
    if (segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED
        && bounds != null
        && causalBounds.byHash(bounds) == null) {
      return "the rows of causal bounds "
          + bounds
          + " are not on the causal-bounds topic; publish them again";
    }
    return null;
  }
}
