package io.equipoise.segment.state;

import io.equipoise.policy.LevelMap;
import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a segment keeps of earlier specs under which the running model has learned: the arms that
 * its spec has no more, by their levels' names, and where the levels of earlier epochs stand today.
 * So what awaits a reward needs no earlier spec's text. Only segments whose specs changed so have
 * it; it goes when the model starts empty. Mutable; {@link #copy} is deep.
 *
 * <p>The model's digest leaves it out: it follows from the specs that the log names by hash.
 *
 * <pre>
 * Bytes, format 128, big-endian; a text is its length (i32) and UTF-8 bytes:
 *   0 format (u8)
 *   1 retired arms (i32), by id: id (text), actions (i32), per action: name of its level, of a
 *     numeric one its number (text)
 *     earlier epochs (i32), ascending: epoch (i32), {@link LevelMap} to the levels of today
 * </pre>
 */
public final class RetiredDefinitions implements StateBlock {
  /** The format of today; codes up to 143 are kept for others of this class. */
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

  /** Remembers an arm that the spec has no more. */
  public void retire(String arm, List<String> levels) {
    retired.put(arm, List.copyOf(levels));
  }

  /** Forgets an arm that came back. */
  public void comesBack(String arm) {
    retired.remove(arm);
  }

  /** Returns where the levels of an epoch stand today, or null if the model began after it. */
  @Nullable
  public LevelMap translation(int levelVersion) {
    return translations.get(levelVersion);
  }

  /** Takes one more step from an epoch to the next. */
  public void translate(int levelVersion, LevelMap step) {
    translations.replaceAll((earlier, map) -> map.then(step));
    translations.put(levelVersion, step);
  }

  /** Forgets all epochs but the one that runs: nothing awaits a reward. */
  public void forgetTranslations() {
    translations.clear();
  }

  /** Says whether there is nothing to keep. */
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
  public int byteLength() {
    int length = 1 + 2 * Integer.BYTES;
    for (Map.Entry<String, List<String>> arm : retired.entrySet()) {
      length += textLength(arm.getKey()) + Integer.BYTES;
      for (String level : arm.getValue()) {
        length += textLength(level);
      }
    }
    for (LevelMap map : translations.values()) {
      length += Integer.BYTES + map.byteLength();
    }
    return length;
  }

  private static int textLength(String text) {
    return Integer.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putInt(retired.size());
    retired.forEach(
        (arm, levels) -> {
          putText(out, arm);
          out.putInt(levels.size());
          levels.forEach(level -> putText(out, level));
        });
    out.putInt(translations.size());
    translations.forEach((levelVersion, map) -> map.appendTo(out.putInt(levelVersion)));
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes);
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static RetiredDefinitions readFrom(ByteBuffer in) {
    byte format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("retired definitions of format " + (format & 0xff));
    }
    RetiredDefinitions retiredDefinitions = new RetiredDefinitions();
    for (int left = count(in, 2 * Integer.BYTES); left > 0; left--) {
      String arm = text(in);
      List<String> levels = new ArrayList<>();
      for (int actions = count(in, Integer.BYTES); actions > 0; actions--) {
        levels.add(text(in));
      }
      if (!retiredDefinitions.retired.isEmpty()
          && retiredDefinitions.retired.lastKey().compareTo(arm) >= 0) {
        throw new IllegalArgumentException("the arms of retired definitions do not ascend");
      }
      retiredDefinitions.retired.put(arm, List.copyOf(levels));
    }
    for (int left = count(in, 4 * Integer.BYTES); left > 0; left--) {
      int levelVersion = in.getInt();
      if (!retiredDefinitions.translations.isEmpty()
          && retiredDefinitions.translations.lastKey() >= levelVersion) {
        throw new IllegalArgumentException(
            "the level versions of retired definitions do not ascend");
      }
      retiredDefinitions.translations.put(levelVersion, LevelMap.readFrom(in));
    }
    return retiredDefinitions;
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[count(in, 1)];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int count(ByteBuffer in, int leastBytes) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / leastBytes) {
      throw new IllegalArgumentException(
          "retired definitions count %d in %d bytes".formatted(count, in.remaining()));
    }
    return count;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetiredDefinitions that
        && retired.equals(that.retired)
        && translations.equals(that.translations);
  }

  @Override
  public int hashCode() {
    return 31 * retired.hashCode() + translations.hashCode();
  }

  @Override
  public String toString() {
    return "retired " + retired + ", levels " + translations;
  }
}
