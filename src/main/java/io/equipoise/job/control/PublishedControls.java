package io.equipoise.job.control;

import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The good texts that the control topics of a deployment hold: what a log names by hash.
 *
 * @param all every spec, those that are not in force too
 * @param refused the records that cannot be used
 */
public record PublishedControls(
    SpecRegistry specs,
    List<CompiledSpec> all,
    BoundsRegistry causalBounds,
    List<RawControl> refused) {
  public PublishedControls {
    all = List.copyOf(all);
    refused = List.copyOf(refused);
  }

  /** Reads both control topics to their ends. */
  public static PublishedControls read(JobConfig config) {
    Map<String, String> texts = new TreeMap<>();
    List<CompiledSpec> all = new ArrayList<>();
    BroadcastBoundsRegistry causalBounds = new BroadcastBoundsRegistry();
    ControlBootstrap bootstrap = new ControlBootstrap(config);
    for (Control control : bootstrap.read()) {
      if (control instanceof SpecText spec) {
        if (spec.text() != null) {
          texts.put(spec.key(), spec.text());
          all.add(spec.compile());
        }
      } else if (((CausalBoundRecord) control).read() instanceof CausalBoundRecord.Row row) {
        causalBounds.put(row.key(), row.bound());
      }
    }
    BroadcastSpecRegistry shelf = new BroadcastSpecRegistry();
    shelf.replaceWith(texts.entrySet());
    return new PublishedControls(shelf, all, causalBounds, bootstrap.refused());
  }
}
