package io.equipoise.job.control;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The valid texts on the control topics of a deployment, which log records refer to by hash.
 *
 * @param all every spec, active or not
 * @param refused the invalid records
 * @param retired append times of the retirements of specs that were not published again, by hash,
 *     epoch ms
 */
public record PublishedControls(
    SpecRegistry specs,
    BoundsRegistry causalBounds,
    List<CompiledSpec> all,
    List<RawControl> refused,
    Map<String, Long> retired) {
  public PublishedControls {
    retired = Map.copyOf(retired);
    all = List.copyOf(all);
    refused = List.copyOf(refused);
  }

  /** Reads both control topics to their ends. */
  public static PublishedControls read(JobConfig config) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, Long> retired = new HashMap<>();
    List<CompiledSpec> all = new ArrayList<>();
    BroadcastBoundsRegistry causalBounds = new BroadcastBoundsRegistry();
    ControlBootstrap bootstrap = new ControlBootstrap(config);
    for (Control control : bootstrap.read(key -> null)) {
      if (control instanceof SpecText spec) {
        if (spec.text() == null) {
          retired.put(spec.hash(), spec.raw().appendTime());
        } else {
          retired.remove(spec.hash());
          texts.put(spec.key(), spec.text());
          all.add(spec.compile());
        }
      } else if (((CausalBoundRecord) control).read() instanceof CausalBoundRecord.Row row) {
        causalBounds.put(row.key(), row.bound());
      }
    }
    BroadcastSpecRegistry registry = new BroadcastSpecRegistry();
    registry.replaceWith(texts.entrySet());
    return new PublishedControls(registry, causalBounds, all, bootstrap.refused(), retired);
  }

  /** Returns the spec of a hash, or null. */
  public @Nullable SegmentSpec spec(String hash) {
    CompiledSpec compiled = specs.byHash(hash);
    return compiled == null ? null : compiled.spec();
  }

  /** Returns which text a segment's state needs that is not available, or null. */
  public @Nullable String missing(SegmentSnapshot saved) {
    String spec = saved.head().specHash;
    return spec != null && specs.byHash(spec) == null
        ? missingSpec(spec)
        : missingBounds(saved.head().boundsHash);
  }

  /** Returns which text a segment event needs that is not available, or null. */
  public @Nullable String missing(SegmentEvent segmentEvent) {
    String spec = segmentEvent.specHash();
    if (segmentEvent.type() == SegmentEventType.SPEC_ADOPTED
        && (spec == null || specs.byHash(spec) == null)) {
      return missingSpec(spec);
    }
    return segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED
        ? missingBounds(segmentEvent.versions().boundsHash())
        : null;
  }

  private static String missingSpec(@Nullable String hash) {
    return "the text of spec " + hash + " is not on the specs topic; publish it again";
  }

  private @Nullable String missingBounds(@Nullable String hash) {
    return hash != null && causalBounds.byHash(hash) == null
        ? "the rows of causal bounds "
            + hash
            + " are not on the causal-bounds topic; publish them again"
        : null;
  }
}
