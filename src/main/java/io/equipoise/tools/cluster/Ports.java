package io.equipoise.tools.cluster;

import io.equipoise.tools.LoopbackPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the ports of a cluster, all on loopback. They are stored in its directory.
 *
 * <p>They are chosen from the range of {@link LoopbackPorts}.
 *
 * @param console 0 if the cluster has no console
 */
public record Ports(
    int zookeeper, int kafka, int controller, int jobManager, int rest, int gateway, int console) {
  static final String LOOPBACK = "127.0.0.1";
  private static final int STEP = 8;
  private static final int COUNT = 7;

  /**
   * Uses the requested ports and chooses the others among the free ones. The search starts at a
   * port that depends on the directory, so that clusters that start together do not collide.
   *
   * @param kafka 0 for a free port
   * @param rest 0 for a free port
   * @param gateway 0 for a free port
   * @param console 0 for a free port; null for no console
   */
  static Ports choose(Path directory, int kafka, int rest, int gateway, @Nullable Integer console) {
    List<Integer> given = List.of(kafka, rest, gateway, console == null ? 0 : console);
    List<Integer> free = new ArrayList<>();
    int start =
        Math.floorMod(
                directory.toString().hashCode(), (LoopbackPorts.END - LoopbackPorts.LOWEST) / STEP)
            * STEP;
    for (int i = 0; i < LoopbackPorts.END - LoopbackPorts.LOWEST && free.size() < COUNT; i++) {
      int port = LoopbackPorts.LOWEST + (start + i) % (LoopbackPorts.END - LoopbackPorts.LOWEST);
      if (!given.contains(port) && LoopbackPorts.isFree(port)) {
        free.add(port);
      }
    }
    if (free.size() < COUNT) {
      throw new ClusterException(
          "no free ports between " + LoopbackPorts.LOWEST + " and " + LoopbackPorts.END);
    }
    return new Ports(
        free.get(0),
        kafka > 0 ? kafka : free.get(1),
        free.get(2),
        free.get(3),
        rest > 0 ? rest : free.get(4),
        gateway > 0 ? gateway : free.get(5),
        console == null || console > 0 ? given.get(3) : free.get(6));
  }

  /** Returns the ports of a member by name, sorted; task managers choose their own. */
  Map<String, Integer> of(ClusterProcess clusterProcess) {
    return switch (clusterProcess.kind()) {
      case ZOOKEEPER -> Map.of("client", zookeeper);
      case KAFKA -> new TreeMap<>(Map.of("client", kafka, "controller", controller));
      case JOBMANAGER -> new TreeMap<>(Map.of("rest", rest, "rpc", jobManager));
      case TASKMANAGER -> Map.of();
      case GATEWAY -> Map.of("http", gateway);
      case CONSOLE -> Map.of("http", console);
    };
  }

  /** Rejects the start of a member whose port is in use. */
  void requireFree(ClusterProcess clusterProcess) {
    of(clusterProcess)
        .forEach(
            (use, port) -> {
              if (!LoopbackPorts.isFree(port)) {
                throw new ClusterException(
                    "port "
                        + port
                        + " ("
                        + use
                        + " of "
                        + clusterProcess.name()
                        + ") is in use by another program; end it, or choose another port with"
                        + " --kafka-port, --rest-port, --gateway-port or --console-port; an"
                        + " existing cluster needs a new --dir");
              }
            });
  }

  boolean hasConsole() {
    return console > 0;
  }

  String bootstrapServers(Hosts hosts) {
    return hosts.addresses(ClusterProcess.ProcessKind.KAFKA).stream()
        .map(address -> address + ":" + kafka)
        .collect(Collectors.joining(","));
  }
}
