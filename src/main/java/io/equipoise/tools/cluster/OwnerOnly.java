package io.equipoise.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;

/**
 * Files that only this user reads and writes, and the check that nobody else could have written
 * them. On a file system without POSIX permissions nothing is set and nothing checked.
 */
final class OwnerOnly {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /** Makes a directory with its missing parents, or closes one that is there to others. */
  static void directory(Path directory) throws IOException {
    if (!isPosix(directory)) {
      Files.createDirectories(directory);
      return;
    }
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
    Files.setPosixFilePermissions(directory, DIRECTORY);
  }

  /** Makes a file unless it is there, and closes it to others. */
  static Path file(Path file) throws IOException {
    if (!isPosix(file)) {
      return Files.exists(file) ? file : Files.createFile(file);
    }
    if (!Files.exists(file)) {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
    }
    Files.setPosixFilePermissions(file, FILE);
    return file;
  }

  /** Writes lines into a file that nobody else could open before. */
  static Path write(Path file, List<String> lines) throws IOException {
    Files.deleteIfExists(file);
    return Files.write(file(file), lines, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * Checks that what exists of the paths belongs to this user and that nobody else may write it.
   *
   * @throws ClusterException if another user could have written it: processes are started as it
   *     says
   */
  static void check(Path... paths) {
    try {
      for (Path path : paths) {
        if (Files.exists(path) && isPosix(path)) {
          check(path);
        }
      }
    } catch (IOException e) {
      throw new ClusterException("cannot find out who owns " + e.getMessage(), e);
    }
  }

  private static void check(Path path) throws IOException {
    UserPrincipal owner = Files.getOwner(path);
    if (!owner.equals(thisUser())) {
      throw new ClusterException(
          path
              + " belongs to "
              + owner.getName()
              + ": a cluster's directory and cluster.json must be your own; use another --dir");
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new ClusterException(
          path
              + " can be written by others ("
              + PosixFilePermissions.toString(permissions)
              + "): check its content, then chmod go-w, or use another --dir");
    }
  }

  /** A fresh file is this user's, whatever the environment says of the user's name. */
  private static UserPrincipal thisUser() throws IOException {
    Path fresh = Files.createTempFile("equipoise-", ".owner");
    try {
      return Files.getOwner(fresh);
    } finally {
      Files.delete(fresh);
    }
  }

  private static boolean isPosix(Path path) throws IOException {
    Path there = path.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return Files.getFileAttributeView(there, PosixFileAttributeView.class) != null;
  }
}
