package io.equipoise.job.control;

import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecSelection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The specs of the broadcast state, compiled. Of the versions of one name the one with the highest
 * number is in force (of equal numbers the one with the lowest hash); the others stay at hand by
 * their hash for segments that must keep them.
 *
 * <p>Holds nothing that the broadcast state does not: it is rebuilt from there.
 */
public final class BroadcastSpecRegistry implements SpecRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(BroadcastSpecRegistry.class);
  private static final int MAX_REMEMBERED_SEGMENTS = 10_000;

  private final Map<String, CompiledSpec> byHash = new HashMap<>();
  private final Map<String, CompiledSpec> byKey = new HashMap<>();
  private final Map<String, Choice> selected = new HashMap<>();
  private List<SegmentSpec> inForce = List.of();

  /** Puts every text on the shelf that is not there yet and notes which are retired. */
  public void replaceWith(Iterable<Map.Entry<String, String>> textsByKey) {
    Map<String, String> texts = new TreeMap<>();
    textsByKey.forEach(text -> texts.put(text.getKey(), text.getValue()));
    Map<String, CompiledSpec> newest = new TreeMap<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      CompiledSpec spec =
          ControlState.isMark(text.getKey()) ? null : compiled(text.getKey(), text.getValue());
      if (spec != null) {
        byHash.put(spec.spec().hash(), spec);
        if (!texts.containsKey(ControlState.markOf(text.getKey()))) {
          newest.merge(spec.spec().name(), spec, BroadcastSpecRegistry::newer);
        }
      }
    }
    inForce = newest.values().stream().map(CompiledSpec::spec).toList();
    selected.clear();
  }

  /**
   * Looks at the specs in force once more: state may come from a job that was allowed larger
   * records, and the first record that is too large would end this one at every restart.
   *
   * @throws StartRefusedException if records under one of them would be too large, with all of them
   */
  public void refuseTooLarge(CatalogLimit limit) {
    List<String> faults =
        inForce.stream()
            .flatMap(spec -> limit.faults(spec).stream().map(fault -> spec.name() + ": " + fault))
            .toList();
    if (!faults.isEmpty()) {
      throw new StartRefusedException(
          "The job was not started, since records under specs in force would be too large", faults);
    }
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
        LOG.warn("Spec {} is refused and changes nothing: {}", key, e.getMessage());
      }
    }
    return known;
  }

  private static CompiledSpec newer(CompiledSpec one, CompiledSpec other) {
    long difference = one.spec().version() - other.spec().version();
    if (difference == 0) {
      return one.spec().hash().compareTo(other.spec().hash()) <= 0 ? one : other;
    }
    return difference > 0 ? one : other;
  }

  private record Choice(@Nullable CompiledSpec spec) {}
}
