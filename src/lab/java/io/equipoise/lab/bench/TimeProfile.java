package io.equipoise.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Samples the running threads of this process with the JDK's flight recorder, by part of the job:
 * that of the innermost frame that matches a rule.
 */
final class TimeProfile implements AutoCloseable {
  private static final String OTHER = "other: JDK, logging, JIT";

  private record Rule(String part, List<String> prefixes) {
    boolean names(String method) {
      return prefixes.stream().anyMatch(method::startsWith);
    }
  }

  /** Frames that show the work of a thread; tried innermost first. */
  private static final List<Rule> RULES =
      List.of(
          rule("choose and audit", "io.equipoise.policy.", "io.equipoise.fairness."),
          rule(
              "hash ids and contents",
              "io.equipoise.event.IdHash",
              "io.equipoise.event.ContentDigest",
              "io.equipoise.event.DigestInput",
              "io.equipoise.event.Sha256",
              "io.equipoise.segment.state.PendingDigest",
              "io.equipoise.segment.state.ModelDigest"),
          rule("encode outputs", "io.equipoise.event.Wire.encode"),
          rule(
              "decode inputs", "io.equipoise.event.InputDecoder", "io.equipoise.event.Wire.decode"),
          rule("encode context", "io.equipoise.segmentspec."),
          rule("bytes between operators and of state", "io.equipoise.state."),
          rule("keyed state", "org.apache.flink.runtime.state."),
          rule("join and event log", "io.equipoise.segment."),
          rule("segment function", "io.equipoise.job.SegmentFunction"),
          rule(
              "produce",
              "org.apache.kafka.clients.producer.",
              "org.apache.flink.connector.kafka.sink."),
          rule(
              "consume",
              "org.apache.kafka.clients.consumer.",
              "org.apache.flink.connector.kafka.source."));

  /** Frames that show the owner of a thread; used if no frame matches above. */
  private static final List<Rule> OWNERS =
      List.of(
          rule(
              "broker",
              "kafka.",
              "org.apache.kafka.server.",
              "org.apache.kafka.storage.",
              "org.apache.kafka.raft.",
              "org.apache.kafka.coordinator.",
              "org.apache.kafka.common.network."),
          rule("Kafka clients", "org.apache.kafka."),
          rule("Flink runtime", "org.apache.flink."));

  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Recording recording = new Recording();

  private TimeProfile() {
    recording.enable(SAMPLE).withPeriod(PERIOD);
  }

  static TimeProfile start() {
    TimeProfile timeProfile = new TimeProfile();
    timeProfile.recording.start();
    return timeProfile;
  }

  /** Stops and returns the share of samples by part of the job. */
  Map<String, Double> shares() throws IOException {
    recording.stop();
    Path file = Files.createTempFile("equipoise-bench-", ".jfr");
    try {
      recording.dump(file);
      return read(file);
    } finally {
      Files.delete(file);
    }
  }

  private static Map<String, Double> read(Path file) throws IOException {
    Map<String, Double> samples = new TreeMap<>();
    double total = 0;
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(SAMPLE)) {
          RecordedStackTrace stack = event.getStackTrace();
          samples.merge(stack == null ? OTHER : part(stack.getFrames()), 1.0, Double::sum);
          total++;
        }
      }
    }
    double all = total;
    samples.replaceAll((part, count) -> count / all);
    return samples;
  }

  private static String part(List<RecordedFrame> frames) {
    String found = first(frames, RULES);
    if (found.equals(OTHER)) {
      found = first(frames, OWNERS);
    }
    return found;
  }

  private static String first(List<RecordedFrame> frames, List<Rule> rules) {
    for (RecordedFrame frame : frames) {
      String method = frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
      for (Rule rule : rules) {
        if (rule.names(method)) {
          return rule.part();
        }
      }
    }
    return OTHER;
  }

  private static Rule rule(String part, String... prefixes) {
    return new Rule(part, List.of(prefixes));
  }

  @Override
  public void close() {
    recording.close();
  }
}
