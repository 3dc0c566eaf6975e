package io.equipoise.local.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of a cluster, all on loopback, kept as long as its directory.
 *
 * <p>They are chosen below the range from which systems give out ports to outgoing connections.
 * Else, while a process is down, a client that keeps calling it could be given that very port and
 * would find itself connected to itself.
 */
public record Ports(int zookeeper, int kafka, int controller, int jobManager, int rest) {
  static final String LOOPBACK = "127.0.0.1";
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int STEP = 8;
  private static final int COUNT = 5;

  /**
   * Takes the ports that were asked for and chooses the others among the free ones, beginning at a
   * place that depends on the directory, so that clusters that start together do not meet.
   *
   * @param kafka 0 to choose
   * @param rest 0 to choose
   */
  static Ports choose(Path directory, int kafka, int rest) {
    List<Integer> free = new ArrayList<>();
    int start = Math.floorMod(directory.toString().hashCode(), (HIGHEST - LOWEST) / STEP) * STEP;
    for (int i = 0; i < HIGHEST - LOWEST && free.size() < COUNT; i++) {
      int port = LOWEST + (start + i) % (HIGHEST - LOWEST);
      if (port != kafka && port != rest && isFree(port)) {
        free.add(port);
      }
    }
    if (free.size() < COUNT) {
      throw new ClusterException("no free ports between " + LOWEST + " and " + HIGHEST);
    }
    return new Ports(
        free.get(0),
        kafka > 0 ? kafka : free.get(1),
        free.get(2),
        free.get(3),
        rest > 0 ? rest : free.get(4));
  }

  /** Returns what a member listens at, by name, sorted; task managers choose theirs. */
  Map<String, Integer> of(Member member) {
    return switch (member.kind()) {
      case ZOOKEEPER -> Map.of("client", zookeeper);
      case KAFKA -> new TreeMap<>(Map.of("client", kafka, "controller", controller));
      case JOBMANAGER -> new TreeMap<>(Map.of("rest", rest, "rpc", jobManager));
      case TASKMANAGER -> Map.of();
    };
  }

  /** Refuses to start a member whose port somebody else listens at. */
  void requireFree(Member member) {
    of(member)
        .forEach(
            (use, port) -> {
              if (!isFree(port)) {
                throw new ClusterException(
                    "port "
                        + port
                        + " ("
                        + use
                        + " of "
                        + member.name()
                        + ") is in use by another program; end that, or choose another port with"
                        + " --kafka-port or --rest-port, for a cluster that exists with a fresh"
                        + " --dir");
              }
            });
  }

  /** As servers do, with the address reused while old connections linger. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  String bootstrapServers() {
    return LOOPBACK + ":" + kafka;
  }
}
