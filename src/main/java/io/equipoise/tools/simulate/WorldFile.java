package io.equipoise.tools.simulate;

import io.equipoise.event.TextFile;
import io.equipoise.segmentspec.Nearest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A world as its file states it, for any spec with these variables.
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
 */
public record WorldFile(
    String place,
    @Nullable Double baseRate,
    @Nullable Double noise,
    Map<String, Map<String, Double>> levels,
    List<StatedEffect> effects) {
  /** States nothing: every arm has the same mean, and no attribute has an effect. */
  public static final WorldFile NONE = new WorldFile("world", null, null, Map.of(), List.of());

  private static final String EFFECT = "effect";
  private static final String TIMES = "times";
  private static final int LONGEST = 1 << 20;
  private static final double ROUNDING = 1e-6;

  /** Copies the collections. */
  public WorldFile {
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    effects = List.copyOf(effects);
  }

  /**
   * A term of the mean reward.
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
    /** Copies the map. */
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
    Object root;
    try {
      LoadSettings settings =
          LoadSettings.builder()
              .setLabel(place)
              .setCodePointLimit(LONGEST)
              .setMaxAliasesForCollections(0)
              .build();
      root = new Load(settings).loadFromString(text);
    } catch (StackOverflowError e) {
      throw new WorldException(place + ": is nested too deeply; a world has four levels", e);
    } catch (YamlEngineException e) {
      String fault = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new WorldException(place + ": is not plain YAML: " + fault, e);
    }
    Map<String, Object> world = mapping(place, root);
    for (String key : world.keySet()) {
      List<String> allowed = List.of("base-rate", "noise", "levels", "effects");
      if (!allowed.contains(key)) {
        throw new WorldException(place + ": " + key + " given; " + Nearest.oneOf(key, allowed));
      }
    }
    return new WorldFile(
        place,
        optional(world, "base-rate", value -> number(place + ": base-rate", value)),
        optional(world, "noise", value -> atLeast0(place + ": noise", value)),
        levels(place + ": levels", world.get("levels")),
        effects(place + ": effects", world.get("effects")));
  }

  private static @Nullable Double optional(
      Map<String, Object> world, String key, Function<Object, Double> reader) {
    Object value = world.get(key);
    return value == null ? null : reader.apply(value);
  }

  private static Map<String, Map<String, Double>> levels(String place, @Nullable Object given) {
    Map<String, Map<String, Double>> levels = new LinkedHashMap<>();
    if (given == null) {
      return levels;
    }
    mapping(place, given)
        .forEach((name, shares) -> levels.put(name, shares(place + "." + name, shares)));
    return levels;
  }

  private static Map<String, Double> shares(String place, Object given) {
    Map<String, Double> shares = new LinkedHashMap<>();
    double sum = 0;
    for (Map.Entry<String, Object> share : mapping(place, given).entrySet()) {
      double value = atLeast0(place + "." + share.getKey(), share.getValue());
      shares.put(share.getKey(), value);
      sum += value;
    }
    if (!(Math.abs(sum - 1) <= ROUNDING)) {
      throw new WorldException(place + ": the shares sum to " + sum + "; they must sum to 1");
    }
    return shares;
  }

  private static List<StatedEffect> effects(String place, @Nullable Object given) {
    List<StatedEffect> effects = new ArrayList<>();
    if (given == null) {
      return effects;
    }
    if (!(given instanceof List<?> items)) {
      throw new WorldException(
          place + ": " + given + " given; a list such as [{offer: large, effect: -0.2}]");
    }
    for (int i = 0; i < items.size(); i++) {
      effects.add(effect(place + "[" + (i + 1) + "]", items.get(i)));
    }
    return effects;
  }

  private static StatedEffect effect(String place, @Nullable Object given) {
    Map<String, Object> entries = mapping(place, given);
    Object effect = entries.get(EFFECT);
    if (effect == null) {
      throw new WorldException(place + ": no effect; add effect: NUMBER");
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
        place,
        where,
        times == null ? null : String.valueOf(times),
        number(place + ".effect", effect));
  }

  private static List<String> words(Object value) {
    return value instanceof List<?> items
        ? items.stream().map(String::valueOf).toList()
        : List.of(String.valueOf(value));
  }

  private static Map<String, Object> mapping(String place, @Nullable Object given) {
    if (!(given instanceof Map<?, ?> entries)) {
      throw new WorldException(place + ": " + given + " given; a mapping such as {name: value}");
    }
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      Object value = entry.getValue();
      if (value == null) {
        throw new WorldException(place + "." + entry.getKey() + ": no value; give one");
      }
      mapping.put(String.valueOf(entry.getKey()), value);
    }
    return mapping;
  }

  private static double number(String place, Object value) {
    if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    throw new WorldException(place + ": " + value + " given; a finite number");
  }

  private static double atLeast0(String place, Object value) {
    double number = number(place, value);
    if (number < 0) {
      throw new WorldException(place + ": " + value + " given; at least 0");
    }
    return number;
  }
}
