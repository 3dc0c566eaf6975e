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
 * Creates files that only this user can read and write, and checks that no other user could have
 * written a file. Does nothing on file systems without POSIX permissions.
 */
final class OwnerOnly {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /** Creates a directory with its missing parents, or removes the access of others. */
  static void directory(Path directory) throws IOException {
    if (!isPosix(directory)) {
      Files.createDirectories(directory);
      return;
    }
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
    Files.setPosixFilePermissions(directory, DIRECTORY);
  }

  /** Creates a file if it is missing, and removes the access of others. */
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

  /** Writes lines into a file that no other user could open before. */
  static Path write(Path file, List<String> lines) throws IOException {
    Files.deleteIfExists(file);
    return Files.write(file(file), lines, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * Checks that existing paths belong to this user and that no other user may write them.
   *
   * @throws ClusterException if another user could have written a path, because the files determine
   *     the started processes
   */
  static void check(Path... paths) {
    try {
      for (Path path : paths) {
        if (Files.exists(path) && isPosix(path)) {
          check(path);
        }
      }
    } catch (IOException e) {
      throw new ClusterException("cannot determine the owner of " + e.getMessage(), e);
    }
  }

  private static void check(Path path) throws IOException {
    UserPrincipal owner = Files.getOwner(path);
    if (!owner.equals(thisUser())) {
      throw new ClusterException(
          path
              + " belongs to "
              + owner.getName()
              + "; allowed: your own directory and cluster.json; use another --dir");
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new ClusterException(
          path
              + " is writable for others ("
              + PosixFilePermissions.toString(permissions)
              + "): check its content, then chmod go-w, or use another --dir");
    }
  }

  /** A new file belongs to this user in every environment. */
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
