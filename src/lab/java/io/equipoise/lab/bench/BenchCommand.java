package io.equipoise.lab.bench;

import io.equipoise.cli.JsonOutput;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs a verb of {@code bench} that measures: refuses its options, shows progress and writes the
 * report.
 */
abstract class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();

  @Mixin private JsonOutput json = new JsonOutput();

  /** Returns the exception for an option with an invalid value: exit code 2. */
  final ParameterException refused(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Rejects the options if a condition holds. */
  final void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw refused(message);
    }
  }

  final PrintWriter err() {
    return command.commandLine().getErr();
  }

  final void progress(String line) {
    err().println(line);
    err().flush();
  }

  /** Prints the text, unless standard output is for JSON, and writes the JSON if requested. */
  final void write(Map<String, Object> fields, Consumer<PrintWriter> text) {
    PrintWriter out = command.commandLine().getOut();
    if (!json.takesStandardOutput()) {
      text.accept(out);
      out.flush();
    }
    json.write(fields, out);
  }

  final void write(BenchReport report) {
    write(report.fields(), report::print);
  }
}
