package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an input is refused: a code and its parameters, which code may compare, and a text for
 * people.
 *
 * @param message what is wrong, without the remedy, which the code has; no code reads it
 * @param variables names of the variables at fault, never their values; at most {@value
 *     #MOST_VARIABLES}, the first ones; copied
 * @param limitBytes the size limit that the input exceeds, null if the fault is another one
 */
public record InputFault(
    ErrorCode code, String message, List<String> variables, @Nullable Integer limitBytes) {
  /** Bounds the size of a dead letter. */
  public static final int MOST_VARIABLES = 16;

  /** Longest name of a variable, in characters; longer ones are cut. */
  static final int MAX_NAME_CHARS = 64;

  /** Drops the names beyond the bound and cuts long ones. */
  public InputFault {
    variables = variables.stream().map(InputFault::brief).distinct().limit(MOST_VARIABLES).toList();
  }

  /** Makes a fault that has a code only. */
  public InputFault(ErrorCode code, String message) {
    this(code, message, List.of(), null);
  }

  /** Makes a fault of variables. */
  public InputFault(ErrorCode code, String message, List<String> variables) {
    this(code, message, variables, null);
  }

  /** Makes a fault of size. */
  static InputFault ofSize(ErrorCode code, String message, int limitBytes) {
    return new InputFault(code, message, List.of(), limitBytes);
  }

  /** Returns the beginning of a name that may be long. */
  static String brief(String name) {
    if (name.length() <= MAX_NAME_CHARS) {
      return name;
    }
    boolean isPairCut = Character.isHighSurrogate(name.charAt(MAX_NAME_CHARS - 1));
    return name.substring(0, isPairCut ? MAX_NAME_CHARS - 1 : MAX_NAME_CHARS);
  }
}
