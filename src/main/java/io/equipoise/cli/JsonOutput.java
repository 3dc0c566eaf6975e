package io.equipoise.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Writes the result of a command to a file or standard output: the option {@code --json}. */
public final class JsonOutput {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.OrStandardOutput.class,
      description =
          "Writes the result as JSON to a file, or with - to standard output and nothing else"
              + " there.")
  private @Nullable Path target;

  /** Returns whether standard output is used for JSON, so that nothing else may be printed. */
  public boolean takesStandardOutput() {
    return OutputFile.STANDARD_OUTPUT.equals(target);
  }

  /** Prints a result as indented JSON. */
  public static void print(Object result, PrintWriter out) throws IOException {
    out.println(text(result));
    out.flush();
  }

  /** Writes the result if the option is given. */
  public void write(Object result, PrintWriter standardOutput) {
    if (target == null) {
      return;
    }
    try {
      String json = text(result);
      if (takesStandardOutput()) {
        standardOutput.println(json);
        standardOutput.flush();
      } else {
        OutputFile.write(target, out -> out.write(json + System.lineSeparator()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the JSON to " + target, e);
    }
  }

  /** Makes the mapper only when it is needed: its 300 classes would slow every {@code --help}. */
  private static String text(Object result) throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result);
  }
}
