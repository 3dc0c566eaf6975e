package io.equipoise.console;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.state.Aggregator;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.evaluate.LoggedRun;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Topics of a segment that really decided, for tests of what is computed from them. */
public final class Logs {
  /** Snapshots come every 100 decisions. */
  public static final CompiledSpec SPEC = compiled(SimulationSpecs.cells());

  private Logs() {}

  private static CompiledSpec compiled(CompiledSpec plain) {
    return CompiledSpec.of(SpecParser.parse(plain.spec().text() + "metrics: {every: 100}\n"));
  }

  /** Runs a segment of this name; its records are a second apart, from START on. */
  public static LoggedRun run(String segment, int decisions) {
    World world = World.of(SPEC.spec(), WorldFile.parse("world", SimulationSpecs.WORLD), null);
    return new LoggedRun(SPEC, world, segment, decisions);
  }

  /** Passes the records of all outputs, topic by topic. */
  public static void outputs(MemoryLog log, Consumer<LogRecord> into) {
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS && !topic.isInput(); partition++) {
        log.records(topic, partition).forEach(into);
      }
    }
  }

  /** Returns a record as a job that redacts writes it. */
  public static LogRecord redacted(LogRecord at) {
    Redactor redactor = new Redactor(SensitiveValues.REDACT, null, 1, hash -> SPEC.spec());
    SegmentOutput plain =
        (SegmentOutput)
            switch (at.slice().topic()) {
              case DECISIONS -> Wire.DECISION.decode(at.value());
              case AUDIT -> Wire.AUDIT.decode(at.value());
              case SEGMENT_EVENTS -> Wire.SEGMENT_EVENT.decode(at.value());
              case METRICS -> Wire.METRICS.decode(at.value());
              case EXPERIMENTS -> Wire.EXPERIMENT.decode(at.value());
              default -> Wire.DEAD_LETTER.decode(at.value());
            };
    return withValue(at, Wire.bytesOf(redactor.of(plain)));
  }

  /** Returns a record with another value. */
  public static LogRecord withValue(LogRecord at, byte[] value) {
    return new LogRecord(at.slice(), at.offset(), at.timestamp(), at.key(), value, at.headers());
  }

  /** Passes a record to an aggregator whose clock shows a time. */
  public static void pass(Aggregator aggregator, LogRecord at, long now) {
    aggregator.on(
        at.slice().topic(),
        new ConsumerRecord<>(
            at.slice().name(),
            at.slice().partition(),
            at.offset(),
            at.timestamp(),
            TimestampType.CREATE_TIME,
            0,
            0,
            at.key(),
            at.value(),
            new RecordHeaders(at.headers()),
            Optional.empty()),
        now);
  }
}
