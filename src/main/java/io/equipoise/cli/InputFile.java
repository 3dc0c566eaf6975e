package io.equipoise.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an option with the path of a file to read. Rejects missing files, directories, and devices
 * and pipes, which may have no end or no writer.
 */
public final class InputFile implements ITypeConverter<Path> {
  private static final String SPECIAL = "is a device or a pipe; give a regular file";

  private final InputPath path = new InputPath();

  @Override
  public Path convert(String text) {
    Path file = path.convert(text);
    if (Files.isDirectory(file)) {
      throw new TypeConversionException("'" + text + "' is a directory; name a file in it");
    }
    if (!Files.isRegularFile(file)) {
      throw new TypeConversionException("'" + text + "' " + SPECIAL);
    }
    return file;
  }

  /**
   * Returns a regular or missing file; reading a missing file reports the error.
   *
   * @throws FileSystemException if it is a device or a pipe
   */
  public static Path regular(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, SPECIAL);
    }
    return file;
  }
}
