package io.equipoise.tools.simulate;

import io.equipoise.event.Decimal;
import io.equipoise.event.TextFile;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a world as its file states it, for any spec with these variables.
 *
 * <pre>
 *   base-rate: 0.5
 *   levels: {gender: {f: 0.5, m: 0.4, undisclosed: 0.1}}
 *   effects:
 *     - {offer: large, gender: f, effect: -0.25}
 * </pre>
 *
 * @param place the file, for messages
 * @param baseRate the mean reward before effects; null for the middle of the reward range
 * @param noise the standard deviation of a reward that is not bounded; null for the spec's scale
 * @param levels the share of each level by variable; they sum to 1
 * @param effects in the order of the file
 * @param lines of the keys and items, by their paths
 */
public record WorldFile(
    String place,
    @Nullable Double baseRate,
    @Nullable Double noise,
    Map<String, Map<String, Double>> levels,
    List<StatedEffect> effects,
    Map<String, Integer> lines) {
  /** States nothing: every arm has the same mean, and no attribute has an effect. */
  public static final WorldFile NONE =
      new WorldFile("world", null, null, Map.of(), List.of(), Map.of());

  private static final String EFFECT = "effect";
  private static final String TIMES = "times";
  private static final List<String> KEYS = List.of("base-rate", "noise", "levels", "effects");
  private static final double MOST = 1e12;
  private static final double ROUNDING = 1e-6;

  public WorldFile {
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    effects = List.copyOf(effects);
    lines = Map.copyOf(lines);
  }

  /** Returns file, line and path of a key or an item, for messages. */
  public String at(String path) {
    Integer line = lines.get(path);
    return place + (line == null ? "" : ", line " + line) + (path.isEmpty() ? "" : ": " + path);
  }

  /**
   * Adds a term to the mean reward.
   *
   * @param place for messages
   * @param where the allowed levels by variable, or arms by {@code arm}; the term counts only where
   *     all conditions hold
   * @param times a numeric variable whose place in its range, 0 to 1, multiplies the effect; null
   *     for 1
   * @param effect in units of the reward
   */
  public record StatedEffect(
      String place, Map<String, List<String>> where, @Nullable String times, double effect) {
    public StatedEffect {
      where = Collections.unmodifiableMap(new LinkedHashMap<>(where));
    }
  }

  /**
   * Reads a file.
   *
   * @throws WorldException if it is no world
   */
  public static WorldFile read(Path file) throws IOException {
    return parse(String.valueOf(file), TextFile.read(file));
  }

  /**
   * Parses a text.
   *
   * @param place its name, for messages
   * @throws WorldException if it is no world
   */
  public static WorldFile parse(String place, String text) {
    Node root;
    try {
      root = YamlText.root(text, "a world");
    } catch (SpecException e) {
      throw new WorldException(place + ", " + e.faults().get(0), e);
    }
    return new Reader(place).world(root);
  }

  /** Turns the nodes of a text into a world, and remembers their lines. */
  private static final class Reader {
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final String file;

    Reader(String file) {
      this.file = file;
    }

    WorldFile world(Node root) {
      Map<String, Object> world = mapping("", value("", root));
      for (String key : world.keySet()) {
        if (!KEYS.contains(key)) {
          throw fault(key, " given; " + Nearest.oneOf(key, KEYS));
        }
      }
      return new WorldFile(
          file,
          optional(world, "base-rate", value -> number("base-rate", value)),
          optional(world, "noise", value -> atLeast0("noise", value)),
          levels(world.get("levels")),
          effects(world.get("effects")),
          lines);
    }

    private String at(String path) {
      return new WorldFile(file, null, null, Map.of(), List.of(), lines).at(path);
    }

    private WorldException fault(String path, String words) {
      return new WorldException(at(path) + words);
    }

    /** Returns a text, a list or a mapping; null for no value. */
    private @Nullable Object value(String path, Node node) {
      node.getStartMark().ifPresent(mark -> lines.putIfAbsent(path, mark.getLine() + 1));
      if (node instanceof ScalarNode scalar) {
        boolean isPlain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
        return isPlain && scalar.getValue().matches("|~|null") ? null : scalar.getValue();
      }
      if (node instanceof SequenceNode sequence) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
          items.add(value(path + "[" + items.size() + "]", item));
        }
        return items;
      }
      Map<String, @Nullable Object> mapping = new LinkedHashMap<>();
      for (NodeTuple tuple : ((MappingNode) node).getValue()) {
        String key = tuple.getKeyNode() instanceof ScalarNode name ? name.getValue() : "a list";
        String own = path.isEmpty() ? key : path + "." + key;
        tuple.getKeyNode().getStartMark().ifPresent(mark -> lines.put(own, mark.getLine() + 1));
        if (mapping.containsKey(key)) {
          throw fault(own, ": given twice; remove one");
        }
        mapping.put(key, value(own, tuple.getValueNode()));
      }
      return mapping;
    }

    private static @Nullable Double optional(
        Map<String, Object> world, String key, Function<Object, Double> reader) {
      Object value = world.get(key);
      return value == null ? null : reader.apply(value);
    }

    private Map<String, Map<String, Double>> levels(@Nullable Object given) {
      Map<String, Map<String, Double>> levels = new LinkedHashMap<>();
      if (given != null) {
        mapping("levels", given)
            .forEach((name, shares) -> levels.put(name, shares("levels." + name, shares)));
      }
      return levels;
    }

    private Map<String, Double> shares(String path, Object given) {
      Map<String, Double> shares = new LinkedHashMap<>();
      double sum = 0;
      for (Map.Entry<String, Object> share : mapping(path, given).entrySet()) {
        double value = atLeast0(path + "." + share.getKey(), share.getValue());
        shares.put(share.getKey(), value);
        sum += value;
      }
      if (!(Math.abs(sum - 1) <= ROUNDING)) {
        throw fault(path, ": the shares sum to " + sum + "; they must sum to 1");
      }
      return shares;
    }

    private List<StatedEffect> effects(@Nullable Object given) {
      List<StatedEffect> effects = new ArrayList<>();
      if (given == null) {
        return effects;
      }
      if (!(given instanceof List<?> items)) {
        throw fault(
            "effects", ": " + given + " given; a list such as [{offer: large, effect: -0.2}]");
      }
      for (int i = 0; i < items.size(); i++) {
        effects.add(effect("effects[" + i + "]", items.get(i)));
      }
      return effects;
    }

    private StatedEffect effect(String path, @Nullable Object given) {
      Map<String, Object> entries = mapping(path, given);
      Object effect = entries.get(EFFECT);
      if (effect == null) {
        throw fault(path, ": no effect; add effect: NUMBER");
      }
      Object times = entries.get(TIMES);
      Map<String, List<String>> where = new LinkedHashMap<>();
      entries.forEach(
          (name, value) -> {
            if (!name.equals(EFFECT) && !name.equals(TIMES)) {
              where.put(name, words(value));
            }
          });
      return new StatedEffect(
          at(path),
          where,
          times == null ? null : String.valueOf(times),
          number(path + "." + EFFECT, effect));
    }

    private static List<String> words(Object value) {
      return value instanceof List<?> items
          ? items.stream().map(String::valueOf).toList()
          : List.of(String.valueOf(value));
    }

    private Map<String, Object> mapping(String path, @Nullable Object given) {
      if (!(given instanceof Map<?, ?> entries)) {
        throw fault(path, ": " + given + " given; a mapping such as {name: value}");
      }
      Map<String, Object> mapping = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : entries.entrySet()) {
        String key = String.valueOf(entry.getKey());
        Object value = entry.getValue();
        if (value == null) {
          throw fault(path.isEmpty() ? key : path + "." + key, ": no value; give one");
        }
        mapping.put(key, value);
      }
      return mapping;
    }

    private double number(String path, Object value) {
      double number = Decimal.of(String.valueOf(value));
      if (Double.isNaN(number)) {
        throw fault(path, ": " + value + " given; a finite number");
      }
      if (Math.abs(number) > MOST) {
        throw fault(path, ": " + value + " given; a number from -1e12 to 1e12");
      }
      return number;
    }

    private double atLeast0(String path, Object value) {
      double number = number(path, value);
      if (number < 0) {
        throw fault(path, ": " + value + " given; at least 0");
      }
      return number;
    }
  }
}
