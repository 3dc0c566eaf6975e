package io.equipoise.job.control;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Publishes validated specs on the specs topic; no other code writes specs there. Publishing an
 * existing text changes nothing.
 */
public final class SpecPublisher {
  private final Properties kafka;
  private final String topic;
  private final ControlBootstrap bootstrap;

  /** Creates a publisher for a deployment. */
  public SpecPublisher(JobConfig config) {
    this.kafka = config.kafka();
    this.topic = config.topics().specs();
    this.bootstrap = new ControlBootstrap(config);
  }

  /**
   * Publishes specs and waits until they are committed.
   *
   * @throws StartRefusedException if the topic has another text under the same name and version, or
   *     a higher version; lists all such errors
   */
  public void publish(List<SegmentSpec> specs) throws InterruptedException {
    Map<String, SegmentSpec> published = published();
    List<String> faults =
        specs.stream()
            .filter(spec -> isOutdated(spec, published.get(spec.name())))
            .map(
                spec ->
                    "spec %s version %d: the topic %s has another text under version %d; give yours a higher version"
                        .formatted(
                            spec.name(),
                            spec.version(),
                            topic,
                            published.get(spec.name()).version()))
            .toList();
    if (!faults.isEmpty()) {
      throw new StartRefusedException("Specs cannot be published", faults);
    }
    send(
        specs.stream()
            .collect(
                Collectors.toMap(
                    spec -> SpecText.keyOf(spec.name(), spec.hash()), SegmentSpec::text)));
  }

  private static boolean isOutdated(SegmentSpec spec, SegmentSpec published) {
    return published != null
        && !published.hash().equals(spec.hash())
        && published.version() >= spec.version();
  }

  /** Returns the newest valid spec of each name on the topic. */
  private Map<String, SegmentSpec> published() {
    Map<String, SegmentSpec> newest = new HashMap<>();
    for (SpecText text : bootstrap.specs()) {
      if (text.text() != null) {
        SegmentSpec spec = text.compile().spec();
        newest.merge(
            spec.name(), spec, (one, other) -> one.version() >= other.version() ? one : other);
      }
    }
    return newest;
  }

  private void send(Map<String, String> texts) throws InterruptedException {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty("acks", "all");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (Map.Entry<String, String> text : texts.entrySet()) {
        producer.send(new ProducerRecord<>(topic, 0, text.getKey(), text.getValue())).get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "cannot write the specs to topic " + topic + ": " + e.getCause().getMessage(), e);
    }
  }
}
