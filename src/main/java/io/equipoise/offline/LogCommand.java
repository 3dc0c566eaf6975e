package io.equipoise.offline;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Printable;
import io.equipoise.cli.QuietLog;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.privacy.UnusableKeyException;
import io.equipoise.segmentspec.SpecException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads a log and prints what it shows: what such verbs share. */
public abstract class LogCommand implements Callable<Integer> {
  @Spec protected CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();
  @Mixin protected LogOptions logOptions = new LogOptions();
  @Mixin protected Launch launch = new Launch();
  @Mixin protected KeyOption key = new KeyOption();

  /** Returns the exit code; throws as {@link #call} refuses. */
  protected abstract int run() throws IOException, InterruptedException;

  /** Returns the exit code: that of invalid input if rows or a graph are, 1 if all else is. */
  @Override
  public final Integer call() throws IOException, InterruptedException {
    QuietLog.set();
    try {
      return run();
    } catch (SpecException
        | StartRefusedException
        | UnusableKeyException
        | IllegalArgumentException
        | KafkaException e) {
      boolean isOfInput = e instanceof DistributionException || e instanceof GraphException;
      say(command.qualifiedName() + ": " + launch.message(e));
      return isOfInput ? command.exitCodeOnInvalidInput() : 1;
    }
  }

  /** Prints a line on standard error. */
  protected void say(String line) {
    PrintWriter err = command.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** Prints the result as text, as JSON or as both. */
  protected void print(List<String> lines, Object result) {
    PrintWriter out = command.commandLine().getOut();
    if (!json.takesStandardOutput()) {
      Printable.lines(lines, out);
      out.flush();
    }
    json.write(result, out);
  }

  /** Refuses the options with a fault, if there is one. */
  protected void check(@Nullable String fault) {
    if (fault != null) {
      throw usage(fault);
    }
  }

  protected ParameterException usage(String fault) {
    return new ParameterException(command.commandLine(), fault);
  }
}
