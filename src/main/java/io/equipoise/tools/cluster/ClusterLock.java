package io.equipoise.tools.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Locks a cluster for the one command that may change it. */
public final class ClusterLock implements AutoCloseable {
  private final FileChannel channel;

  private ClusterLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Runs while the lock is held. */
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Runs an action with the lock of a directory; throws if another command has it. */
  public static <T, E extends Exception> T hold(ClusterLayout clusterLayout, Work<T, E> work)
      throws E {
    ClusterLock lock = take(clusterLayout);
    try {
      return work.run();
    } finally {
      lock.close();
    }
  }

  /** Takes the lock of a directory; throws if another command has it. */
  static ClusterLock take(ClusterLayout clusterLayout) {
    clusterLayout.create();
    try {
      FileChannel channel =
          FileChannel.open(
              clusterLayout.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new ClusterException(
            "another command is changing the cluster in "
                + clusterLayout.directory()
                + "; wait until it ends");
      }
      return new ClusterLock(channel);
    } catch (IOException e) {
      throw new ClusterException("cannot lock " + clusterLayout.lock() + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process already has it
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot release the lock of a cluster", e);
    }
  }
}
