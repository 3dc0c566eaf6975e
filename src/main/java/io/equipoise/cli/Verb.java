package io.equipoise.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs one verb of the command line. {@code call} returns the exit code. */
public abstract class Verb implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();

  protected final CommandSpec command() {
    return command;
  }

  protected final PrintWriter out() {
    return command.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return command.commandLine().getErr();
  }

  protected final void say(String line) {
    out().println(line);
    out().flush();
  }

  protected final void warn(@Nullable String line) {
    err().println(line);
    err().flush();
  }

  /** Prints why the verb failed; returns the exit code. */
  protected final int failed(int code, @Nullable String why) {
    warn(why);
    return code;
  }

  /** Returns the refusal of an option's value; it names the option and the allowed values. */
  protected final ParameterException refused(@Nullable String fault) {
    return new ParameterException(command.commandLine(), String.valueOf(fault));
  }

  /** Refuses the options if they have a fault. */
  protected final void refuse(@Nullable String fault) {
    if (fault != null) {
      throw refused(fault);
    }
  }

  /** Prints lines for people, on the error stream if JSON takes standard output, and the JSON. */
  protected final void print(List<String> lines, Object result, JsonOutput json) {
    PrintWriter text = json.takesStandardOutput() ? err() : out();
    Printable.lines(lines, text);
    text.flush();
    json.write(result, out());
  }
}
