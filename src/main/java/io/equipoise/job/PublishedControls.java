package io.equipoise.job;

import io.equipoise.join.BoundsRegistry;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.SpecBook;
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
    SpecBook specs, List<CompiledSpec> all, BoundsRegistry causalBounds, List<RawControl> refused) {
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
    SpecShelf shelf = new SpecShelf();
    shelf.replaceWith(texts.entrySet());
    return new PublishedControls(shelf, all, causalBounds, bootstrap.refused());
  }
}
