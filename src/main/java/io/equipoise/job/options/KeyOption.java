package io.equipoise.job.options;

import io.equipoise.cli.InputFile;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.UnusableKeyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Adds the option {@code --key} to a verb that reads values which a deployment may have redacted.
 */
public final class KeyOption {
  @Option(
      names = "--key",
      paramLabel = "FILE",
      converter = KeyFile.class,
      description =
          "Key that the deployment has redacted sensitive values with"
              + " (equipoise.privacy.key-file). Repeat it if the deployment had several keys.")
  private List<Path> files = new ArrayList<>();

  /** Reads the given keys. */
  public KeyRing keys() {
    return KeyRing.read(files);
  }

  /** Parses the path of a file that contains a key. */
  private static final class KeyFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      Path file = new InputFile().convert(text);
      try {
        var unused = RedactionKey.read(file);
      } catch (UnusableKeyException e) {
        throw new TypeConversionException(e.getMessage());
      }
      return file;
    }
  }

  /** Returns the files as absolute paths, so that another process can read them. */
  public List<String> files() {
    return files.stream().map(file -> file.toAbsolutePath().toString()).toList();
  }
}
