package io.equipoise.segment.state;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.StateBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the arms and level indices of earlier specs under which the running model has learned:
 * retired arms by the names of their levels, and the current indices of earlier level versions. So
 * pending decisions can be learned without the text of an earlier spec. Only segments whose specs
 * changed in this way have it; a reset of the model removes it. Mutable; {@link #copy} is deep.
 *
 * <p>The model's digest excludes it, since it is derived from the specs that the log names by hash.
 *
 * <pre>
 * Bytes, format 128, big-endian; a text is its length (i32) and UTF-8 bytes:
 *   0 format (u8)
 *   1 retired arms (i32), by id: id (text), actions (i32), per action: name of its level, of a
 *     numeric one its number (text)
 *     earlier epochs (i32), ascending: epoch (i32), {@link LevelMap} to the levels of today
 * </pre>
 */
public final class RetiredDefinitions extends StateBlock {
  /** The current format; codes up to 143 are reserved for later ones of this class. */
  public static final byte FORMAT = (byte) 128;

  /** Its key among the blocks of a segment; cells count from 0, priced rules keep -2. */
  public static final long KEY = -1;

  private final TreeMap<String, List<String>> retired = new TreeMap<>();
  private final TreeMap<Integer, LevelMap> translations = new TreeMap<>();

  /** Returns the names of the levels that a retired arm sets, or null. */
  @Nullable
  public List<String> retired(String arm) {
    return retired.get(arm);
  }

  /** Adds an arm that the spec no longer has, with the names of its levels. */
  public void retire(String arm, List<String> levels) {
    retired.put(arm, List.copyOf(levels));
  }

  /** Returns the ids of the retired arms; a copy. */
  public List<String> arms() {
    return List.copyOf(retired.keySet());
  }

  /** Removes an arm that a spec has again or whose position was retired. */
  public void forget(String arm) {
    retired.remove(arm);
  }

  /**
   * Returns the current indices of an earlier level version, or null if the model began after it.
   */
  @Nullable
  public LevelMap translation(int levelVersion) {
    return translations.get(levelVersion);
  }

  /** Adds the step from a level version to the next one to all translations. */
  public void translate(int levelVersion, LevelMap step) {
    translations.replaceAll((earlier, map) -> map.then(step));
    translations.put(levelVersion, step);
  }

  /**
   * Removes the translations of all earlier level versions; valid only if no decision is pending.
   */
  public void forgetTranslations() {
    translations.clear();
  }

  /** Returns whether there are neither retired arms nor translations. */
  public boolean isEmpty() {
    return retired.isEmpty() && translations.isEmpty();
  }

  @Override
  public RetiredDefinitions copy() {
    RetiredDefinitions copy = new RetiredDefinitions();
    copy.retired.putAll(retired);
    copy.translations.putAll(translations);
    return copy;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    layoutArms(bytes);
    Iterator<Map.Entry<Integer, LevelMap>> steps =
        new TreeMap<>(translations).entrySet().iterator();
    for (int left = bytes.count(translations.size(), 4 * Integer.BYTES); left > 0; left--) {
      Map.Entry<Integer, LevelMap> step =
          bytes.isReading() ? Map.entry(0, new LevelMap()) : steps.next();
      int levelVersion = bytes.i32(step.getKey());
      bytes.part(step.getValue());
      boolean ascends = translations.isEmpty() || translations.lastKey() < levelVersion;
      bytes.check(ascends, "level versions do not ascend at", levelVersion);
      if (bytes.isReading()) {
        translations.put(levelVersion, step.getValue());
      }
    }
  }

  private void layoutArms(Layout bytes) throws LayoutException {
    Iterator<Map.Entry<String, List<String>>> arms = new TreeMap<>(retired).entrySet().iterator();
    for (int left = bytes.count(retired.size(), 2 * Integer.BYTES); left > 0; left--) {
      Map.Entry<String, List<String>> arm =
          bytes.isReading() ? Map.entry("", List.of()) : arms.next();
      String id = bytes.text(arm.getKey());
      List<String> levels = new ArrayList<>();
      int actions = bytes.count(arm.getValue().size(), Integer.BYTES);
      for (int action = 0; action < actions; action++) {
        levels.add(bytes.text(bytes.isReading() ? "" : arm.getValue().get(action)));
      }
      boolean ascends = retired.isEmpty() || retired.lastKey().compareTo(id) < 0;
      bytes.check(ascends, "arms do not ascend at number", retired.size());
      if (bytes.isReading()) {
        retired.put(id, List.copyOf(levels));
      }
    }
  }

  @Override
  public String toString() {
    return "retired " + retired + ", levels " + translations;
  }
}
