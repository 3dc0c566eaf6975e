package io.equipoise.segment;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The constants of a wire enum by those of the library's that bear the same names. */
final class SameName<F extends Enum<F>, T extends Enum<T>> {
  private final Map<F, T> twins;

  /**
   * Pairs two enums.
   *
   * @throws IllegalArgumentException if a constant has no namesake
   */
  SameName(Class<F> from, Class<T> to) {
    twins = new EnumMap<>(from);
    for (F constant : from.getEnumConstants()) {
      twins.put(constant, Enum.valueOf(to, constant.name()));
    }
  }

  T of(F constant) {
    return Objects.requireNonNull(twins.get(constant));
  }
}
