package io.equipoise.segmentspec;

import io.equipoise.event.ControlCharacters;
import java.io.Serializable;

/**
 * Describes one fault of a spec.
 *
 * @param place where: {@code "variables.X1.levels, line 12"}, after a file name where there is one
 * @param given the value there, shortened
 * @param allowed the values allowed there
 */
public record SpecFault(String place, String given, String allowed) implements Serializable {
  @Override
  public String toString() {
    return ControlCharacters.escaped(place + ": " + given + " given; " + allowed);
  }
}
