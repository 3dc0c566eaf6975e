package io.equipoise.tools.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * Counts samples of running threads by the part of the job that they are at work for: that of the
 * innermost frame which a rule names.
 */
final class Parts {
  private static final String OTHER = "other: JDK, logging, JIT";

  /** A part, and how the names of its methods begin. */
  private record Rule(String part, List<String> prefixes) {
    boolean names(String method) {
      return prefixes.stream().anyMatch(method::startsWith);
    }
  }

  /** Frames that say what a thread does; tried innermost first. */
  private static final List<Rule> RULES =
      List.of(
          rule("choose and audit", "io.equipoise.policy.", "io.equipoise.fairness."),
          rule(
              "hash ids and contents",
              "io.equipoise.event.IdHash",
              "io.equipoise.event.ContentDigest",
              "io.equipoise.event.DigestInput",
              "io.equipoise.segmentspec.Sha256",
              "io.equipoise.segment.state.PendingDigest",
              "io.equipoise.segment.state.ModelDigest"),
          rule("encode outputs", "io.equipoise.event.Wire.encode"),
          rule(
              "decode inputs", "io.equipoise.event.InputDecoder", "io.equipoise.event.Wire.decode"),
          rule("encode context", "io.equipoise.segmentspec."),
          rule("bytes between operators and of state", "io.equipoise.state."),
          rule("keyed state", "org.apache.flink.runtime.state."),
          rule("join and journal", "io.equipoise.segment."),
          rule("segment function", "io.equipoise.job.SegmentFunction"),
          rule(
              "produce",
              "org.apache.kafka.clients.producer.",
              "org.apache.flink.connector.kafka.sink."),
          rule(
              "consume",
              "org.apache.kafka.clients.consumer.",
              "org.apache.flink.connector.kafka.source."));

  /** Frames that say whose a thread is; tried where no frame of the stack says more. */
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

  private final Map<String, Integer> samples = new TreeMap<>();
  private int total;

  void add(RecordedEvent sample) {
    RecordedStackTrace stack = sample.getStackTrace();
    samples.merge(stack == null ? OTHER : part(stack.getFrames()), 1, Integer::sum);
    total++;
  }

  /** Returns the share of each part in all samples. */
  Map<String, Double> shares() {
    Map<String, Double> shares = new TreeMap<>();
    samples.forEach((part, count) -> shares.put(part, (double) count / total));
    return shares;
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
}
