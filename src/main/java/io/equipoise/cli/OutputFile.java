package io.equipoise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an option with the path of a file to write. Rejects paths that cannot be written, before
 * the command does its work. {@link #STANDARD_OUTPUT} means standard output.
 */
public final class OutputFile implements ITypeConverter<Path> {
  public static final Path STANDARD_OUTPUT = Path.of("-");

  @Override
  public Path convert(String text) {
    Path file = Path.of(text);
    if (file.equals(STANDARD_OUTPUT)) {
      return file;
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
    return file;
  }

  private static TypeConversionException rejected(String text, String why) {
    return new TypeConversionException("'" + text + "' " + why);
  }
}
