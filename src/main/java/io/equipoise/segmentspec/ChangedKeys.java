package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Finds the keys whose values differ between two specs; order and layout do not matter. */
public final class ChangedKeys {
  private static final String VERSION = "version";

  private ChangedKeys() {}

  /**
   * Returns one line per key, for example {@code fairness.tau: 0.1 -> 0.2}; none for the version.
   *
   * @param before a valid spec, like {@code after}
   */
  public static List<String> of(String before, String after) {
    Map<String, String> old = values(before);
    Map<String, String> now = values(after);
    TreeSet<String> keys = new TreeSet<>(old.keySet());
    keys.addAll(now.keySet());
    keys.remove(VERSION);
    List<String> changed = new ArrayList<>();
    for (String key : keys) {
      String was = old.getOrDefault(key, "(none)");
      String is = now.getOrDefault(key, "(none)");
      if (!was.equals(is)) {
        changed.add(key + ": " + was + " -> " + is);
      }
    }
    return changed;
  }

  private static Map<String, String> values(String text) {
    Map<String, String> values = new TreeMap<>();
    flatten("", new Load(LoadSettings.builder().build()).loadFromString(text), values);
    return values;
  }

  private static void flatten(String key, Object value, Map<String, String> into) {
    if (value instanceof Map<?, ?> section && !section.isEmpty()) {
      String prefix = key.isEmpty() ? "" : key + ".";
      section.forEach((name, nested) -> flatten(prefix + name, nested, into));
    } else {
      into.put(key, String.valueOf(value).strip());
    }
  }
}
