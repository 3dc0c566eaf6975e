package io.equipoise.segmentspec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Defines which values a key may have.
 *
 * @param bounds of a number, a duration, the length of a text or the size of a list; null for none
 * @param words of {@link ValueKind#WORD}
 * @param of alternatives for each item of a list and each value of a map
 * @param section the name of the section whose keys a {@link ValueKind#SECTION} has
 */
public record KeyType(
    ValueKind kind, @Nullable Bounds bounds, List<String> words, List<KeyType> of, String section) {
  /** Names the kind of a value. A table contains the constant's name in lower case. */
  public enum ValueKind {
    TEXT,
    /** A text of letters, digits and {@code . _ -} that begins with a letter or digit. */
    NAME,
    NUMBER,
    WHOLE,
    FLAG,
    DURATION,
    /** {@code [low, high]} with low less than high. */
    RANGE,
    /** Written as {@code one of a, b}. */
    WORD,
    LIST,
    /** A mapping whose keys are names. */
    MAP,
    /** A mapping of the keys of a section, written as <code>{name}</code>. */
    SECTION,
    /** A key that other policies have; the meaning says why these do not. */
    REJECTED
  }

  /**
   * Holds an interval as it is written: <code>[1, 5]</code>, or <code>(0, inf)</code> without ends.
   */
  public record Bounds(String low, boolean isLowOpen, String high, boolean isHighOpen) {
    /** Returns whether there is no upper bound. */
    public boolean isUnlimited() {
      return high.equals("inf");
    }

    boolean contains(double value) {
      double least = Double.parseDouble(low);
      double most = isUnlimited() ? Double.POSITIVE_INFINITY : Double.parseDouble(high);
      return (isLowOpen ? value > least : value >= least)
          && (isHighOpen ? value < most : value <= most);
    }

    boolean containsWhole(long value) {
      return Long.parseLong(low) <= value && (isUnlimited() || value <= Long.parseLong(high));
    }

    boolean contains(Duration value) {
      return Field.durationOf(low).compareTo(value) <= 0
          && value.compareTo(Field.durationOf(high)) <= 0;
    }

    /** Returns how many items are allowed, after a blank. */
    String count() {
      return low.equals(high)
          ? " " + low
          : " " + low + (isUnlimited() ? " or more" : " to " + high);
    }

    private String phrase() {
      if (isUnlimited()) {
        return isLowOpen ? " above " + low : " of at least " + low;
      }
      if (isLowOpen) {
        return isHighOpen
            ? " between " + low + " and " + high + ", both excluded"
            : " above " + low + ", at most " + high;
      }
      return " from " + low + " to " + (isHighOpen ? "below " : "") + high;
    }
  }

  private static final Pattern TYPE =
      Pattern.compile(
          "(?:\\{(?<section>[^}]+)\\}|one of (?<words>[a-z0-9-]+(?:,"
              + " [a-z0-9-]+)*)|(?<kind>[a-z]+)(?: (?<open>[\\[(])(?<low>[^,]+),"
              + " (?<high>[^\\])]+)(?<close>[\\])]))?)(?<next> of | or |$)");

  /**
   * Reads types that are separated by {@code or}. Types after {@code list of} or {@code map of} are
   * those of the items.
   *
   * @throws IllegalArgumentException if the text is no such list
   */
  static List<KeyType> parse(String text) {
    List<KeyType> types = new ArrayList<>();
    String rest = text;
    while (!rest.isEmpty()) {
      Matcher type = TYPE.matcher(rest);
      if (!type.lookingAt()) {
        throw new IllegalArgumentException("the type " + text + " cannot be read at: " + rest);
      }
      rest = rest.substring(type.end());
      boolean isContainer = type.group("next").equals(" of ");
      types.add(of(type, isContainer ? parse(rest) : List.of()));
      rest = isContainer ? "" : rest;
    }
    return List.copyOf(types);
  }

  private static KeyType of(Matcher type, List<KeyType> items) {
    String section = type.group("section");
    if (section != null) {
      return new KeyType(ValueKind.SECTION, null, List.of(), items, section);
    }
    String words = type.group("words");
    if (words != null) {
      return new KeyType(ValueKind.WORD, null, List.of(words.split(", ", -1)), items, "");
    }
    Bounds bounds =
        type.group("low") == null
            ? null
            : new Bounds(
                type.group("low"),
                type.group("open").equals("("),
                type.group("high"),
                type.group("close").equals(")"));
    ValueKind kind = ValueKind.valueOf(type.group("kind").toUpperCase(Locale.ROOT));
    return new KeyType(kind, bounds, List.of(), items, "");
  }

  /** Returns what is allowed, for error messages and the reference page. */
  public String phrase() {
    String within = bounds == null ? "" : bounds.phrase();
    return switch (kind) {
      case TEXT -> bounds == null ? "a text" : "a text of at most " + bounds.high() + " characters";
      case NAME ->
          "a name of at most 128 letters a to z or A to Z, digits and . _ -, a letter or digit first";
      case NUMBER -> bounds == null ? "a finite number" : "a number" + within;
      case WHOLE -> "a whole number" + within;
      case FLAG -> "true or false";
      case DURATION -> "a duration like 5s, 30m, 12h or 30d," + within;
      case RANGE -> "a list of two numbers [low, high]" + within;
      case WORD -> words.size() == 1 ? words.get(0) : "one of " + String.join(", ", words);
      case LIST -> bounds == null ? "a list" : "a list of" + bounds.count() + " items";
      case MAP -> "a mapping of" + (bounds == null ? "" : bounds.count()) + " names";
      case SECTION -> "a mapping";
      case REJECTED -> "nothing";
    };
  }
}
