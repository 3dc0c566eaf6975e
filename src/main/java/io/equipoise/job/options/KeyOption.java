package io.equipoise.job.options;

import io.equipoise.privacy.KeyRing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --key} of a verb that reads what a deployment may have hidden. */
public final class KeyOption {
  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "A key that the deployment hid sensitive values with (equipoise.privacy.key-file). May be"
              + " repeated, if it had several.")
  private List<Path> files = new ArrayList<>();

  /**
   * Reads the keys that were given.
   *
   * @throws io.equipoise.privacy.UnusableKeyException if a file holds none
   */
  public KeyRing keys() {
    return KeyRing.read(files);
  }

  /** Returns the files as absolute paths, to be read elsewhere. */
  public List<String> files() {
    return files.stream().map(file -> file.toAbsolutePath().toString()).toList();
  }
}
