package io.equipoise.segmentspec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A value of the text that knows its path and line.
 *
 * <p>The readers return null after adding a fault, so that reading goes on. What YAML thinks of a
 * scalar does not count: {@code yes}, {@code 010} and {@code 1.0} are the text that was written.
 */
public final class Field {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");

  /** The largest weight of a prior that a ridge model takes. */
  private static final double MOST = 1e12;

  /** The least of those, so that products of what is divided by it are numbers. */
  private static final double LEAST_RIDGE = 1e-300;

  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,19}");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

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

  Node node() {
    return node;
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

  /** Adds a fault about something at this value. */
  public void fault(String given, String allowed) {
    specFaults.add(path, line(), given, allowed);
  }

  /** Returns the source text of a scalar, not blank. */
  public @Nullable String text() {
    if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    fault("a text is needed");
    return null;
  }

  /** Returns the text if the pattern matches it. */
  public @Nullable String text(Pattern pattern, String allowed) {
    String text = text();
    if (text != null && !pattern.matcher(text).matches()) {
      fault(allowed);
      return null;
    }
    return text;
  }

  public @Nullable Double number() {
    if (node instanceof ScalarNode scalar && NUMBER.matcher(scalar.getValue()).matches()) {
      double value = Double.parseDouble(scalar.getValue());
      if (Double.isFinite(value)) {
        return value;
      }
    }
    fault("a finite number is needed");
    return null;
  }

  /** Returns a number above 0 with which sums and squares stay numbers. */
  public @Nullable Double positive() {
    return positive(MOST);
  }

  /** Returns the ridge of a regression. */
  public @Nullable Double ridge() {
    Double value = positive();
    if (value != null && value < LEAST_RIDGE) {
      fault("a number of at least " + Levels.shown(LEAST_RIDGE) + " is needed");
      return null;
    }
    return value;
  }

  /** Returns a number above 0 up to a bound. */
  public @Nullable Double positive(double most) {
    Double value = number();
    if (value != null && value <= 0) {
      fault("a number greater than 0 is needed");
      return null;
    }
    if (value != null && value > most) {
      fault("a number of at most " + Levels.shown(most) + " is needed");
      return null;
    }
    return value;
  }

  /** Returns a number between 0 and 1, neither of them. */
  public @Nullable Double probability() {
    Double value = number();
    if (value != null && (value <= 0 || value >= 1)) {
      fault("a probability between 0 and 1, neither of them");
      return null;
    }
    return value;
  }

  public @Nullable Long whole(long least, long most) {
    if (node instanceof ScalarNode scalar && WHOLE.matcher(scalar.getValue()).matches()) {
      try {
        long value = Long.parseLong(scalar.getValue());
        if (least <= value && value <= most) {
          return value;
        }
      } catch (NumberFormatException tooLong) {
        // 19 digits may exceed a long; the fault below says what may stand here.
      }
    }
    fault("a whole number from " + least + " to " + most + " is needed");
    return null;
  }

  public @Nullable Boolean flag() {
    String text = isScalar() ? ((ScalarNode) node).getValue() : "";
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    fault("true or false");
    return null;
  }

  /** Returns the duration if it is not outside the bounds. */
  public @Nullable Duration duration(Duration least, Duration most) {
    if (node instanceof ScalarNode scalar) {
      Matcher matcher = DURATION.matcher(scalar.getValue());
      if (matcher.matches()) {
        long count = Long.parseLong(matcher.group(1));
        Duration duration =
            switch (matcher.group(2)) {
              case "ms" -> Duration.ofMillis(count);
              case "s" -> Duration.ofSeconds(count);
              case "m" -> Duration.ofMinutes(count);
              case "h" -> Duration.ofHours(count);
              default -> Duration.ofDays(count);
            };
        if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
          return duration;
        }
      }
    }
    fault(
        "a duration like 250ms, 5s, 30m, 12h or 30d, from "
            + least.toSeconds()
            + "s to "
            + most.toDays()
            + "d");
    return null;
  }

  /** Returns the constant that this word names. */
  public <E extends Enum<E>> @Nullable E oneOf(E[] constants, Function<E, String> word) {
    return oneOf(List.of(constants), word);
  }

  /** Returns the choice that this word names. */
  <E> @Nullable E oneOf(List<E> choices, Function<? super E, String> word) {
    String given = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    for (E choice : choices) {
      if (word.apply(choice).equals(given)) {
        return choice;
      }
    }
    fault(Nearest.oneOf(given, choices.stream().<String>map(word).toList()));
    return null;
  }

  /** Returns a number as error messages show it. */
  public static String shown(double number) {
    return Levels.shown(number);
  }

  /** Returns the items of a list; of anything else none, after a fault. */
  public List<Field> items() {
    List<Field> items = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        items.add(new Field(path + "[" + items.size() + "]", item, specFaults));
      }
    } else {
      fault("a list is needed");
    }
    return items;
  }

  /** Returns the texts of a list; those that are none are faults and left out. */
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
}
