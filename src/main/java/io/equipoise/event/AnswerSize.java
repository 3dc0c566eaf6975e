package io.equipoise.event;

import java.nio.charset.StandardCharsets;

/** Limits the size of the candidates in a decision, so that its record fits the topic. */
public final class AnswerSize {
  /** Bytes per arm besides its id: lengths and its propensity. */
  private static final int BYTES_BESIDE_ID = 5 + Double.BYTES;

  /** One part of this many of a record is reserved for the other fields. */
  private static final int REST_OF_ANSWER = 8;

  private AnswerSize() {}

  /** Returns the maximum bytes of an arm in a decision, without attributes of its own. */
  public static long ofArm(String id) {
    return (long) id.getBytes(StandardCharsets.UTF_8).length + BYTES_BESIDE_ID;
  }

  /** Returns the maximum bytes of all arms of a decision, for a maximum record size in bytes. */
  public static int most(int maxRecordBytes) {
    return maxRecordBytes - maxRecordBytes / REST_OF_ANSWER;
  }

  /**
   * Returns the error of a request whose candidates exceed the limit.
   *
   * @param maxRecordBytes maximum record size, bytes
   */
  static InputFault tooLarge(int candidates, long bytes, int maxRecordBytes) {
    return InputFault.ofSize(
        ErrorCode.CANDIDATES_INVALID,
        "A decision among the %d candidates takes %d bytes; at most %d are allowed"
            .formatted(candidates, bytes, most(maxRecordBytes)),
        maxRecordBytes);
  }
}
