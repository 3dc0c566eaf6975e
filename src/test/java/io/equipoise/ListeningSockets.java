package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The addresses at which a process of this machine listens, as Linux lists them. */
public final class ListeningSockets {
  private static final String LISTEN = "0A";
  private static final Set<String> LOOPBACK =
      Set.of(
          "0100007F",
          "00000000000000000000000001000000", // ::1
          "0000000000000000FFFF00000100007F"); // 127.0.0.1 on a socket of IPv6

  private ListeningSockets() {}

  /** Checks that this process listens somewhere, and on loopback only. */
  public static void assertLoopbackOnly() {
    assertLoopbackOnly("self");
  }

  /** As {@link #assertLoopbackOnly()}, of another process of this user. */
  public static void assertLoopbackOnly(String pid) {
    Set<String> addresses = of(pid);
    assertFalse(addresses.isEmpty(), "nothing listens");
    Set<String> open = new TreeSet<>(addresses);
    open.removeIf(it -> LOOPBACK.contains(it.substring(0, it.indexOf(':'))));
    assertEquals(Set.of(), open, "not on loopback");
  }

  /** Returns addresses and ports in hexadecimal digits, ADDRESS:PORT. */
  private static Set<String> of(String pid) {
    try {
      Set<String> own = new HashSet<>();
      try (Stream<Path> files = Files.list(Path.of("/proc", pid, "fd"))) {
        for (Path file : files.toList()) {
          if (Files.isSymbolicLink(file)) {
            own.add(Files.readSymbolicLink(file).toString());
          }
        }
      }
      Set<String> addresses = new TreeSet<>();
      for (String table : List.of("tcp", "tcp6")) {
        for (String line : Files.readAllLines(Path.of("/proc", pid, "net", table))) {
          String[] columns = line.strip().split(" +", -1);
          if (columns[3].equals(LISTEN) && own.contains("socket:[" + columns[9] + "]")) {
            addresses.add(columns[1]);
          }
        }
      }
      return addresses;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
