package io.equipoise.tools.cluster;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.EmbeddedBrokerProperties;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Composes the command lines and writes the settings files of the broker and of ZooKeeper. */
record ServerArguments(
    Distribution distribution, ClusterLayout clusterLayout, Plan plan, Ports ports, Hosts hosts) {
  private static final String SHADED = "org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.";
  private static final String QUORUM_PEER = SHADED + "server.quorum.QuorumPeerMain";

  /**
   * Every minute ZooKeeper deletes container nodes without children. If a job manager was frozen
   * for longer than its session, its election's node has no children. The Curator version in Flink
   * 2.2 (CURATOR-724) never rejoins an election whose node is gone.
   */
  private static final String KEEPS_CONTAINERS =
      "-Dznode.container.checkIntervalMs=" + Integer.MAX_VALUE;

  /** Formats the broker's directory if it is new, and returns the broker's arguments. */
  List<String> kafka(ClusterProcess broker) {
    Path data = clusterLayout.kafka(broker);
    Map<String, String> settings =
        EmbeddedBrokerProperties.of(
            data,
            hosts.addresses(ProcessKind.KAFKA),
            broker.number(),
            ports.kafka(),
            ports.controller());
    settings.putAll(overrides());
    EmbeddedBroker.format(data, broker.number());
    Path file = write(broker.name() + ".properties", settings);
    return server(plan.brokerHeap(), Distribution.LATE_OPTIMIZATION, "kafka.Kafka", file);
  }

  private Map<String, String> overrides() {
    Path file = clusterLayout.brokerOverrides();
    if (!Files.exists(file)) {
      return Map.of();
    }
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      read.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    Map<String, String> overrides = new LinkedHashMap<>();
    read.stringPropertyNames().forEach(name -> overrides.put(name, read.getProperty(name)));
    return overrides;
  }

  /** One ZooKeeper without a quorum: its data is as safe as its disk. */
  List<String> zookeeper() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("dataDir", clusterLayout.zookeeper().toString());
    settings.put("clientPortAddress", hosts.address(ClusterProcess.ZOOKEEPER));
    settings.put("clientPort", Integer.toString(ports.zookeeper()));
    settings.put("tickTime", "1000");
    settings.put("admin.enableServer", "false");
    // Every checkpoint makes a few changes; without purging the disk fills up.
    settings.put("autopurge.purgeInterval", "1");
    settings.put("autopurge.snapRetainCount", "3");
    return server(
        "128m",
        List.of(Distribution.QUICK_START, KEEPS_CONTAINERS),
        QUORUM_PEER,
        write("zookeeper.properties", settings));
  }

  /**
   * The gateway reads the job's options; only its port is its own. With a late optimizing compiler
   * it would serve half as many requests in its first minutes.
   */
  List<String> gateway(ClusterProcess gateway, Map<String, String> jobSettings) {
    Map<String, String> own = new TreeMap<>();
    own.put("gateway.port", Integer.toString(ports.gateway()));
    if (!hosts.areLoopback()) {
      own.put("gateway.address", hosts.address(gateway));
      own.put("gateway.allow-plain-http", "true");
    }
    return service("gateway", "256m", jobSettings, own);
  }

  /** The console reads the job's options, and asks the cluster's job manager. */
  List<String> console(Map<String, String> jobSettings) {
    Map<String, String> own =
        Map.of(
            "console.port",
            Integer.toString(ports.console()),
            "console.flink-rest",
            "http://" + Ports.LOOPBACK + ":" + ports.rest());
    return service("console", "400m", jobSettings, own);
  }

  private List<String> service(
      String verb, String heap, Map<String, String> jobSettings, Map<String, String> own) {
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:+UseSerialGC",
            Distribution.EXIT_WITHOUT_MEMORY,
            "-cp",
            distribution.classPathWithPolicies(),
            "io.equipoise.Equipoise",
            verb,
            "--config",
            plan.config()));
    Map<String, String> settings = new TreeMap<>(jobSettings);
    settings.putAll(own);
    settings.forEach((name, value) -> words.addAll(List.of("-D", name + "=" + value)));
    return words;
  }

  private List<String> server(String heap, List<String> options, String main, Path settings) {
    List<String> words =
        new ArrayList<>(
            List.of("-Xmx" + heap, "-XX:+UseSerialGC", Distribution.EXIT_WITHOUT_MEMORY));
    words.addAll(options);
    words.addAll(List.of("-cp", distribution.classPath(), main, settings.toString()));
    return words;
  }

  private Path write(String name, Map<String, String> settings) {
    Path file = clusterLayout.run(name);
    List<String> lines =
        settings.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
    try {
      return OwnerOnly.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
