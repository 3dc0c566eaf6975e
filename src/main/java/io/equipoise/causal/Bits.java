package io.equipoise.causal;

import java.util.BitSet;

/** Combines sets without modifying its arguments. */
public final class Bits {
  private Bits() {}

  public static BitSet of(int... members) {
    BitSet bits = new BitSet();
    for (int member : members) {
      bits.set(member);
    }
    return bits;
  }

  public static BitSet and(BitSet one, BitSet other) {
    BitSet result = (BitSet) one.clone();
    result.and(other);
    return result;
  }

  public static BitSet or(BitSet... sets) {
    BitSet result = new BitSet();
    for (BitSet set : sets) {
      result.or(set);
    }
    return result;
  }

  public static BitSet minus(BitSet from, BitSet... sets) {
    BitSet result = (BitSet) from.clone();
    for (BitSet set : sets) {
      result.andNot(set);
    }
    return result;
  }

  /** Returns whether every member of {@code part} is in {@code whole}. */
  public static boolean isWithin(BitSet part, BitSet whole) {
    return minus(part, whole).isEmpty();
  }
}
