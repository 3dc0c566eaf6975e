package io.equipoise.cli.causal;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Printable;
import io.equipoise.cli.Verb;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Prints the answer of a question as text and as JSON with exit code 0. If the question, the graph
 * or a table is invalid, it prints one line on standard error with exit code 2.
 */
abstract class CausalQuestion extends Verb {
  @Mixin private JsonOutput json = new JsonOutput();

  /**
   * Holds an answer.
   *
   * @param lines the answer as text
   * @param json the answer as maps, lists, numbers and strings
   */
  record Reply(List<String> lines, Map<String, Object> json) {}

  abstract Reply answer() throws IOException;

  /** Rejects options of rows and of their intervals that would do nothing. */
  final void refuseUnusedData() {
    requires("--census", "--table");
    requires("--count", "--table");
    requires("--bootstrap", "--table");
    requires("--bootstrap-delta", "--bootstrap");
    requires("--bootstrap-seed", "--bootstrap");
  }

  private void refuseRepetitions() {
    for (OptionSpec option : command().commandLine().getParseResult().matchedOptions()) {
      if (option.isMultiValue()) {
        List<?> names = option.getValue();
        if (new HashSet<>(names).size() < names.size()) {
          throw refused("%s %s names a variable twice".formatted(option.longestName(), names));
        }
      }
    }
  }

  /** Rejects an option without any of those that it belongs to. */
  final void requires(String option, String... any) {
    ParseResult given = command().commandLine().getParseResult();
    if (given.hasMatchedOption(option) && Stream.of(any).noneMatch(given::hasMatchedOption)) {
      throw refused(option + " requires " + String.join(" or ", any));
    }
  }

  /** Rejects an option beside one that makes it meaningless. */
  final void excludes(String option, String... others) {
    ParseResult given = command().commandLine().getParseResult();
    for (String other : others) {
      if (given.hasMatchedOption(option) && given.hasMatchedOption(other)) {
        throw refused(
            "%s checks one set, so %s means nothing; leave one out".formatted(option, other));
      }
    }
  }

  @Override
  public final Integer call() throws IOException {
    refuseRepetitions();
    try {
      Reply answer = answer();
      if (!json.takesStandardOutput()) {
        Printable.lines(answer.lines(), out());
        out().flush();
      }
      json.write(answer.json(), out());
      return 0;
    } catch (GraphException | DistributionException e) {
      return failed(
          command().exitCodeOnInvalidInput(), command().qualifiedName() + ": " + e.getMessage());
    }
  }
}
