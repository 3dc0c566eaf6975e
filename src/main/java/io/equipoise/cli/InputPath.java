package io.equipoise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an option with the path of a file or directory to read. Rejects missing paths. */
public final class InputPath implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    Path path = Path.of(text);
    if (!Files.exists(path)) {
      throw new TypeConversionException("'" + text + "' does not exist; check the path");
    }
    if (!Files.isReadable(path)) {
      throw new TypeConversionException("'" + text + "' cannot be read; check its permissions");
    }
    return path;
  }
}
