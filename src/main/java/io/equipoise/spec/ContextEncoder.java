package io.equipoise.spec;

import io.equipoise.spec.AttributeFault.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns names and values of events into the indices that bandits compute with. Immutable, so one
 * serves many threads.
 *
 * <p>Values are {@code String}, {@code Long}, {@code Integer}, {@code Double} or {@code Boolean}.
 * Attributes that the spec does not know are passed over. A variable that is not there and whose
 * spec says {@code level} or {@code marginalise} gets {@link SpecVariable#undisclosed()}; with
 * {@code marginalise} that index lies one past the last level: it is no level, and the model
 * averages over the declared ones.
 */
public final class ContextEncoder {
  private static final int UNOBSERVED = -1;

  private final List<VariableEncoder> features = new ArrayList<>();
  private final List<VariableEncoder> mediators = new ArrayList<>();
  private final Map<String, Integer> arms = new HashMap<>();

  /** Compiles the variables and arms of a spec. */
  public ContextEncoder(SegmentSpec spec) {
    spec.variables().features().forEach(it -> features.add(new VariableEncoder(it)));
    spec.variables().mediators().forEach(it -> mediators.add(new VariableEncoder(it)));
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      arms.put(spec.arms().get(arm).id(), arm);
    }
  }

  /** Returns the level of every feature, in the order of {@link Variables#features()}. */
  public Encoded encode(Map<String, ? extends @Nullable Object> attributes) {
    int[] levels = new int[features.size()];
    List<AttributeFault> faults = new ArrayList<>();
    for (int feature = 0; feature < levels.length; feature++) {
      VariableEncoder encoder = features.get(feature);
      Object value = attributes.get(encoder.variable().name());
      if (value != null) {
        levels[feature] = encoder.encode(value, faults);
      } else if (encoder.variable().missing() == Missing.REFUSE) {
        levels[feature] = encoder.fault(Code.MISSING_VARIABLE, "it is needed", faults);
      } else {
        levels[feature] = encoder.variable().undisclosed();
      }
    }
    return new Encoded(levels, faults);
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
    return new Encoded(levels, faults);
  }

  /** Returns the index of an arm, or -1 if the catalogue has none of this id. */
  public int armIndex(String id) {
    return arms.getOrDefault(id, -1);
  }
}
