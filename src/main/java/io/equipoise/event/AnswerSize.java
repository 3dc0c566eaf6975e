package io.equipoise.event;

import java.nio.charset.StandardCharsets;

/**
 * What an answer may list of the arms that it was chosen from, so that its record is not refused.
 */
public final class AnswerSize {
  /** What is listed of an arm beside its id: lengths and its propensity. */
  private static final int BYTES_BESIDE_ID = 5 + Double.BYTES;

  /** This part of a record is kept for what an answer says besides its arms. */
  private static final int REST_OF_ANSWER = 8;

  private AnswerSize() {}

  /** Returns the bytes that an arm takes in an answer at most, without attributes of its own. */
  public static long ofArm(String id) {
    return (long) id.getBytes(StandardCharsets.UTF_8).length + BYTES_BESIDE_ID;
  }

  /** Returns the bytes that all arms of an answer may take, of those of the largest record. */
  public static int most(int maxRecordBytes) {
    return maxRecordBytes - maxRecordBytes / REST_OF_ANSWER;
  }

  /**
   * Returns the fault of a request's candidates that take more than they may.
   *
   * @param maxRecordBytes the largest record that is allowed
   */
  static InputFault tooLarge(int candidates, long bytes, int maxRecordBytes) {
    return InputFault.ofSize(
        ErrorCode.CANDIDATES_INVALID,
        "A decision among the %d candidates takes %d bytes, allowed are %d"
            .formatted(candidates, bytes, most(maxRecordBytes)),
        maxRecordBytes);
  }
}
