package io.equipoise.segmentspec;

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
 * Turns names and values of events into the indices that bandits compute with. Immutable, so one
 * serves many threads.
 *
 * <p>Values are {@code String}, {@code Long}, {@code Integer}, {@code Double} or {@code Boolean}.
 * Attributes that the spec does not know are passed over. A variable that is not there and whose
 * spec says {@code level} or {@code marginalize} gets {@link SpecVariable#undisclosed()}; with
 * {@code marginalize} that index lies one past the last level: it is no level, and the model
 * averages over the declared ones.
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
   * Returns the level of every mediator, in the order of {@link Variables#mediators()}; -1 where it
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

  /** Says whether the spec has a variable of this name. */
  public boolean knows(String name) {
    return names.contains(name);
  }

  /** Returns the index of an arm, or -1 if the catalog has none of this id. */
  public int armIndex(String id) {
    return arms.getOrDefault(id, -1);
  }
}
