package io.equipoise.segmentspec;

import io.equipoise.event.GroupMean;
import io.equipoise.segmentspec.AttributeFault.Code;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a value of one variable into a level index. */
final class VariableEncoder {
  private static final Integer AMBIGUOUS = -1;

  private final SpecVariable variable;
  private final Map<String, Integer> index = new HashMap<>();

  /** Levels by the number that they write, which may be written otherwise. */
  private final Map<String, Integer> numbers = new HashMap<>();

  private final @Nullable NumberRange numberRange;
  private final String allowed;

  VariableEncoder(SpecVariable variable) {
    this.variable = variable;
    this.numberRange = variable.range();
    List<String> levels = variable.levels();
    for (int level = 0; level < levels.size(); level++) {
      index.put(levels.get(level), level);
      String written = Levels.number(levels.get(level));
      if (written != null) {
        numbers.merge(written, level, (one, other) -> AMBIGUOUS);
      }
    }
    this.allowed =
        numberRange == null
            ? Nearest.oneOf("", levels)
            : "a number from "
                + Field.shown(numberRange.low())
                + " to "
                + Field.shown(numberRange.high());
  }

  SpecVariable variable() {
    return variable;
  }

  /** Returns the index, or adds a fault and returns -1. */
  int encode(Object value, List<AttributeFault> faults) {
    Double number = value instanceof Number given ? Double.valueOf(given.doubleValue()) : null;
    if (number != null && !Double.isFinite(number)) {
      return fault(Code.NOT_FINITE, "a finite number is needed", faults);
    }
    if (numberRange != null && !isUndisclosed(value)) {
      return bin(numberRange, number, faults);
    }
    Integer level = index.get(label(value));
    if (level == null) {
      level = index.get(value.toString());
    }
    if (level == null && number != null) {
      level = numbers.get(Levels.plain(value.toString()));
    }
    return level == null || level.equals(AMBIGUOUS)
        ? fault(Code.UNKNOWN_LEVEL, allowed, faults)
        : level;
  }

  /** Returns the value of a numeric variable; of one who does not tell, the range's middle. */
  double number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    return numberRange == null ? Double.NaN : numberRange.low() + numberRange.width() / 2;
  }

  private boolean isUndisclosed(Object value) {
    return variable.missing() == Missing.LEVEL && GroupMean.UNDISCLOSED.equals(value);
  }

  private int bin(NumberRange within, @Nullable Double number, List<AttributeFault> faults) {
    if (number == null) {
      return fault(Code.NOT_FINITE, allowed + " is needed", faults);
    }
    return within.contains(number)
        ? variable.bin(number)
        : fault(Code.OUT_OF_RANGE, allowed, faults);
  }

  /** The numbers 2 and 2.0 are the level "2"; true is "true". */
  private static String label(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return Levels.shown(((Number) value).doubleValue());
    }
    return value.toString();
  }

  int fault(Code code, String message, List<AttributeFault> faults) {
    faults.add(new AttributeFault(code, variable.name(), variable.name() + ": " + message));
    return -1;
  }
}
