package io.equipoise.segmentspec;

import io.equipoise.event.GroupMean;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a variable as its declaration gives them: listed, or made by cuts of a range.
 *
 * @param names with {@code undisclosed} last where missing values are a level
 */
@SuppressWarnings("ArrayRecordComponent") // lives only while a spec is read
record Levels(List<String> names, @Nullable NumberRange range, double[] cuts) {
  static final int MAX_LEVELS = 1024;

  private static final int MAX_LENGTH = 128;

  /** With a zero in front or an exponent it is a code. */
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
      return listed(variableRole, missing, listed);
    }
    if (range == null) {
      section.field().fault("no levels", "levels, or a range with cuts");
      return null;
    }
    return numeric(variableRole, missing, range, cuts);
  }

  private static @Nullable Levels listed(VariableRole variableRole, Missing missing, Field field) {
    List<String> names = new ArrayList<>();
    for (Field item : field.items()) {
      String level = item.text();
      if (level == null) {
        return null;
      }
      if (level.length() > MAX_LENGTH) {
        item.fault("a level has at most " + MAX_LENGTH + " characters");
      }
      if (names.contains(level)) {
        item.fault("every level once");
      }
      names.add(level);
      if (names.size() > MAX_LEVELS) {
        item.fault("at most " + MAX_LEVELS + " levels");
        return null;
      }
    }
    int declared = names.indexOf(GroupMean.UNDISCLOSED);
    if (declared >= 0 && (missing != Missing.LEVEL || declared < names.size() - 1)) {
      field.fault(
          "the level undisclosed", "it needs missing: level, and comes last or is left out");
    } else if (declared >= 0) {
      names.remove(declared);
    }
    int least = variableRole == VariableRole.SENSITIVE ? 2 : 1;
    if (field.isList() && names.size() < least) {
      field.fault(names.size() + " levels", "at least " + least);
    }
    return new Levels(withUndisclosed(names, missing), null, new double[0]);
  }

  /** An arm's number needs no cuts: only what counts cells counts by them. */
  private static @Nullable Levels numeric(
      VariableRole variableRole, Missing missing, Field rangeField, @Nullable Field cuts) {
    NumberRange numberRange = range(rangeField);
    if (cuts == null && variableRole == VariableRole.ACTION) {
      return numberRange == null
          ? null
          : new Levels(bins(numberRange, new double[0]), numberRange, new double[0]);
    }
    if (cuts == null) {
      rangeField.fault("a range without cuts", "cuts: increasing numbers inside the range");
      return null;
    }
    List<Double> numbers = new ArrayList<>();
    for (Field item : cuts.items()) {
      Double cut = item.number();
      if (cut == null || numberRange == null) {
        return null;
      }
      double after = numbers.isEmpty() ? numberRange.low() : numbers.get(numbers.size() - 1);
      if (cut <= after || cut >= numberRange.high() || numbers.size() == MAX_LEVELS) {
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
      cuts.fault("at least one cut inside the range");
      return null;
    }
    double[] array = numbers.stream().mapToDouble(Double::doubleValue).toArray();
    return new Levels(withUndisclosed(bins(numberRange, array), missing), numberRange, array);
  }

  /** Reads {@code [low, high]}; null after a fault. */
  static @Nullable NumberRange range(Field field) {
    List<Field> ends = field.isList() ? field.items() : List.of();
    if (ends.size() != 2) {
      field.fault("a list of two numbers [low, high]");
      return null;
    }
    Double low = ends.get(0).number();
    Double high = ends.get(1).number();
    if (low == null || high == null) {
      return null;
    }
    if (low >= high) {
      field.fault("[" + shown(low) + ", " + shown(high) + "]", "low must be less than high");
      return null;
    }
    return new NumberRange(low, high);
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
