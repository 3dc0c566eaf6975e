package io.equipoise.policy.allocation;

import io.equipoise.segmentspec.SpecVariable;
import java.util.List;

/**
 * Numbers the joint levels of people's variables, mixed radix, the first variable the slowest. A
 * variable that may be undisclosed has one level more. Immutable.
 */
final class OamContexts {
  private final int[] sizes;

  OamContexts(List<SpecVariable> people) {
    sizes =
        people.stream()
            .mapToInt(variable -> Math.max(variable.levels().size(), variable.undisclosed() + 1))
            .toArray();
  }

  /** Returns how many there are; infinite or inexact beyond 2^53. */
  double count() {
    double count = 1;
    for (int size : sizes) {
      count *= size;
    }
    return count;
  }

  int of(int[] levels) {
    int context = 0;
    for (int place = 0; place < sizes.length; place++) {
      context = context * sizes[place] + levels[place];
    }
    return context;
  }

  /** Returns the levels of a context. */
  int[] levels(int context) {
    int[] levels = new int[sizes.length];
    int rest = context;
    for (int place = sizes.length - 1; place >= 0; place--) {
      levels[place] = rest % sizes[place];
      rest /= sizes[place];
    }
    return levels;
  }
}
