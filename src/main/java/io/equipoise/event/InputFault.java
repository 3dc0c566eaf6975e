package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why an input is rejected: a code and its parameters for programs, and a text for people.
 *
 * @param message what is wrong, without the remedy, which the code has; no code reads it
 * @param variables names of the variables in error, never their values; at most {@value
 *     #MOST_VARIABLES}, the first ones; copied
 * @param limitBytes the size limit that the input exceeds, null for other errors
 */
public record InputFault(
    ErrorCode code, String message, List<String> variables, @Nullable Integer limitBytes) {
  /** Limits the size of a dead letter. */
  public static final int MOST_VARIABLES = 16;

  /** Maximum length of a variable's name, in characters; longer names are cut. */
  static final int MAX_NAME_CHARS = 64;

  /** Drops the names beyond the limit and cuts long ones. */
  public InputFault {
    variables = variables.stream().map(InputFault::brief).distinct().limit(MOST_VARIABLES).toList();
  }

  /** Makes an error without parameters. */
  public InputFault(ErrorCode code, String message) {
    this(code, message, List.of(), null);
  }

  /** Makes an error of variables. */
  public InputFault(ErrorCode code, String message, List<String> variables) {
    this(code, message, variables, null);
  }

  static InputFault ofSize(ErrorCode code, String message, int limitBytes) {
    return new InputFault(code, message, List.of(), limitBytes);
  }

  /** Returns the beginning of a long name. */
  static String brief(String name) {
    if (name.length() <= MAX_NAME_CHARS) {
      return name;
    }
    boolean isPairCut = Character.isHighSurrogate(name.charAt(MAX_NAME_CHARS - 1));
    return name.substring(0, isPairCut ? MAX_NAME_CHARS - 1 : MAX_NAME_CHARS);
  }
}
