package io.equipoise.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Configures brokers that are their own controllers, each with a replica of everything. */
public final class EmbeddedBrokerProperties {
  private static final int FIRST_NODE = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";
  private static final String CLIENT_LISTENER = "CLIENTS";

  /** Far above any {@code equipoise.max-outage} of a demo or a test. */
  private static final Duration TRANSACTION_MAX_TIMEOUT = Duration.ofHours(6);

  /**
   * Each checkpoint uses its own ids, of which the broker keeps some 300 bytes each. Ids are never
   * reused after their transaction, and the job starts without expired ones.
   */
  private static final Duration TRANSACTIONAL_ID_EXPIRATION = Duration.ofHours(6);

  /**
   * Each checkpoint uses its own producers. A partition remembers some 230 bytes of each for this
   * long after its last record, and longer for open transactions. Slightly above the job's default
   * transaction timeout.
   */
  private static final Duration PRODUCER_EXPIRATION = Duration.ofMinutes(20);

  private static final int CLEANER_BUFFER_BYTES = 8 << 20;

  private EmbeddedBrokerProperties() {}

  /** Returns the properties of a single broker; its data is below the directory. */
  public static Map<String, String> of(Path directory, int port, int controllerPort) {
    return of(directory, List.of(EmbeddedBroker.LOOPBACK), FIRST_NODE, port, controllerPort);
  }

  /**
   * Returns the properties of one of several brokers, which are the controllers too. Each has a
   * replica of everything, and all but one must be in sync.
   *
   * @param addresses of all brokers, with the same ports
   * @param node id of this broker, from 1: its place among the addresses
   */
  public static Map<String, String> of(
      Path directory, List<String> addresses, int node, int port, int controllerPort) {
    var properties = new LinkedHashMap<String, String>();
    node(properties, directory, addresses, node, port, controllerPort);
    replicas(properties, addresses.size());
    quickReturn(properties);
    quiet(properties);
    transactions(properties);
    small(properties);
    return properties;
  }

  private static void node(
      Map<String, String> to,
      Path directory,
      List<String> addresses,
      int node,
      int port,
      int controllerPort) {
    var address = addresses.get(node - FIRST_NODE);
    var clients = CLIENT_LISTENER + "://" + address + ":" + port;
    var controller = address + ":" + controllerPort;
    var voters =
        IntStream.range(0, addresses.size())
            .mapToObj(i -> (i + FIRST_NODE) + "@" + addresses.get(i) + ":" + controllerPort)
            .collect(Collectors.joining(","));
    to.put("process.roles", "broker,controller");
    to.put("node.id", Integer.toString(node));
    to.put("log.dirs", directory.toString());
    to.put("listeners", clients + "," + CONTROLLER_LISTENER + "://" + controller);
    to.put("advertised.listeners", clients);
    to.put("inter.broker.listener.name", CLIENT_LISTENER);
    to.put("controller.listener.names", CONTROLLER_LISTENER);
    to.put("controller.quorum.voters", voters);
    to.put(
        "listener.security.protocol.map",
        CLIENT_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    to.put("auto.create.topics.enable", "false");
  }

  private static void replicas(Map<String, String> to, int brokers) {
    var all = Integer.toString(brokers);
    var inSync = Integer.toString(Math.max(1, brokers - 1));
    to.put("default.replication.factor", all);
    to.put("min.insync.replicas", inSync);
    to.put("offsets.topic.replication.factor", all);
    to.put("transaction.state.log.replication.factor", all);
    to.put("transaction.state.log.min.isr", inSync);
    to.put("share.coordinator.state.topic.replication.factor", all);
    to.put("share.coordinator.state.topic.min.isr", inSync);
    to.put("group.initial.rebalance.delay.ms", "0");
  }

  /**
   * A restarted broker is rejected as a duplicate until the session of the killed one has expired,
   * 9 s by default; meanwhile the cluster is down. With a shorter session, a stalled process would
   * lose its partitions for a moment.
   */
  private static void quickReturn(Map<String, String> to) {
    to.put("broker.session.timeout.ms", "5000");
    to.put("broker.heartbeat.interval.ms", "1000");
  }

  /**
   * A controller writes a record of nothing, and flushes it, twice a second by default, so that
   * followers notice how far they are. Each of four threads of the group coordinator wakes five
   * times a second, and there are few consumer groups.
   */
  private static void quiet(Map<String, String> to) {
    to.put("metadata.max.idle.interval.ms", "5000");
    to.put("group.coordinator.threads", "1");
  }

  private static void transactions(Map<String, String> to) {
    to.put("transaction.max.timeout.ms", Long.toString(TRANSACTION_MAX_TIMEOUT.toMillis()));
    to.put("transactional.id.expiration.ms", Long.toString(TRANSACTIONAL_ID_EXPIRATION.toMillis()));
    to.put("producer.id.expiration.ms", Long.toString(PRODUCER_EXPIRATION.toMillis()));
  }

  /** Few threads and partitions: the broker shares a small machine with a Flink cluster. */
  private static void small(Map<String, String> to) {
    to.put("num.network.threads", "2");
    to.put("num.io.threads", "4");
    to.put("offsets.topic.num.partitions", "4");
    to.put("transaction.state.log.num.partitions", "4");
    to.put("log.cleaner.dedupe.buffer.size", Integer.toString(CLEANER_BUFFER_BYTES));
  }
}
