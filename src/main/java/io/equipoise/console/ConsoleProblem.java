package io.equipoise.console;

import io.equipoise.console.topics.DecisionSearch;
import io.equipoise.http.Problem;

/** Lists the problems that only the console has. */
enum ConsoleProblem {
  UNKNOWN_SEGMENT(
      404,
      "The console has seen no record of this segment.",
      "Choose a segment of the overview; one that was silent for longer than console.history is"
          + " unknown after a restart."),
  UNKNOWN_DECISION(
      404,
      "The decision is neither in memory nor on the topics around the given time.",
      "Give the parameter near with the time of the decision, at most "
          + DecisionSearch.AROUND.toMinutes()
          + " minutes wrong; retention may have removed older ones."),
  UNKNOWN_SPEC(
      404, "The text of this spec is not on the topic specs.", "Use the hash of an adopted spec."),
  NO_REPORT(
      422,
      "The report of this period cannot be made.",
      "Correct the period; if it is too long, use `equipoise report`, which has more memory."),
  INVALID_PARAMETER(400, "A parameter of the request is not understood.", "Correct the parameter."),
  TOO_MANY_STREAMS(429, "Too many pages follow the console.", "Close some of them.");

  private final int status;
  private final String title;
  private final String remedy;

  ConsoleProblem(int status, String title, String remedy) {
    this.status = status;
    this.title = title;
    this.remedy = remedy;
  }

  Problem of(String detail) {
    return new Problem(status, name(), title, detail, remedy, 0);
  }
}
