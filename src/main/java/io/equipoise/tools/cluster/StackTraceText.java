package io.equipoise.tools.cluster;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds the words for users in the text of a stack trace that another process has written. */
final class StackTraceText {
  private static final String CAUSE = "(?m)^Caused by: ";
  private static final String STACK = "\\R\\s+(at |\\.\\.\\. \\d+ more)";
  private static final String CLASS = "^[\\w.$]+(Exception|Error): ";

  /** An exception of our own, whose message names place and fix. */
  private static final Pattern OWN =
      Pattern.compile(
          "io\\.equipoise\\.[\\w.$]+Exception: (.+?)(?=" + STACK + "|\\z)", Pattern.DOTALL);

  private StackTraceText() {}

  /** Returns the message of the innermost cause; its class if it has none. */
  static String rootCause(String trace) {
    List<String> causes = List.of(trace.split(CAUSE, -1));
    return causes.get(causes.size() - 1).split(STACK, 2)[0].strip().replaceFirst(CLASS, "");
  }

  /** Returns the message of the last exception of our own in a log, if there is one. */
  static Optional<String> own(String log) {
    return OWN.matcher(log)
        .results()
        .map(MatchResult::group)
        .reduce((one, other) -> other)
        .map(found -> found.replaceFirst(CLASS, "").strip());
  }
}
