package io.equipoise.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the option that names a file to read; refuses one that is not there, directories, and
 * devices and pipes, which may have no end or no writer.
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
   * Returns a file that can be read to its end, or that is not there, as reading it will say.
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
