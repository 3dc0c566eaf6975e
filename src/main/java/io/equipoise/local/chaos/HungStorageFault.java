package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Layout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * The file system of the checkpoints answers nothing for longer than two checkpoints may take. It
 * is a small one in a file, which only root may mount and freeze; for others the directory cannot
 * be written to, so that checkpoints fail at once.
 */
final class HungStorageFault implements Fault {
  /** Two timeouts of a checkpoint (30 s) and a part of the third. */
  private static final Duration HUNG = Duration.ofSeconds(75);

  private static final long SIZE = 64L << 20;

  private boolean isMounted;

  @Override
  public String name() {
    return "hang-checkpoint-storage";
  }

  @Override
  public void prepare(Layout layout) throws InterruptedException {
    Path image = layout.directory().resolve("checkpoints.img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + image, e);
    }
    isMounted =
        isDone("mkfs.ext4", "-q", "-F", image.toString())
            && isDone("mount", "-o", "loop", image.toString(), layout.checkpoints().toString());
  }

  private static boolean isDone(String... command) throws InterruptedException {
    try {
      return Commands.attempt(command).isEmpty();
    } catch (UncheckedIOException e) { // there is no such command
      return false;
    }
  }

  @Override
  public Harm inject(Theatre theatre) throws InterruptedException {
    Path checkpoints = theatre.cluster().layout().checkpoints();
    if (isMounted) {
      Commands.run("fsfreeze", "-f", checkpoints.toString());
      try {
        Thread.sleep(HUNG.toMillis());
      } finally {
        Commands.run("fsfreeze", "-u", checkpoints.toString());
      }
    } else {
      Path ofJob = checkpoints.resolve(theatre.job().id());
      permit(ofJob, "r-xr-xr-x");
      try {
        Thread.sleep(HUNG.toMillis());
      } finally {
        permit(ofJob, "rwxr-xr-x");
      }
    }
    return Harm.at(System.nanoTime());
  }

  private static void permit(Path directory, String permissions) {
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot change " + directory, e);
    }
  }

  @Override
  public void dispose(Layout layout) throws InterruptedException {
    if (isMounted) {
      isMounted = false;
      Commands.attempt("fsfreeze", "-u", layout.checkpoints().toString()); // if it ended in between
      Commands.run("umount", layout.checkpoints().toString());
    }
  }
}
