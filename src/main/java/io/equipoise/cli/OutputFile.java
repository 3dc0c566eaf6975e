package io.equipoise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the option that names a file to write, and refuses one that cannot be written: before the
 * work, whose result would be lost. {@link #STANDARD_OUTPUT} stands for standard output.
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
      throw refused(text, "is a directory; name a file in it");
    }
    if (!Files.isDirectory(directory)) {
      throw refused(text, "cannot be written: " + directory + " is no directory; make it first");
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw refused(text, "cannot be written: permission denied; name another place");
    }
    return file;
  }

  private static TypeConversionException refused(String text, String why) {
    return new TypeConversionException("'" + text + "' " + why);
  }
}
