package io.equipoise.segmentspec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Defines the keys of a spec in a table. The readers, the reference page and the JSON Schema take
 * types, bounds, defaults and words from it. A table is a text:
 *
 * <pre>
 * # SECTION | sentences about the section
 * KEY | TYPE | DEFAULT | sentences about the key | POLICY POLICY
 * </pre>
 *
 * <p>{@code # SECTION, one key} begins a section that has exactly one of its keys. The last column
 * may be missing, see {@link SpecKey#only}. {@link KeyType} has the types, {@link SpecKey#standard}
 * the defaults.
 */
public final class SpecKeys {
  /** The name of the section that a family of policies declares. */
  public static final String POLICY = "policy";

  private static final String ONE_KEY = ", one key";

  private static final class Core {
    private static final SpecKeys KEYS = of(SpecKeys.class, "spec");
  }

  /**
   * Lists the keys of a mapping.
   *
   * @param isOneKey whether the mapping has exactly one of them
   */
  public record Keys(String section, boolean isOneKey, String intro, Map<String, SpecKey> rows) {
    List<String> names() {
      return rows.values().stream().filter(row -> !row.isRejected()).map(SpecKey::name).toList();
    }

    boolean isOpen() {
      return rows.values().stream().anyMatch(SpecKey::isPlaceholder);
    }
  }

  private final Map<String, Keys> sections = new LinkedHashMap<>();

  private SpecKeys() {}

  /** Returns the keys that do not depend on a policy. */
  public static SpecKeys core() {
    return Core.KEYS;
  }

  /**
   * Reads the resource {@code /spec-keys/NAME.txt} of a class.
   *
   * @throws IllegalStateException if there is none
   */
  public static SpecKeys of(Class<?> owner, String name) {
    String file = "/spec-keys/" + name + ".txt";
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(
            "no " + file + " in the jar of " + owner.getName() + "; it declares keys of specs");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /**
   * Reads a table.
   *
   * @throws IllegalArgumentException if a line is neither a section nor a key
   */
  public static SpecKeys parse(String table) {
    SpecKeys keys = new SpecKeys();
    Map<String, SpecKey> rows = Map.of();
    for (String line : table.lines().filter(it -> !it.isBlank()).toList()) {
      List<String> cells = new ArrayList<>();
      for (String cell : line.split("\\|", -1)) {
        cells.add(cell.strip());
      }
      if (line.startsWith("# ")) {
        String section = cells.get(0).substring(2);
        boolean isOneKey = section.endsWith(ONE_KEY);
        section = isOneKey ? section.substring(0, section.length() - ONE_KEY.length()) : section;
        rows = new LinkedHashMap<>();
        keys.sections.put(
            section, new Keys(section, isOneKey, cells.size() > 1 ? cells.get(1) : "", rows));
      } else if (cells.size() < 4 || keys.sections.isEmpty()) {
        throw new IllegalArgumentException(
            "the line must be: key | type | default | meaning, below a section: " + line);
      } else {
        List<String> only = cells.size() > 4 ? List.of(cells.get(4).split(" ", -1)) : List.of();
        String name = cells.get(0);
        List<KeyType> types = KeyType.parse(cells.get(1));
        rows.put(name, new SpecKey(name, types, cells.get(2), cells.get(3), only));
      }
    }
    return keys;
  }

  /** Returns the sections of this table in its order. */
  public List<Keys> sections() {
    return List.copyOf(sections.values());
  }

  /** Returns whether this table itself has a section. */
  public boolean has(String section) {
    return sections.containsKey(section);
  }

  /**
   * Returns a section of this table or else of {@link #core}.
   *
   * @throws IllegalArgumentException if neither has it
   */
  public Keys section(String section) {
    Keys own = sections.get(section);
    if (own == null && this == core()) {
      throw new IllegalArgumentException("no table of keys has the section " + section);
    }
    return own == null ? core().section(section) : own;
  }
}
