package io.equipoise.job.control;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Publishes and retires validated specs on the specs topic; no other code writes there. */
public final class SpecPublisher {
  private final JobConfig config;
  private final String topic;

  /** Creates a publisher for a deployment. */
  public SpecPublisher(JobConfig config) {
    this.config = config;
    this.topic = config.topics().specs();
  }

  /**
   * Publishes specs and waits until they are committed. Publishing an active text changes nothing.
   *
   * @throws StartRefusedException if the topic has another text under the same name and version, or
   *     a higher version; lists all such errors
   */
  public void publish(List<SegmentSpec> specs) throws InterruptedException {
    publish(specs, SpecHistory.read(config));
  }

  /**
   * As {@link #publish(List)}, after the topic was read.
   *
   * @return the offset of each text
   */
  public Map<SegmentSpec, Long> publish(List<SegmentSpec> specs, SpecHistory history)
      throws InterruptedException {
    return publish(specs, history, List.of());
  }

  /**
   * As {@link #publish(List, SpecHistory)}.
   *
   * @param files the files and directories of the specs, which an error names
   */
  public Map<SegmentSpec, Long> publish(
      List<SegmentSpec> specs, SpecHistory history, List<Path> files) throws InterruptedException {
    refuseOutdated(specs, history, files);
    return send(specs, false);
  }

  /**
   * Checks the versions of specs.
   *
   * @param files the files and directories of the specs, which an error names
   * @throws StartRefusedException as {@link #publish(List)}
   */
  public void refuseOutdated(List<SegmentSpec> specs, SpecHistory history, List<Path> files) {
    List<String> faults = new ArrayList<>();
    for (SegmentSpec spec : specs) {
      List<SegmentSpec> known =
          history.named(spec.name()).stream().map(SpecHistory.Version::spec).toList();
      long next = history.nextVersion(spec.name());
      boolean isNewest = known.contains(spec) && spec.version() == next - 1;
      if (!isNewest && spec.version() < next) {
        Optional<Path> file = SpecFiles.fileOf(files, spec);
        faults.add(
            "%sspec %s version %d: the topic %s has %s version %d; give yours version %d or higher to publish it, or keep the topic's with `equipoise specs show %s > %s`"
                .formatted(
                    file.map(it -> it + ": ").orElse(""),
                    spec.name(),
                    spec.version(),
                    topic,
                    spec.version() == next - 1 ? "another text under" : "gone on to",
                    next - 1,
                    next,
                    spec.name(),
                    file.map(Path::toString).orElse("FILE")));
      }
    }
    if (!faults.isEmpty()) {
      throw new StartRefusedException("Specs cannot be published", faults);
    }
  }

  /**
   * Retires specs, in the given order: no segment adopts them from then on; segments under them
   * continue until another spec covers them.
   *
   * @return the offset of each retirement
   */
  public Map<SegmentSpec, Long> retire(List<SegmentSpec> specs) throws InterruptedException {
    return send(specs, true);
  }

  private Map<SegmentSpec, Long> send(List<SegmentSpec> specs, boolean isRetired)
      throws InterruptedException {
    Map<SegmentSpec, Long> offsets = new LinkedHashMap<>();
    try (KafkaProducer<String, String> producer = producer()) {
      for (SegmentSpec spec : specs) {
        offsets.put(spec, send(producer, spec.key(), isRetired ? null : spec.text()));
      }
    }
    return offsets;
  }

  private KafkaProducer<String, String> producer() {
    Properties settings = config.kafka();
    settings.setProperty("acks", "all");
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private long send(KafkaProducer<String, String> producer, String key, @Nullable String text)
      throws InterruptedException {
    try {
      return producer.send(new ProducerRecord<>(topic, 0, key, text)).get().offset();
    } catch (ExecutionException e) {
      throw new StartRefusedException(
          "The specs topic cannot be written",
          List.of(
              "topic %s, key %s: %s; allow Write on the topic, or try again"
                  .formatted(topic, key, e.getCause().getMessage())));
    }
  }
}
