package io.equipoise.console.topics;

import io.equipoise.client.Answers;
import io.equipoise.console.state.StoredRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.registry.Frames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds the records of an older decision by a bounded scan, and the context of any decision. */
public final class DecisionSearch {
  /** Limits the search before and after the hint. */
  public static final Duration AROUND = Duration.ofMinutes(10);

  private static final long MOST_RECORDS = 1_000_000;
  private static final Duration MOST_TIME = Duration.ofSeconds(15);
  private static final Duration AUDIT_AROUND = Duration.ofMinutes(1);
  private static final int MOST_FOUND = 64;

  private final JobConfig config;
  private final TopicScan scan;
  private final WriterSchemas writers;

  public DecisionSearch(JobConfig config) {
    this.config = config;
    writers = Frames.schemas(config.kafka());
    scan = new TopicScan(config, MOST_RECORDS, MOST_TIME);
  }

  /**
   * Holds the records that a search found, and whether it was complete.
   *
   * @param records those of the decisions; empty if none was found
   * @param isComplete whether the whole period was read
   */
  public record FoundRecords(List<StoredRecord> records, boolean isComplete) {}

  /** Holds the context of a decision, or why it is not known. */
  public record FoundContext(@Nullable WireContext context, String fault) {}

  /**
   * Looks for decisions of an id that were written around a time, all in one segment.
   *
   * @param segment null for any
   * @param near epoch ms
   * @param window how long rewards of the decision may come, or a little longer, in ms
   */
  public FoundRecords find(@Nullable String segment, String id, long near, long window) {
    List<StoredRecord> found = new ArrayList<>();
    Answers answers = new Answers();
    List<Decision> decisions = new ArrayList<>();
    boolean isComplete =
        scan.read(
            List.of(LogTopic.DECISIONS),
            near - AROUND.toMillis(),
            near + AROUND.toMillis(),
            (topic, record) -> {
              Decision decision = decision(answers, record);
              String in = decisions.isEmpty() ? segment : decisions.get(0).segment();
              if (decision != null
                  && decision.decisionId().equals(id)
                  && (in == null || decision.segment().equals(in))) {
                decisions.add(decision);
                found.add(new StoredRecord(topic, record.timestamp(), record.value()));
              }
              return found.size() < MOST_FOUND;
            });
    if (!decisions.isEmpty()) {
      LongSummaryStatistics times =
          found.stream().mapToLong(StoredRecord::time).summaryStatistics();
      isComplete &= addRest(decisions.get(0), times, window, found);
    }
    return new FoundRecords(found, isComplete);
  }

  private boolean addRest(
      Decision decision, LongSummaryStatistics times, long window, List<StoredRecord> found) {
    long around = AUDIT_AROUND.toMillis();
    boolean hasAudits =
        scan.read(
            List.of(LogTopic.AUDIT),
            times.getMin() - around,
            times.getMax() + around,
            (topic, record) -> keep(decision, topic, record, found));
    boolean hasRewards =
        scan.read(
            List.of(LogTopic.SEGMENT_EVENTS, LogTopic.DEAD_LETTER),
            times.getMin() - around,
            times.getMax() + window + around,
            (topic, record) -> keep(decision, topic, record, found));
    return hasAudits && hasRewards;
  }

  private static @Nullable Decision decision(
      Answers answers, ConsumerRecord<byte[], byte[]> record) {
    try {
      return answers.valid(record).filter(decision -> !decision.isRepeated()).orElse(null);
    } catch (WireException e) {
      return null;
    }
  }

  private static boolean keep(
      Decision decision,
      LogTopic topic,
      ConsumerRecord<byte[], byte[]> record,
      List<StoredRecord> found) {
    byte[] value = record.value();
    if (value != null && isOf(decision, topic, value)) {
      found.add(new StoredRecord(topic, record.timestamp(), value));
    }
    return found.size() < MOST_FOUND;
  }

  private static boolean isOf(Decision decision, LogTopic topic, byte[] value) {
    try {
      return switch (topic) {
        case AUDIT -> isOf(decision, Wire.AUDIT.decode(value));
        case SEGMENT_EVENTS -> isOf(decision, Wire.SEGMENT_EVENT.decode(value));
        default -> isOf(decision, Wire.DEAD_LETTER.decode(value));
      };
    } catch (WireException e) {
      return false;
    }
  }

  private static boolean isOf(Decision decision, FairnessAudit audit) {
    return audit.decisionId().equals(decision.decisionId())
        && audit.segment().equals(decision.segment());
  }

  private static boolean isOf(Decision decision, SegmentEvent event) {
    return event.segment().equals(decision.segment())
        && IdHash.of(decision.decisionId()).hex().equals(event.hashOfDecision());
  }

  private static boolean isOf(Decision decision, DeadLetter deadLetter) {
    return decision.decisionId().equals(deadLetter.input().decisionId())
        && decision.segment().equals(deadLetter.segment());
  }

  /** Reads the context at the origin of a decision, or why it cannot be read. */
  public FoundContext context(Decision decision) {
    Source source = decision.source();
    try (ContextLookup lookup = new ContextLookup(config)) {
      var record =
          lookup.at(new TopicPartition(source.topic(), source.partition()), source.offset());
      return record == null || record.value() == null
          ? new FoundContext(null, "The context is not on its topic any more.")
          : new FoundContext(writers.decode(Wire.CONTEXT, record.value()), "");
    } catch (KafkaException e) {
      return new FoundContext(null, "The console may not read the contexts: " + e.getMessage());
    } catch (WireException e) {
      return new FoundContext(null, "The context cannot be decoded.");
    }
  }
}
