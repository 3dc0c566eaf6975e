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
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The specs of the broadcast state. The active spec of a name is the one with the highest version
 * (of equal versions, the lowest hash). The others stay available by hash for segments that must
 * keep them; they are compiled when one asks, because a start reads all that were ever published.
 *
 * <p>It contains only data of the broadcast state, and can be rebuilt from there.
 */
public final class BroadcastSpecRegistry implements SpecRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(BroadcastSpecRegistry.class);
  private static final int MAX_REMEMBERED_SEGMENTS = 10_000;

  private final Map<String, SegmentSpec> byHash = new HashMap<>();
  private final Map<String, @Nullable SegmentSpec> byKey = new HashMap<>();
  private final Map<SegmentSpec, @Nullable CompiledSpec> compiled = new HashMap<>();
  private final Map<String, Choice> selected = new HashMap<>();
  private List<SegmentSpec> inForce = List.of();

  /** Adds every new text and records which specs are retired. */
  public void replaceWith(Iterable<Map.Entry<String, String>> textsByKey) {
    Map<String, String> texts = new TreeMap<>();
    textsByKey.forEach(text -> texts.put(text.getKey(), text.getValue()));
    List<SegmentSpec> active = new ArrayList<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      SegmentSpec spec =
          ControlState.isMark(text.getKey()) ? null : parsed(text.getKey(), text.getValue());
      if (spec != null) {
        byHash.put(spec.hash(), spec);
        if (!texts.containsKey(ControlState.markOf(text.getKey()))) {
          active.add(spec);
        }
      }
    }
    inForce = SpecSelection.newest(active);
    while (active.removeAll(inForce.stream().filter(spec -> compiled(spec) == null).toList())) {
      inForce = SpecSelection.newest(active);
    }
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
    return inForce.stream()
        .map(this::compiled)
        .filter(Objects::nonNull)
        .<CompiledSpec>map(it -> it)
        .toList();
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    Choice choice = selected.get(segment);
    if (choice == null) {
      if (selected.size() >= MAX_REMEMBERED_SEGMENTS) {
        selected.clear();
      }
      choice = new Choice(SpecSelection.select(inForce, segment).map(this::compiled).orElse(null));
      selected.put(segment, choice);
    }
    return choice.spec();
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    SegmentSpec spec = byHash.get(hash);
    return spec == null ? null : compiled(spec);
  }

  private @Nullable SegmentSpec parsed(String key, String text) {
    if (!byKey.containsKey(key)) {
      byKey.put(key, accepted(key, () -> SpecParser.parse(text)));
    }
    return byKey.get(key);
  }

  private @Nullable CompiledSpec compiled(SegmentSpec spec) {
    if (!compiled.containsKey(spec)) {
      compiled.put(spec, accepted(spec.key(), () -> CompiledSpec.of(spec)));
    }
    return compiled.get(spec);
  }

  private static <T> @Nullable T accepted(String key, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (SpecException e) {
      LOG.warn("Spec {} is rejected and changes nothing: {}", key, e.getMessage());
      return null;
    }
  }

  private record Choice(@Nullable CompiledSpec spec) {}
}
