package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unpacks the archive in an empty directory, and runs the demo and the tutorial there without
 * Maven. Needs tar, sha256sum, bash, curl, Python 3.9 and a Java in JAVA_HOME or /usr/bin.
 */
@Tag("release")
class ReleaseIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final String PATH = "/usr/bin:/bin";

  /** What no copy of the repository has. */
  private static final String UNPACK =
      """
      set -euo pipefail
      (cd "$EQUIPOISE_CHECKOUT" && sha256sum --check equipoise-*.sha256)
      tar xzf "$EQUIPOISE_CHECKOUT"/equipoise-*.tar.gz
      mv equipoise-* unpacked
      ls unpacked/THIRD-PARTY.txt unpacked/LICENSE unpacked/equipoise-sbom.json unpacked/site/README.html
      ls unpacked/lib/equipoise-lab.jar unpacked/sql/equipoise-sql.jar unpacked/job/equipoise-job.jar
      unpacked/bin/equipoise demo --rounds 500
      """;

  @Test
  void aDirectoryWithNothingElseIsEnough(@TempDir Path directory) throws Exception {
    Path script = Files.writeString(directory.resolve("unpack.sh"), UNPACK);
    String demo = TutorialIT.run(directory, TARGET, PATH, script.toString());
    assertTrue(demo.contains("All ledgers balance"), demo);
    Path unpacked = directory.resolve("unpacked");
    TutorialIT.play(directory, unpacked, unpacked.resolve("bin") + ":" + PATH);
  }
}
