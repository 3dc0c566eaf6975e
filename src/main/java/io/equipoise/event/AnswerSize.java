package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer may list of the arms that it was chosen from, so that its record is not refused.
 */
public final class AnswerSize {
  /** What is listed of an arm beside its id: lengths and its propensity. */
  private static final int BYTES_BESIDE_ID = 5 + Double.BYTES;

  /** This part of a record is kept for what an answer says besides its arms. */
  private static final int REST_OF_ANSWER = 8;

  private static final Pattern TOO_LARGE =
      Pattern.compile(
          "An answer to the \\d+ candidates takes \\d+ bytes, allowed are (\\d{1,9})\\b.*");

  private AnswerSize() {}

  /** Returns the bytes that an arm takes in an answer at most, without attributes of its own. */
  public static long ofArm(String id) {
    return (long) id.getBytes(StandardCharsets.UTF_8).length + BYTES_BESIDE_ID;
  }

  /** Returns the bytes that all arms of an answer may take, of those of the largest record. */
  public static int most(int maxRecordBytes) {
    return maxRecordBytes - maxRecordBytes / REST_OF_ANSWER;
  }

  /** Says that a request's candidates take more than they may. */
  static String tooLarge(int candidates, long bytes, int most) {
    return "An answer to the %d candidates takes %d bytes, allowed are %d"
        .formatted(candidates, bytes, most);
  }

  /**
   * Returns the largest record that whoever refused candidates allowed, bytes: the limit is an
   * option of the job, and may have been another one then.
   *
   * @param message of the refusal
   * @return null where it was not for the size of the answer
   */
  public static @Nullable Integer maxRecordBytesOf(String message) {
    Matcher told = TOO_LARGE.matcher(message);
    return told.matches()
        ? (Integer) (int) (Long.parseLong(told.group(1)) * REST_OF_ANSWER / (REST_OF_ANSWER - 1))
        : null;
  }
}
