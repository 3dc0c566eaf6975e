package io.equipoise.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an option with the path of a file to write. Rejects paths that cannot be written, and
 * existing files that begin unlike a result, such as an input in CSV or YAML, before the command
 * does its work. An input in JSON is not recognized.
 */
public class OutputFile implements ITypeConverter<Path> {
  /** Writes the text of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Writer out) throws IOException;
  }

  /** Also accepts {@link #STANDARD_OUTPUT}. */
  public static final class OrStandardOutput extends OutputFile {
    @Override
    public Path convert(String text) throws IOException {
      Path file = Path.of(text);
      return file.equals(STANDARD_OUTPUT) ? file : super.convert(text);
    }
  }

  public static final Path STANDARD_OUTPUT = Path.of("-");

  /** First bytes of JSON, of HTML and SVG, and of PNG. */
  private static final String BEGINNINGS = "{[<\u0089";

  @Override
  public Path convert(String text) throws IOException {
    Path file = Path.of(text);
    if (file.equals(STANDARD_OUTPUT)) {
      throw rejected(text, "is standard output, which this option does not write; name a file");
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || Files.isDirectory(file)) {
      throw rejected(text, "is a directory; name a file in it");
    }
    if (!Files.isDirectory(directory)) {
      throw rejected(
          text, "cannot be written: " + directory + " is not a directory; create it first");
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw rejected(text, "cannot be written: permission denied; give another path");
    }
    if (Files.isRegularFile(file) && Files.size(file) > 0) {
      try (InputStream in = Files.newInputStream(file)) {
        if (BEGINNINGS.indexOf(in.read()) < 0) {
          throw rejected(
              text, "exists and is no JSON, HTML or image; name another file, or remove it");
        }
      }
    }
    return file;
  }

  /**
   * Writes a temporary file beside the file and renames it, so that readers never see an incomplete
   * one. Devices, pipes and files in directories that cannot be written are written in place.
   */
  public static void write(Path file, Content content) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path directory = Objects.requireNonNull(target.getParent());
    if (Files.exists(target) && !(Files.isRegularFile(target) && Files.isWritable(directory))) {
      writeInPlace(target, content);
      return;
    }
    Path draft =
        directory.resolve(
            "%s.%d.part".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      writeInPlace(draft, content);
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void writeInPlace(Path file, Content content) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      content.writeTo(out);
    }
  }

  private static TypeConversionException rejected(String text, String why) {
    return new TypeConversionException("'" + text + "' " + why);
  }
}
