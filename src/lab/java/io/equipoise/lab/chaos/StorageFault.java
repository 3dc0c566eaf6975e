package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * Makes the checkpoint file system fail for a while: it is full, or blocks for longer than two
 * checkpoint timeouts. It is a small separate file system, which only root may mount. For other
 * users the directory becomes read-only, so checkpoints fail at once, in the same code of Flink.
 */
final class StorageFault implements Fault {
  private static final Duration FULL = Duration.ofSeconds(20);

  /** Two checkpoint timeouts (30 s) and a part of the third. */
  private static final Duration HUNG = Duration.ofSeconds(75);

  private static final long SIZE = 64L << 20;
  private static final int BLOCK_BYTES = 64 << 10;

  private final boolean isHung;
  private boolean isMounted;

  /** Creates a fault; the storage blocks, or is full. */
  StorageFault(boolean isHung) {
    this.isHung = isHung;
  }

  @Override
  public String name() {
    return isHung ? "hang-checkpoint-storage" : "full-disk";
  }

  @Override
  public void prepare(ClusterLayout clusterLayout) throws InterruptedException {
    String checkpoints = clusterLayout.checkpoints().toString();
    if (!isHung) {
      isMounted =
          isDone("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "equipoise-chaos", checkpoints);
      return;
    }
    Path image = clusterLayout.directory().resolve("checkpoints.img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + image, e);
    }
    isMounted =
        isDone("mkfs.ext4", "-q", "-F", image.toString())
            && isDone("mount", "-o", "loop", image.toString(), checkpoints);
  }

  private static boolean isDone(String... command) throws InterruptedException {
    try {
      return ChaosContext.attempt(command).isEmpty();
    } catch (UncheckedIOException e) { // the command does not exist
      return false;
    }
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    Path checkpoints = context.cluster().layout().checkpoints();
    Path harmed = isMounted ? checkpoints : checkpoints.resolve(context.job().id());
    try {
      fail(harmed);
      Thread.sleep((isHung ? HUNG : FULL).toMillis());
    } finally {
      mend(harmed);
    }
    return FaultEffect.at(System.nanoTime());
  }

  private void fail(Path directory) throws InterruptedException {
    if (!isMounted) {
      permit(directory, "r-xr-xr-x");
    } else if (isHung) {
      ChaosContext.run("fsfreeze", "-f", directory.toString());
    } else {
      fill(directory.resolve("ballast"));
    }
  }

  private void mend(Path directory) throws InterruptedException {
    if (!isMounted) {
      permit(directory, "rwxr-xr-x");
    } else if (isHung) {
      ChaosContext.run("fsfreeze", "-u", directory.toString());
    } else {
      try {
        Files.deleteIfExists(directory.resolve("ballast"));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot empty " + directory, e);
      }
    }
  }

  private static void permit(Path directory, String permissions) {
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot change " + directory, e);
    }
  }

  private static void fill(Path file) {
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw new UncheckedIOException("cannot fill " + file, e);
      }
    }
  }

  @Override
  public void dispose(ClusterLayout clusterLayout) throws InterruptedException {
    if (isMounted) {
      isMounted = false;
      String checkpoints = clusterLayout.checkpoints().toString();
      if (isHung) {
        ChaosContext.attempt("fsfreeze", "-u", checkpoints); // if it ended in between
      }
      ChaosContext.run("umount", checkpoints);
    }
  }
}
