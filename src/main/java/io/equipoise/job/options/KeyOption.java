package io.equipoise.job.options;

import io.equipoise.cli.InputFile;
import io.equipoise.privacy.KeyRing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --key} of a verb that reads values that a deployment may have redacted. */
public final class KeyOption {
  @Option(
      names = "--key",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "Key that the deployment has redacted sensitive values with"
              + " (equipoise.privacy.key-file). Repeat it if the deployment had several keys.")
  private List<Path> files = new ArrayList<>();

  /**
   * Reads the given keys.
   *
   * @throws io.equipoise.privacy.UnusableKeyException if a file contains no key
   */
  public KeyRing keys() {
    return KeyRing.read(files);
  }

  /** Returns the files as absolute paths, so that another process can read them. */
  public List<String> files() {
    return files.stream().map(file -> file.toAbsolutePath().toString()).toList();
  }
}
