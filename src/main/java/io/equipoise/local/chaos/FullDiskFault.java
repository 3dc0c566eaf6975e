package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Layout;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * The file system of the checkpoints is full for a while. It is a small tmpfs, which only root may
 * mount; for others the directory cannot be written to, which Flink meets in the same place.
 */
final class FullDiskFault implements Fault {
  private static final Duration FULL = Duration.ofSeconds(20);
  private static final String SIZE = "64m";
  private static final int BLOCK_BYTES = 64 << 10;

  private boolean isMounted;

  @Override
  public String name() {
    return "full-disk";
  }

  @Override
  public void prepare(Layout layout) throws InterruptedException {
    isMounted =
        Commands.attempt(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + SIZE,
                "equipoise-chaos",
                layout.checkpoints().toString())
            .isEmpty();
  }

  @Override
  public Harm inject(Theatre theatre) throws InterruptedException {
    Path checkpoints = theatre.cluster().layout().checkpoints();
    Path harmed =
        isMounted ? checkpoints.resolve("ballast") : checkpoints.resolve(theatre.job().id());
    try {
      if (isMounted) {
        fill(harmed);
      } else {
        Files.setPosixFilePermissions(harmed, PosixFilePermissions.fromString("r-xr-xr-x"));
      }
      Thread.sleep(FULL.toMillis());
      if (isMounted) {
        Files.delete(harmed);
      } else {
        Files.setPosixFilePermissions(harmed, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot fill or empty " + harmed, e);
    }
    return Harm.at(System.nanoTime());
  }

  @Override
  public void dispose(Layout layout) throws InterruptedException {
    if (isMounted) {
      isMounted = false;
      Commands.run("umount", layout.checkpoints().toString());
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }
}
