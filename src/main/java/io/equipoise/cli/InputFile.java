package io.equipoise.cli;

import io.equipoise.event.TextFile;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an option with the path of a file to read. Rejects missing files, directories, and devices
 * and pipes, which may have no end or no writer.
 */
public final class InputFile implements ITypeConverter<Path> {
  private final InputPath path = new InputPath();

  @Override
  public Path convert(String text) {
    Path file = path.convert(text);
    try {
      return TextFile.regular(file);
    } catch (FileSystemException e) {
      throw new TypeConversionException("'" + text + "' " + e.getReason());
    }
  }
}
