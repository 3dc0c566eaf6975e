package io.equipoise.cli.causal;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.cli.JsonOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of all questions: prints an answer as text and as JSON with exit code 0, or one
 * line on standard error with exit code 2 if the question, the graph or a table is invalid.
 */
abstract class CausalQuestion implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  /**
   * An answer.
   *
   * @param lines the answer as text
   * @param json the answer as maps, lists, numbers and strings
   */
  record Answer(List<String> lines, Map<String, Object> json) {}

  abstract Answer answer() throws IOException;

  /** Rejects an option as invalid usage. */
  final ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Returns the exit code. */
  @Override
  public final Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    try {
      Answer answer = answer();
      if (!json.takesStandardOutput()) {
        answer.lines().forEach(out::println);
        out.flush();
      }
      json.write(answer.json(), out);
      return 0;
    } catch (GraphException | DistributionException e) {
      err.println(command.qualifiedName() + ": " + e.getMessage());
    }
    err.flush();
    return command.exitCodeOnInvalidInput();
  }
}
