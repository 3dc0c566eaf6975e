package io.equipoise.console;

import io.equipoise.console.document.OverviewDocument;
import io.equipoise.http.ProblemException;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

record Parameters(Context request) {
  private static final int MOST_CHARACTERS = 16_000;
  private static final int MOST_OFFSET = 1_000_000;

  /** Returns a text, null if it is missing or empty. */
  @Nullable String text(String name) {
    String value = request.queryParam(name);
    if (value == null || value.isEmpty()) {
      return null;
    }
    if (value.length() > MOST_CHARACTERS) {
      throw invalid(name, value.length() + " characters", "at most " + MOST_CHARACTERS);
    }
    return value;
  }

  /** Returns a text that must be there. */
  String required(String name) {
    String value = text(name);
    if (value == null) {
      throw invalid(name, "nothing", "a text");
    }
    return value;
  }

  int number(String name, int least, int most, int standard) {
    String value = text(name);
    if (value == null) {
      return standard;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw invalid(name, "'" + value + "'", "%d to %d".formatted(least, most));
    }
    throw invalid(name, "'" + value + "'", "%d to %d".formatted(least, most));
  }

  /** Returns a time as epoch milliseconds, null if it is missing. */
  @Nullable Long time(String name) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    try {
      return value.matches("\\d{1,18}")
          ? Long.parseLong(value)
          : Instant.parse(value).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw invalid(name, "'" + value + "'", "epoch milliseconds, or like 2026-11-25T08:00:00Z");
    }
  }

  private String word(String name, List<String> allowed, String standard) {
    String value = text(name);
    if (value == null) {
      return standard;
    }
    if (!allowed.contains(value)) {
      throw invalid(name, "'" + value + "'", String.join(", ", allowed));
    }
    return value;
  }

  OverviewDocument.Query overview() {
    String search = text("q");
    return new OverviewDocument.Query(
        search == null ? "" : search,
        word("sort", OverviewDocument.orders(), "attention"),
        word("direction", List.of("asc", "desc"), "desc").equals("desc"),
        word("attention", List.of("true", "false"), "false").equals("true"),
        number("limit", 1, OverviewDocument.MOST_ROWS, OverviewDocument.Query.first().limit()),
        number("offset", 0, MOST_OFFSET, 0));
  }

  private static ProblemException invalid(String name, String given, String allowed) {
    return new ProblemException(
        ConsoleProblem.INVALID_PARAMETER.of(
            "parameter %s: given %s; allowed: %s".formatted(name, given, allowed)));
  }
}
