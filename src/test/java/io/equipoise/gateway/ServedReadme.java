package io.equipoise.gateway;

import io.equipoise.Docs;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.EmbeddedDeployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The spec of the README, a job that decides by it at-least-once, and a gateway in front of it. */
public final class ServedReadme implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);

  private final EmbeddedDeployment deployment;
  private final Gateway gateway;

  private ServedReadme(EmbeddedDeployment deployment, Gateway gateway) {
    this.deployment = deployment;
    this.gateway = gateway;
  }

  /** Starts broker, job and gateway, and waits until the gateway is ready. */
  public static ServedReadme start() throws InterruptedException {
    Configuration settings = new Configuration();
    settings.setString("equipoise.delivery", "at-least-once");
    settings.setString("equipoise.partitions", "2");
    EmbeddedDeployment deployment =
        EmbeddedDeployment.start("served", settings, ServedReadme::write);
    try {
      Configuration own = new Configuration(settings);
      own.setString("equipoise.deployment", "served");
      own.setString("kafka.bootstrap.servers", deployment.bootstrapServers());
      own.setString("gateway.port", "0");
      own.setString("gateway.deadline", "20 s");
      own.setString("gateway.fairness", "true");
      Gateway gateway = Gateway.start(GatewayConfig.from(own), Clock.systemUTC());
      if (!gateway.awaitReady(PATIENCE)) {
        throw new AssertionError("the gateway is not ready after " + PATIENCE);
      }
      return new ServedReadme(deployment, gateway);
    } catch (RuntimeException | InterruptedException e) {
      deployment.close();
      throw e;
    }
  }

  private static List<SegmentSpec> write(Path directory) {
    try {
      String spec = Docs.specOfTheReadme();
      Files.writeString(directory.resolve("offers.yaml"), spec);
      return List.of(SpecParser.parse(spec));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address of the gateway. */
  public String url() {
    return gateway.address();
  }

  public JobConfig config() {
    return deployment.config();
  }

  /** Reads all values of a topic until its end now. */
  public <T extends Record> List<T> read(String topic, Wire<T> wire) {
    List<T> values = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = Consumers.uncommitted(config().kafka(), Map.of())) {
      List<TopicPartition> partitions = List.copyOf(Consumers.partitions(consumer, topic));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.value() != null) {
            values.add(wire.decode(record.value()));
          }
        }
      }
    }
    return values;
  }

  @Override
  public void close() {
    try (deployment) {
      gateway.close();
    }
  }
}
