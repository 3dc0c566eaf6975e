package io.equipoise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the option that names a file to read; refuses one that is not there, and directories. */
public final class InputFile implements ITypeConverter<Path> {
  private final InputPath path = new InputPath();

  @Override
  public Path convert(String text) {
    Path file = path.convert(text);
    if (Files.isDirectory(file)) {
      throw new TypeConversionException("'" + text + "' is a directory; name a file in it");
    }
    return file;
  }
}
