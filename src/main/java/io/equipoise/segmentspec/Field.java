package io.equipoise.segmentspec;

import io.equipoise.segmentspec.KeyType.Bounds;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a value of the text, with its path and line. Methods that read it return null after they
 * have reported an error, so that reading continues. The type that YAML gives to a scalar has no
 * effect: {@code yes}, {@code 010} and {@code 1.0} are texts as written.
 */
public final class Field {
  /** Without leading zeros: some readers of YAML take 010 for 8, others for 10. */
  static final Pattern NUMBER =
      Pattern.compile("[-+]?((0|[1-9]\\d*)(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");

  /** Matches the beginning of a number that is not zero. */
  private static final Pattern NOT_ZERO = Pattern.compile("[-+]?[0.]*[1-9]");

  /** Squares and quotients of smaller numbers would be 0 or infinite. */
  private static final double SMALLEST = 1e-30;

  /** Longer numbers are shown with an exponent. */
  private static final int MOST_DIGITS = 20;

  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Pattern KEY_OF_PATH = Pattern.compile("[.\\[]");
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,18})");
  static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

  private final String path;
  private final Node node;
  private final SpecFaults specFaults;

  Field(String path, Node node, SpecFaults specFaults) {
    this.path = path;
    this.node = node;
    this.specFaults = specFaults;
  }

  public String path() {
    return path;
  }

  String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  SpecFaults faults() {
    return specFaults;
  }

  public int line() {
    return specFaults.lineOf(node.getStartMark());
  }

  public boolean isScalar() {
    return node instanceof ScalarNode;
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Adds a fault about this value. */
  public void fault(String allowed) {
    String given =
        node instanceof ScalarNode scalar
            ? scalar.getValue().isEmpty() ? "nothing" : SpecFaults.shown(scalar.getValue())
            : isList() ? "a list" : "a mapping";
    fault(given, allowed);
  }

  /** Adds a fault at this value about a given text. */
  public void fault(String given, String allowed) {
    specFaults.add(path, line(), given, allowed);
  }

  /** Returns the source text of a scalar, not blank. */
  public @Nullable String text() {
    if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    fault("a text");
    return null;
  }

  /** Returns a text of a type, {@code TEXT} or {@code NAME}. */
  public @Nullable String text(KeyType type) {
    String text = text();
    Bounds length = type.bounds();
    boolean isAllowed =
        text == null
            || (type.kind() == KeyType.ValueKind.NAME
                ? NAME.matcher(text).matches()
                : length == null || length.containsWhole(text.length()));
    if (!isAllowed) {
      fault(type.phrase());
    }
    return isAllowed ? text : null;
  }

  public @Nullable Double number() {
    return number("a finite number", null);
  }

  /** Returns a number of a type. */
  public @Nullable Double number(KeyType type) {
    return number(type.phrase(), type.bounds());
  }

  @Nullable Double number(String allowed, @Nullable Bounds bounds) {
    if (node instanceof ScalarNode scalar && NUMBER.matcher(scalar.getValue()).matches()) {
      double value = Double.parseDouble(scalar.getValue());
      boolean isWithin = Double.isFinite(value) && (bounds == null || bounds.contains(value));
      boolean isTiny = value == 0 || (isWithin && Math.abs(value) < SMALLEST);
      if (isTiny && NOT_ZERO.matcher(scalar.getValue()).lookingAt()) {
        fault(
            SpecFaults.shown(scalar.getValue()) + ", which is too small to compute with,", allowed);
        return null;
      }
      if (isWithin) {
        return value;
      }
    }
    fault(allowed);
    return null;
  }

  /** Returns a whole number of a type, which has bounds. */
  @Nullable Long whole(KeyType type) {
    if (node instanceof ScalarNode scalar && WHOLE.matcher(scalar.getValue()).matches()) {
      try {
        long value = Long.parseLong(scalar.getValue());
        if (bounds(type).containsWhole(value)) {
          return value;
        }
      } catch (NumberFormatException tooLong) {
        // 19 digits may exceed a long; the error below states the bounds.
      }
    }
    fault(type.phrase());
    return null;
  }

  private static Bounds bounds(KeyType type) {
    return Objects.requireNonNull(type.bounds(), "the type has no bounds");
  }

  boolean flag() {
    String text = isScalar() ? ((ScalarNode) node).getValue() : "";
    if (!text.equals("true") && !text.equals("false")) {
      fault("true or false");
    }
    return text.equals("true");
  }

  @Nullable Duration duration(KeyType type) {
    if (node instanceof ScalarNode scalar && DURATION.matcher(scalar.getValue()).matches()) {
      Duration duration = durationOf(scalar.getValue());
      if (bounds(type).contains(duration)) {
        return duration;
      }
    }
    fault(type.phrase());
    return null;
  }

  /** Returns the duration that a text of the pattern writes. */
  static Duration durationOf(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text + " is no duration");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  /** Returns {@code [low, high]}, low less than high; both within the bounds of the type. */
  @Nullable NumberRange range(KeyType type) {
    List<Field> ends = isList() ? items() : List.of();
    if (ends.size() != 2) {
      fault("a list of two numbers [low, high]");
      return null;
    }
    KeyType end = new KeyType(KeyType.ValueKind.NUMBER, type.bounds(), List.of(), List.of(), "");
    Double low = ends.get(0).number(end);
    Double high = ends.get(1).number(end);
    if (low == null || high == null) {
      return null;
    }
    if (low >= high) {
      fault("[" + shown(low) + ", " + shown(high) + "]", "low must be less than high");
      return null;
    }
    return new NumberRange(low, high);
  }

  /**
   * Returns the constant of a word that the type has.
   *
   * @param allowed what the key may be, for error messages
   */
  <E extends Enum<E>> @Nullable E word(KeyType type, String allowed, Class<E> constants) {
    String given = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (type.words().contains(given)) {
      return constant(constants, given);
    }
    fault(Nearest.suggestion(given, type.words()) + allowed);
    return null;
  }

  /** Returns the constant that {@link Word#wire} names by this word. */
  static <E extends Enum<E>> E constant(Class<E> constants, String word) {
    return Enum.valueOf(constants, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the choice that this word names. */
  <E> @Nullable E choice(List<E> choices, Function<? super E, String> word) {
    String given = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    for (E choice : choices) {
      if (word.apply(choice).equals(given)) {
        return choice;
      }
    }
    fault(Nearest.oneOf(given, choices.stream().<String>map(word).toList()));
    return null;
  }

  /** Returns a number as error messages show it: in full, unless that is long. */
  public static String shown(double number) {
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    String plain = exact.toPlainString();
    return plain.length() <= MOST_DIGITS ? plain : exact.toString().toLowerCase(Locale.ROOT);
  }

  /** Returns the items of a list; none after a fault, also in their number. */
  List<Field> items(KeyType type) {
    List<Field> items = items();
    Bounds size = type.bounds();
    if (isList() && size != null && !size.containsWhole(items.size())) {
      fault(items.size() + " items", type.phrase());
      return List.of();
    }
    return items;
  }

  /** Returns the items of a list; of anything else none, after a fault. */
  public List<Field> items() {
    List<Field> items = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        items.add(new Field(path + "[" + items.size() + "]", item, specFaults));
      }
    } else {
      fault("a list");
    }
    return items;
  }

  /** Returns the texts of a list; an item that is no text is a fault and left out. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Field item : items()) {
      String text = item.text();
      if (text != null) {
        texts.add(text);
      }
    }
    return texts;
  }

  /** Returns the values of a mapping by key, in the order of the text; none after a fault. */
  Map<String, Field> entries() {
    Map<String, Field> fields = new LinkedHashMap<>();
    if (!(node instanceof MappingNode mapping)) {
      fault("a mapping");
      return fields;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      int line = specFaults.lineOf(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        specFaults.add(path, line, "a key that is no word", "keys are words");
        continue;
      }
      String name = key.getValue();
      Field value = new Field(pathOf(name), tuple.getValueNode(), specFaults);
      Field first = fields.putIfAbsent(name, value);
      if (first != null) {
        specFaults.add(
            value.path,
            line,
            "a second " + name,
            first.line() == line
                ? "it is given in this line already; remove one"
                : "it is given in line " + first.line() + " already; remove one");
      }
    }
    return fields;
  }

  /** Adds to a fault's place, a path below this value, the line of its last key in the text. */
  SpecFault placed(SpecFault fault) {
    Optional<Mark> mark = Optional.empty();
    Node at = node;
    for (String key : KEY_OF_PATH.split(fault.place(), -1)) {
      NodeTuple entry = BifReference.entry(at, key);
      if (entry == null) {
        break;
      }
      mark = entry.getKeyNode().getStartMark();
      at = entry.getValueNode();
    }
    return mark.isEmpty() || fault.place().contains(SpecFaults.LINE)
        ? fault
        : new SpecFault(
            fault.place() + SpecFaults.LINE + specFaults.lineOf(mark),
            fault.given(),
            fault.allowed());
  }
}
