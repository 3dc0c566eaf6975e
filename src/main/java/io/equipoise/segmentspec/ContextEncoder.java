package io.equipoise.segmentspec;

import io.equipoise.event.GroupMean;
import io.equipoise.segmentspec.AttributeFault.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Encodes names and values of events as the indices that policies compute with. Immutable, so many
 * threads may share one.
 *
 * <p>Values are {@code String}, {@code Long}, {@code Integer}, {@code Double} or {@code Boolean}.
 * Attributes that the spec does not know are ignored. A missing variable with {@code level} or
 * {@code marginalize} in the spec gets {@link SpecVariable#undisclosed()}; with {@code marginalize}
 * that index is one past the last level: it is no level, and the model averages over the declared
 * ones.
 */
public final class ContextEncoder {
  private static final int UNOBSERVED = -1;
  private static final double[] NO_NUMBERS = {};

  private final List<VariableEncoder> features = new ArrayList<>();
  private final List<VariableEncoder> actions = new ArrayList<>();
  private final List<VariableEncoder> mediators = new ArrayList<>();
  private final int numericFeatures;
  private final int numericActions;
  private final Map<String, Integer> arms = new HashMap<>();
  private final Set<String> names = new HashSet<>();

  /** Compiles the variables and arms of a spec. */
  public ContextEncoder(SegmentSpec spec) {
    spec.variables().all().forEach(it -> names.add(it.name()));
    spec.variables().features().forEach(it -> features.add(new VariableEncoder(it)));
    spec.variables().actions().forEach(it -> actions.add(new VariableEncoder(it)));
    spec.variables().mediators().forEach(it -> mediators.add(new VariableEncoder(it)));
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      arms.put(spec.arms().get(arm).id(), arm);
    }
    numericFeatures = numeric(features);
    numericActions = numeric(actions);
  }

  private static int numeric(List<VariableEncoder> variables) {
    return (int) variables.stream().filter(it -> it.variable().isNumeric()).count();
  }

  /** Returns the level of every feature, in the order of {@link Variables#features()}. */
  public Encoded encode(Map<String, ? extends @Nullable Object> attributes) {
    return encode(features, numericFeatures, attributes);
  }

  /**
   * Returns the level of every action variable of a request's own arm, in the order of {@link
   * Variables#actions()}.
   */
  public Encoded encodeArm(Map<String, ? extends @Nullable Object> attributes) {
    return encode(actions, numericActions, attributes);
  }

  private static Encoded encode(
      List<VariableEncoder> variables,
      int numeric,
      Map<String, ? extends @Nullable Object> attributes) {
    int[] levels = new int[variables.size()];
    double[] numbers = new double[numeric];
    int number = 0;
    List<AttributeFault> faults = new ArrayList<>();
    for (int place = 0; place < levels.length; place++) {
      VariableEncoder encoder = variables.get(place);
      Object value = attributes.get(encoder.variable().name());
      if (value != null) {
        levels[place] = encoder.encode(value, faults);
      } else if (encoder.variable().missing() == Missing.REJECT) {
        levels[place] = encoder.fault(Code.MISSING_VARIABLE, "it is needed", faults);
      } else {
        levels[place] = encoder.variable().undisclosed();
      }
      if (encoder.variable().isNumeric()) {
        numbers[number++] = encoder.number(value);
      }
    }
    return new Encoded(levels, numbers, faults);
  }

  /**
   * Returns the level of every mediator, in the order of {@link Variables#mediators()}; -1 if it
   * was not observed.
   */
  public Encoded encodeMediators(Map<String, ? extends @Nullable Object> observed) {
    int[] levels = new int[mediators.size()];
    Arrays.fill(levels, UNOBSERVED);
    List<AttributeFault> faults = new ArrayList<>();
    for (int mediator = 0; mediator < levels.length; mediator++) {
      VariableEncoder encoder = mediators.get(mediator);
      Object value = observed.get(encoder.variable().name());
      if (value != null) {
        levels[mediator] = encoder.encode(value, faults);
      }
    }
    return new Encoded(levels, NO_NUMBERS, faults);
  }

  /** Returns whether the spec has a variable of this name. */
  public boolean knows(String name) {
    return names.contains(name);
  }

  /** Returns the index of an arm, or -1 if the catalog has none of this id. */
  public int armIndex(String id) {
    return arms.getOrDefault(id, -1);
  }

  /** Turns a value of one variable into a level index. */
  private static final class VariableEncoder {
    private static final Integer AMBIGUOUS = -1;

    private final SpecVariable variable;
    private final Map<String, Integer> index = new HashMap<>();

    /**
     * Level indices by the number that a level writes, since values may write the same number
     * differently.
     */
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

    /** Returns the value of a numeric variable; the middle of the range if it is undisclosed. */
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
}
