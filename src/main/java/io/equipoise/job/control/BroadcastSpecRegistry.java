package io.equipoise.job.control;

import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecSelection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the specs of the broadcast state. The active spec of a name is the one with the highest
 * version (of equal versions, the lowest hash). The others stay available by hash for segments that
 * must keep them; they are compiled when a segment asks, because a start reads all that were ever
 * published.
 *
 * <p>It contains only data of the broadcast state, and can be rebuilt from there. The active specs
 * and the choices by segment are derived; {@link #replaceWith} replaces the former and empties the
 * latter. A compiled spec stays valid, since its text never changes. Not thread-safe.
 */
public final class BroadcastSpecRegistry implements SpecRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(BroadcastSpecRegistry.class);
  private static final int MAX_REMEMBERED_SEGMENTS = 10_000;

  /** Orders texts of one name: the higher version first, then the lower hash. */
  private static final Comparator<Text> NEWEST_FIRST =
      Comparator.comparingLong(Text::version).reversed().thenComparing(Text::hash);

  private final Map<String, Text> byKey = new HashMap<>();
  private final Map<String, Text> byHash = new HashMap<>();
  private final Map<String, Choice> selected = new HashMap<>();
  private Map<SegmentSpec, CompiledSpec> inForce = Map.of();

  /**
   * Holds a text of the state and compiles it once, when it may be active or a segment asks for it.
   */
  private static final class Text {
    private final String key;
    private final String text;
    private final long version;
    private boolean isCompiled;
    private @Nullable CompiledSpec compiled;

    Text(String key, String text) {
      this.key = key;
      this.text = text;
      this.version =
          SpecParser.versionOf(text)
              .orElseGet(() -> compiled() == null ? 0 : compiled().spec().version());
    }

    String name() {
      return key.substring(0, key.lastIndexOf('/'));
    }

    String hash() {
      return key.substring(key.lastIndexOf('/') + 1);
    }

    long version() {
      return version;
    }

    /** Returns the spec, null if it is invalid. */
    @Nullable CompiledSpec compiled() {
      if (!isCompiled) {
        isCompiled = true;
        try {
          compiled = SpecParser.parse(text, CompiledSpec::of);
        } catch (SpecException e) {
          LOG.warn("Spec {} is rejected and changes nothing: {}", key, e.getMessage());
        }
      }
      return compiled;
    }
  }

  /** Adds every new text and records which specs are retired. */
  public void replaceWith(Iterable<Map.Entry<String, String>> textsByKey) {
    Set<String> retired = new HashSet<>();
    List<Text> texts = new ArrayList<>();
    for (Map.Entry<String, String> entry : textsByKey) {
      if (ControlState.isMark(entry.getKey())) {
        retired.add(ControlState.keyOfMark(entry.getKey()));
      } else {
        Text text = byKey.computeIfAbsent(entry.getKey(), key -> new Text(key, entry.getValue()));
        byHash.put(text.hash(), text);
        texts.add(text);
      }
    }
    texts.removeIf(text -> retired.contains(text.key));
    texts.sort(NEWEST_FIRST);
    Map<String, CompiledSpec> newest = new TreeMap<>();
    for (Text text : texts) {
      CompiledSpec spec = newest.containsKey(text.name()) ? null : text.compiled();
      if (spec != null) {
        newest.put(text.name(), spec);
      }
    }
    inForce = new LinkedHashMap<>();
    newest.values().forEach(spec -> inForce.put(spec.spec(), spec));
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
        inForce.keySet().stream()
            .flatMap(spec -> limit.faults(spec).stream().map(fault -> spec.name() + ": " + fault))
            .toList();
    if (!faults.isEmpty()) {
      throw new StartRefusedException(
          "The job was not started because records under active specs would be too large", faults);
    }
  }

  /** Returns the active specs. */
  public List<CompiledSpec> active() {
    return List.copyOf(inForce.values());
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
              SpecSelection.select(inForce.keySet(), segment).map(inForce::get).orElse(null));
      selected.put(segment, choice);
    }
    return choice.spec();
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    Text text = byHash.get(hash);
    return text == null ? null : text.compiled();
  }

  private record Choice(@Nullable CompiledSpec spec) {}
}
