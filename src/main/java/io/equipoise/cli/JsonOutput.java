package io.equipoise.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Writes the result of a command to a file or standard output: the option {@code --json}. */
public final class JsonOutput {
  /** Refuses also a file with other content, such as the input of the command. */
  static final class JsonFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) throws IOException {
      Path file = new OutputFile().convert(text);
      if (Files.isRegularFile(file) && Files.size(file) > 0) {
        try (InputStream in = Files.newInputStream(file)) {
          int first = in.read();
          if (first != '{' && first != '[') {
            throw new TypeConversionException(
                "'%s' exists and is no JSON; name another file, or remove it".formatted(text));
          }
        }
      }
      return file;
    }
  }

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = JsonFile.class,
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
        write(target, json + System.lineSeparator());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the JSON to " + target, e);
    }
  }

  /** Makes the mapper only when it is needed: its 300 classes would slow every {@code --help}. */
  private static String text(Object result) throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result);
  }

  /** Writes a temporary file and renames it, so that readers never see an incomplete file. */
  private static void write(Path file, String json) throws IOException {
    boolean isPlain = !Files.exists(file) || Files.isRegularFile(file);
    if (!isPlain) {
      Files.writeString(file, json); // a device or a pipe
      return;
    }
    Path draft =
        Files.createTempFile(file.toAbsolutePath().getParent(), file.getFileName() + ".", ".part");
    try {
      Files.writeString(draft, json);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
