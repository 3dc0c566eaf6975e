package io.equipoise.bandit.csr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A decision that is remembered until its window closes: to answer a repeated context alike, and if
 * it is a pull to take its outcome.
 *
 * @param number of the decision in its experiment, from 0; breaks ties between equal deadlines
 * @param phase the place of its phase in the plan, -1 if it is not counted
 * @param type the number of its {@link PullType}, -1 if it is not counted
 * @param level of V, -1 until it is known
 * @param reward NaN until it is known
 * @param isSettled whether it was counted already
 */
public record Pull(
    String id,
    long number,
    long deadline,
    Role role,
    int arm,
    int phase,
    int type,
    int group,
    int cell,
    int level,
    double reward,
    boolean isSettled) {
  private static final int FIXED_BYTES =
      Integer.BYTES + 2 * Long.BYTES + 1 + 6 * Integer.BYTES + Double.BYTES + 1;

  Pull withLevel(int seen) {
    return new Pull(
        id, number, deadline, role, arm, phase, type, group, cell, seen, reward, isSettled);
  }

  Pull withReward(double seen) {
    return new Pull(
        id, number, deadline, role, arm, phase, type, group, cell, level, seen, isSettled);
  }

  Pull settled() {
    return new Pull(id, number, deadline, role, arm, phase, type, group, cell, level, reward, true);
  }

  boolean isCounted() {
    return role == Role.SAMPLE;
  }

  /** Returns how many bytes {@link #appendTo} writes. */
  public int byteLength() {
    return FIXED_BYTES + id.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Writes, big-endian: id (i32 length, UTF-8), number, deadline (i64), role (u8), arm, phase,
   * type, group, cell, level (i32), reward (f64), settled (u8).
   */
  public void appendTo(ByteBuffer out) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    out.putInt(name.length).put(name).putLong(number).putLong(deadline);
    out.put(role.code()).putInt(arm).putInt(phase).putInt(type).putInt(group);
    out.putInt(cell).putInt(level).putDouble(reward).put((byte) (isSettled ? 1 : 0));
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused. */
  public static Pull readFrom(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining() - (FIXED_BYTES - Integer.BYTES)) {
      throw new IllegalArgumentException(
          "a pull's id of " + length + " bytes in " + in.remaining());
    }
    byte[] name = new byte[length];
    in.get(name);
    String id = new String(name, StandardCharsets.UTF_8);
    long number = in.getLong();
    long deadline = in.getLong();
    Role role = Role.of(in.get());
    return new Pull(
        id,
        number,
        deadline,
        role,
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getDouble(),
        in.get() == 1);
  }
}
