package io.equipoise.cli;

import io.equipoise.event.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an option with the path of a file to read. Rejects missing files, directories, and devices
 * and pipes, which may have no end or no writer.
 */
public final class InputFile implements ITypeConverter<Path> {
  private final InputPath path = new InputPath();

  /** Returns a file that is named twice, also by different paths; null if there is none. */
  public static @Nullable Path repeated(List<Path> files) {
    Set<Path> real = new HashSet<>();
    for (Path file : files) {
      try {
        if (!real.add(file.toRealPath())) {
          return file;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return null;
  }

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
