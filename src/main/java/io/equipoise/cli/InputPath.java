package io.equipoise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the option that names a file to read, or its directory; refuses one that is not there. */
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
