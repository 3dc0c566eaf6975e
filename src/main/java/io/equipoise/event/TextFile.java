package io.equipoise.event;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text file: UTF-8 without exceptions, a byte order mark is dropped. Every verb reads the
 * files of its user here, so that all reject the same bytes with the same message.
 */
public final class TextFile {
  private static final int MARK = 0xFEFF;

  private TextFile() {}

  /**
   * Returns the text of a file.
   *
   * @throws FileSystemException as {@link #regular}, or if it has bytes that are no UTF-8; the
   *     message names file, line and remedy
   */
  public static String read(Path file) throws IOException {
    return text(file, Files.readAllBytes(regular(file)));
  }

  /**
   * Returns the text of the bytes of a file.
   *
   * @throws FileSystemException as {@link #read}
   */
  public static String text(Path file, byte[] bytes) throws FileSystemException {
    String text = decoded(bytes, 0, bytes.length);
    if (text == null) {
      int fault = Utf8Text.firstFault(bytes, 0, bytes.length);
      int line = 1;
      for (int at = 0; at < fault; at++) {
        line += bytes[at] == '\n' ? 1 : 0;
      }
      String place = file + ", line " + line;
      throw new FileSystemException(place, null, "bytes that are no UTF-8; save it as UTF-8");
    }
    return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
  }

  /** Returns the text of some bytes; null if they are no UTF-8. */
  public static @Nullable String decoded(byte[] bytes, int from, int to) {
    return Utf8Text.firstFault(bytes, from, to) >= 0
        ? null
        : new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /**
   * Returns a regular file.
   *
   * @throws FileSystemException if it is missing, a directory, or a device or a pipe, which may
   *     have no end
   */
  public static Path regular(Path file) throws FileSystemException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory; name a file in it");
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(
          file.toString(), null, "is a device or a pipe; give a regular file");
    }
    return file;
  }
}
