package io.equipoise.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Runs one Kafka broker and its controller in this JVM, on loopback, from the production classes.
 *
 * <p>For demos and tests: no security by default, one replica of everything, and no automatic topic
 * creation (a misspelled topic is an error). Data survives {@link #close()} if the caller names the
 * directory, and is deleted otherwise. A broken data directory halts the JVM, as it halts a
 * separate broker.
 */
public final class EmbeddedBroker implements AutoCloseable {
  static final String LOOPBACK = "127.0.0.1";

  /** The same for all brokers: a broker rejects a directory that was formatted under another id. */
  private static final String CLUSTER_ID = "equipoise-embedded";

  private final KafkaRaftServer server;
  private final Path directory;
  private final boolean isTemporary;
  private final int port;
  private boolean isClosed;

  private EmbeddedBroker(KafkaRaftServer server, Path directory, boolean isTemporary, int port) {
    this.server = server;
    this.directory = directory;
    this.isTemporary = isTemporary;
    this.port = port;
  }

  /** Starts a broker on a free port; its data is deleted on close. */
  public static EmbeddedBroker start() {
    return start(UnaryOperator.identity());
  }

  /** As {@link #start()}, with changed broker properties, such as another listener. */
  public static EmbeddedBroker start(UnaryOperator<Map<String, String>> change) {
    try {
      return start(
          Files.createTempDirectory("equipoise-broker-"), true, LoopbackPorts.next(), change);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot create a temporary directory for the embedded broker", e);
    }
  }

  /** Starts a broker on a free port with a data directory, which the next start can reuse. */
  public static EmbeddedBroker start(Path directory) {
    return start(directory, LoopbackPorts.next());
  }

  /**
   * Starts a broker on a given port with a data directory, so that clients of an earlier broker on
   * that port can reconnect.
   */
  public static EmbeddedBroker start(Path directory, int port) {
    return start(directory, false, port, UnaryOperator.identity());
  }

  private static EmbeddedBroker start(
      Path directory, boolean isTemporary, int port, UnaryOperator<Map<String, String>> change) {
    var properties =
        change.apply(EmbeddedBrokerProperties.of(directory, port, LoopbackPorts.next()));
    var config = new KafkaConfig(properties, false);
    format(directory, Integer.parseInt(properties.get("node.id")));
    var server = new KafkaRaftServer(config, Time.SYSTEM);
    server.startup(); // returns when the broker is registered, caught up and takes requests
    return new EmbeddedBroker(server, directory, isTemporary, port);
  }

  /** Returns the address for clients, {@code host:port}. */
  public String bootstrapServers() {
    return LOOPBACK + ":" + port;
  }

  public int port() {
    return port;
  }

  public Path directory() {
    return directory;
  }

  /** Stops the broker and waits until it has stopped. A second call does nothing. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    server.shutdown();
    server.awaitShutdown();
    if (isTemporary) {
      Directories.delete(directory);
    }
  }

  /**
   * Formats a directory for brokers of this cluster id, unless it is formatted.
   *
   * @param node id of the broker
   */
  public static void format(Path directory, int node) {
    var formatter =
        new Formatter()
            .setPrintStream(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
            .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
            .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
            .setNodeId(node)
            .setClusterId(CLUSTER_ID)
            .setControllerListenerName(EmbeddedBrokerProperties.CONTROLLER_LISTENER)
            .addDirectory(directory.toString())
            .setMetadataLogDirectory(directory.toString())
            .setIgnoreFormatted(true);
    try {
      formatter.run();
    } catch (Exception e) { // the formatter declares no subclass
      throw new IllegalStateException("cannot format the broker's directory " + directory, e);
    }
  }
}
