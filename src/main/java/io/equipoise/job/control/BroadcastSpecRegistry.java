package io.equipoise.job.control;

import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecSelection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compiled specs of the broadcast state. The active spec of a name is the one with the highest
 * version (of equal versions, the lowest hash). The others stay available by hash for segments that
 * must keep them.
 *
 * <p>It contains only data of the broadcast state, and can be rebuilt from there.
 */
public final class BroadcastSpecRegistry implements SpecRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(BroadcastSpecRegistry.class);
  private static final int MAX_REMEMBERED_SEGMENTS = 10_000;

  private final Map<String, CompiledSpec> byHash = new HashMap<>();
  private final Map<String, CompiledSpec> byKey = new HashMap<>();
  private final Map<String, Choice> selected = new HashMap<>();
  private List<SegmentSpec> inForce = List.of();

  /** Adds every new text and records which specs are retired. */
  public void replaceWith(Iterable<Map.Entry<String, String>> textsByKey) {
    Map<String, String> texts = new TreeMap<>();
    textsByKey.forEach(text -> texts.put(text.getKey(), text.getValue()));
    List<SegmentSpec> active = new ArrayList<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      CompiledSpec spec =
          ControlState.isMark(text.getKey()) ? null : compiled(text.getKey(), text.getValue());
      if (spec != null) {
        byHash.put(spec.spec().hash(), spec);
        if (!texts.containsKey(ControlState.markOf(text.getKey()))) {
          active.add(spec.spec());
        }
      }
    }
    inForce = SpecSelection.newest(active);
    selected.clear();
  }

  /**
   * Checks the active specs again: the state may come from a job with a larger record limit, and
   * the first record that is too large would fail this job at every restart.
   *
   * @throws StartRefusedException if records under an active spec would be too large; lists all
   *     such specs
   */
  public void refuseTooLarge(CatalogLimit limit) {
    List<String> faults =
        inForce.stream()
            .flatMap(spec -> limit.faults(spec).stream().map(fault -> spec.name() + ": " + fault))
            .toList();
    if (!faults.isEmpty()) {
      throw new StartRefusedException(
          "The job was not started because records under active specs would be too large", faults);
    }
  }

  /** Returns the active specs. */
  public List<CompiledSpec> active() {
    return inForce.stream().map(spec -> byHash.get(spec.hash())).toList();
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    Choice choice = selected.get(segment);
    if (choice == null) {
      if (selected.size() >= MAX_REMEMBERED_SEGMENTS) {
        selected.clear();
      }
      choice =
          new Choice(
              SpecSelection.select(inForce, segment)
                  .map(spec -> byHash.get(spec.hash()))
                  .orElse(null));
      selected.put(segment, choice);
    }
    return choice.spec();
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return byHash.get(hash);
  }

  private @Nullable CompiledSpec compiled(String key, String text) {
    CompiledSpec known = byKey.get(key);
    if (known == null) {
      try {
        known = SpecParser.parse(text, CompiledSpec::of);
        byKey.put(key, known);
      } catch (SpecException e) {
        LOG.warn("Spec {} is rejected and changes nothing: {}", key, e.getMessage());
      }
    }
    return known;
  }

  private record Choice(@Nullable CompiledSpec spec) {}
}
