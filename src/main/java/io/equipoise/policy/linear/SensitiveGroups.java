package io.equipoise.policy.linear;

import java.util.Arrays;
import java.util.List;

/**
 * Determines which values of the sensitive attribute are privileged, which protected and which
 * neither (Fair-LinUCB, sections 4.3 and 4.4). Several attributes are one whose values are their
 * cross product.
 */
public final class SensitiveGroups {
  private final int[] side;

  private SensitiveGroups(int[] side) {
    this.side = side;
  }

  /** Returns groups by side of each value: 1 privileged, -1 protected, 0 neither. */
  public static SensitiveGroups of(int... side) {
    boolean isGood =
        Arrays.stream(side).allMatch(s -> s >= -1 && s <= 1)
            && Arrays.stream(side).anyMatch(s -> s == 1)
            && Arrays.stream(side).anyMatch(s -> s == -1);
    if (!isGood) {
      throw new IllegalArgumentException(
          "sides "
              + Arrays.toString(side)
              + ": each must be 1 (privileged), -1 (protected) or 0 (neither), both in use");
    }
    return new SensitiveGroups(side.clone());
  }

  /** Returns the value of the cross product for one level each, the last varying fastest. */
  public static int crossProduct(List<Integer> sizes, int... levels) {
    if (levels.length != sizes.size()) {
      throw new IllegalArgumentException(levels.length + " levels for " + sizes.size());
    }
    int value = 0;
    for (int i = 0; i < levels.length; i++) {
      if (levels[i] < 0 || levels[i] >= sizes.get(i)) {
        throw new IllegalArgumentException("level " + levels[i] + " of " + sizes.get(i));
      }
      value = value * sizes.get(i) + levels[i];
    }
    return value;
  }

  /** Returns the number of values. */
  public int values() {
    return side.length;
  }

  int side(int value) {
    return side[value];
  }
}
