package io.equipoise.job.control;

import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds the valid texts on the control topics of a deployment, which log records refer to by hash.
 *
 * @param all every spec, active or not
 * @param published append time of the oldest record of each text on the topic, by hash, epoch ms
 * @param refused the invalid records
 * @param retired append times of the retirements of specs that were not published again, by hash,
 *     epoch ms
 */
public record PublishedControls(
    SpecRegistry specs,
    List<CompiledSpec> all,
    Map<String, Long> published,
    BoundsRegistry causalBounds,
    List<RawControl> refused,
    Map<String, Long> retired) {
  public PublishedControls {
    published = Map.copyOf(published);
    retired = Map.copyOf(retired);
    all = List.copyOf(all);
    refused = List.copyOf(refused);
  }

  /** Reads both control topics to their ends. */
  public static PublishedControls read(JobConfig config) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, Long> published = new HashMap<>();
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
          published.putIfAbsent(spec.hash(), spec.raw().appendTime());
        }
      } else if (((CausalBoundRecord) control).read() instanceof CausalBoundRecord.BoundRow row) {
        causalBounds.put(row.key(), row.bound());
      }
    }
    BroadcastSpecRegistry registry = new BroadcastSpecRegistry();
    registry.replaceWith(texts.entrySet());
    return new PublishedControls(
        registry, all, published, causalBounds, bootstrap.refused(), retired);
  }
}
