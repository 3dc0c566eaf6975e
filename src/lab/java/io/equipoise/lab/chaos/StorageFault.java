package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;
import io.equipoise.tools.cluster.ClusterProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * Makes the file system of the checkpoints or of a broker fail for a while: it is full, or blocks
 * for longer than two checkpoint timeouts. It is a small separate file system, which only root may
 * mount. For other users the directory of the checkpoints becomes read-only, so checkpoints fail at
 * once, in the same code of Flink.
 */
final class StorageFault implements Fault {
  private static final Duration FULL = Duration.ofSeconds(20);

  /** Two checkpoint timeouts (30 s) and a part of the third. */
  private static final Duration HUNG = Duration.ofSeconds(75);

  private static final int BLOCK_BYTES = 64 << 10;

  private final String name;
  private final Storage storage;
  private final boolean isHung;
  private boolean isMounted;

  /** Names the storage that fails, with the size of its file system in bytes. */
  enum Storage {
    CHECKPOINTS(64L << 20),
    BROKER(1L << 30);

    private final long size;

    Storage(long size) {
      this.size = size;
    }

    Path directory(ClusterLayout clusterLayout) {
      return this == BROKER
          ? clusterLayout.kafka(ClusterProcess.KAFKA)
          : clusterLayout.checkpoints();
    }
  }

  /** Creates a fault; the storage blocks, or is full. */
  StorageFault(String name, Storage storage, boolean isHung) {
    this.name = name;
    this.storage = storage;
    this.isHung = isHung;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean worksOnHosts() {
    return storage == Storage.BROKER;
  }

  @Override
  public void prepare(ClusterLayout clusterLayout) throws InterruptedException {
    String directory = storage.directory(clusterLayout).toString();
    if (!isHung) {
      String size = "size=" + storage.size;
      isMounted = isDone("mount", "-t", "tmpfs", "-o", size, "equipoise-chaos", directory);
      if (!isMounted && storage == Storage.BROKER) {
        throw new ClusterException(name + " requires root, which may mount a file system");
      }
      return;
    }
    Path image = clusterLayout.directory().resolve("checkpoints.img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(storage.size);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + image, e);
    }
    isMounted =
        isDone("mkfs.ext4", "-q", "-F", image.toString())
            && isDone("mount", "-o", "loop", image.toString(), directory);
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
    Path directory = storage.directory(context.cluster().layout());
    Path harmed = isMounted ? directory : directory.resolve(context.job().id());
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
      String directory = storage.directory(clusterLayout).toString();
      if (isHung) {
        ChaosContext.attempt("fsfreeze", "-u", directory); // if it ended in between
      }
      ChaosContext.run("umount", directory);
    }
  }
}
