package io.equipoise.tools.simulate;

import java.util.Map;

/**
 * Holds the true and the disclosed values of a person of a world.
 *
 * @param levels the true level of each feature, in the order of the spec; none is "undisclosed"
 * @param numbers the true value of each numeric feature, in their order
 * @param attributes the values that the person discloses, as a context has them
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Person(int[] levels, double[] numbers, Map<String, Object> attributes) {
  public Person {
    attributes = Map.copyOf(attributes);
  }
}
