package io.equipoise.segmentspec;

import io.equipoise.event.GroupMean;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the levels of a variable from its declaration: listed, or made by cuts of a range.
 *
 * @param names with {@code undisclosed} last where missing values are a level
 */
@SuppressWarnings("ArrayRecordComponent") // lives only while a spec is read
record Levels(List<String> names, @Nullable NumberRange range, double[] cuts) {
  static final int MAX_LEVELS = 1024;

  /** Matches a decimal number; a text with a leading zero or an exponent is a code. */
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?");

  /** Reads {@code levels}, or {@code range} and {@code cuts}; null after a fault. */
  static @Nullable Levels read(VariableRole variableRole, Missing missing, Section section) {
    Field listed = section.get("levels");
    Field range = section.get("range");
    Field cuts = section.get("cuts");
    if (listed == null && range == null) {
      section.require("levels", "a list of levels, or range and cuts of a number");
      return null;
    }
    if (listed != null) {
      for (Field numeric : new @Nullable Field[] {range, cuts}) {
        if (numeric != null) {
          numeric.fault("either levels, or range and cuts");
        }
      }
      return listed(variableRole, missing, section);
    }
    if (range == null) {
      section.field().fault("no levels", "levels, or a range with cuts");
      return null;
    }
    return numeric(variableRole, missing, section);
  }

  private static @Nullable Levels listed(
      VariableRole variableRole, Missing missing, Section section) {
    KeyType type = section.itemType("levels");
    List<String> names = new ArrayList<>();
    for (Field item : section.items("levels")) {
      String level = item.text(type);
      if (level == null) {
        return null;
      }
      if (names.contains(level)) {
        item.fault("every level once");
      }
      names.add(level);
    }
    Field field = section.get("levels");
    if (field == null || names.isEmpty()) {
      return null;
    }
    int declared = names.indexOf(GroupMean.UNDISCLOSED);
    if (declared >= 0 && (missing != Missing.LEVEL || declared < names.size() - 1)) {
      field.fault(
          "the level undisclosed", "it needs missing: level, and comes last or is left out");
    } else if (declared >= 0) {
      names.remove(declared);
    }
    int least = variableRole == VariableRole.SENSITIVE ? 2 : 1;
    if (names.size() < least) {
      field.fault(names.size() + " levels", "at least " + least);
    }
    return new Levels(withUndisclosed(names, missing), null, new double[0]);
  }

  /**
   * Reads a range and its cuts. An arm's number needs no cuts: only policies over cells use them.
   */
  private static @Nullable Levels numeric(
      VariableRole variableRole, Missing missing, Section section) {
    NumberRange numberRange = section.range("range");
    Field cuts = section.get("cuts");
    if (cuts == null && variableRole == VariableRole.ACTION) {
      return numberRange == null
          ? null
          : new Levels(bins(numberRange, new double[0]), numberRange, new double[0]);
    }
    if (cuts == null) {
      section
          .fields()
          .get("range")
          .fault("a range without cuts", "cuts: increasing numbers inside the range");
      return null;
    }
    List<Double> numbers = new ArrayList<>();
    for (Field item : section.items("cuts")) {
      Double cut = item.number();
      if (cut == null || numberRange == null) {
        return null;
      }
      double after = numbers.isEmpty() ? numberRange.low() : numbers.get(numbers.size() - 1);
      if (cut <= after || cut >= numberRange.high()) {
        item.fault(
            "increasing numbers, greater than "
                + shown(after)
                + ", less than "
                + shown(numberRange.high()));
        return null;
      }
      numbers.add(cut);
    }
    if (numberRange == null || numbers.isEmpty()) {
      return null;
    }
    double[] array = numbers.stream().mapToDouble(Double::doubleValue).toArray();
    return new Levels(withUndisclosed(bins(numberRange, array), missing), numberRange, array);
  }

  private static List<String> bins(NumberRange numberRange, double[] cuts) {
    List<String> bins = new ArrayList<>();
    String from = shown(numberRange.low());
    for (double cut : cuts) {
      bins.add("[" + from + "," + shown(cut) + ")");
      from = shown(cut);
    }
    bins.add("[" + from + "," + shown(numberRange.high()) + "]");
    return bins;
  }

  private static List<String> withUndisclosed(List<String> names, Missing missing) {
    if (missing == Missing.LEVEL) {
      names.add(GroupMean.UNDISCLOSED);
    }
    return names;
  }

  /** Returns the number that a level writes, as {@link #plain} prints it; null if it is none. */
  static @Nullable String number(String level) {
    return DECIMAL.matcher(level).matches() ? plain(level) : null;
  }

  /** Prints a number in full, without exponent and trailing zeros. */
  static String plain(String number) {
    return new BigDecimal(number).stripTrailingZeros().toPlainString();
  }

  /** Prints whole numbers without a fraction. */
  static String shown(double number) {
    boolean whole = number == StrictMath.rint(number) && Math.abs(number) < 1e15;
    return whole ? Long.toString((long) number) : Double.toString(number);
  }
}
