package io.equipoise.job;

import io.equipoise.job.options.InputSkip;
import io.equipoise.job.options.JobOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a partition in parts between the skipped ranges. For each skipped offset it returns a
 * record without key and value, in offset order, so that the position and the checkpoint advance.
 *
 * <p>A part is a split with a stopping offset. Flink sees one split: when a part ends, the reader
 * adds the next part and does not report the end. The consumer must return one record per poll.
 * Otherwise it would decompress the skipped record to fill the poll that returns the record before
 * it.
 */
@SuppressWarnings("try") // see InputSplitReader
final class SkippingSplitReader extends InputSplitReader {
  private static final Logger LOG = LoggerFactory.getLogger(SkippingSplitReader.class);

  /** Replaces the stopping offset of the preceding part. */
  private static final long NEVER = Long.MAX_VALUE;

  private final Properties kafka;
  private final List<InputSkip> skips;
  private final Map<String, Part> parts = new HashMap<>();
  private final List<ConsumerRecord<byte[], byte[]>> skipped = new ArrayList<>();

  /** Describes what follows a part: the range to skip, and the stopping offset of the partition. */
  private record Part(InputSkip skip, long stop) {}

  /**
   * Creates a reader without splits.
   *
   * @param kafka settings of the consumer
   */
  SkippingSplitReader(
      Properties kafka,
      SourceReaderContext context,
      ReaderMetrics metrics,
      InputEnds.Start ends,
      List<InputSkip> skips) {
    super(kafka, context, metrics, ends, Duration.ZERO);
    this.kafka = kafka;
    this.skips = skips;
  }

  @Override
  public void handleSplitsChanges(SplitsChange<KafkaPartitionSplit> change) {
    if (!(change instanceof SplitsAddition)) {
      super.handleSplitsChanges(change);
      return;
    }
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    for (KafkaPartitionSplit split : change.splits()) {
      boolean isPlain = InputSkip.of(skips, split.getTopicPartition()).isEmpty();
      long stop = split.getStoppingOffset().orElse(NEVER);
      splits.add(isPlain ? split : part(split.getTopicPartition(), position(split), stop));
    }
    super.handleSplitsChanges(new SplitsAddition<>(splits));
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    if (!skipped.isEmpty()) {
      RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>> records =
          new RecordsBySplits.Builder<>();
      skipped.forEach(record -> records.add(split(record), record));
      skipped.clear();
      return records.build();
    }
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetched = super.fetch();
    if (fetched.finishedSplits().stream().noneMatch(parts::containsKey)) {
      return fetched;
    }
    RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>> records =
        new RecordsBySplits.Builder<>();
    for (String split = fetched.nextSplit(); split != null; split = fetched.nextSplit()) {
      ConsumerRecord<byte[], byte[]> record = fetched.nextRecordFromSplit();
      for (; record != null; record = fetched.nextRecordFromSplit()) {
        records.add(split, record);
      }
    }
    List<KafkaPartitionSplit> next = new ArrayList<>();
    for (String split : fetched.finishedSplits()) {
      Part part = parts.remove(split);
      if (part == null) {
        records.addFinishedSplit(split);
      } else {
        next.add(part(part.skip().at(), part.skip().first(), part.stop()));
      }
    }
    super.handleSplitsChanges(new SplitsAddition<>(next));
    return records.build();
  }

  /** Returns the part from an offset to the next skip; first passes skips that cover the offset. */
  private KafkaPartitionSplit part(TopicPartition at, long from, long stop) {
    long start = from;
    for (InputSkip skip : InputSkip.of(skips, at)) {
      if (skip.covers(start)) {
        LOG.warn(
            "Skipping {} from offset {}, as {} requests",
            skip,
            start,
            JobOptions.INPUTS_SKIP.key());
        for (; start <= skip.last(); start++) {
          skipped.add(new ConsumerRecord<>(at.topic(), at.partition(), start, null, null));
        }
      } else if (start < skip.first()) {
        parts.put(KafkaPartitionSplit.toSplitId(at), new Part(skip, stop));
        return new KafkaPartitionSplit(at, start, skip.first());
      }
    }
    return new KafkaPartitionSplit(at, start, stop);
  }

  /** Before the first read the state has no offset: uses the group's position, or the start. */
  private long position(KafkaPartitionSplit split) {
    if (split.getStartingOffset() >= 0) {
      return split.getStartingOffset();
    }
    List<TopicPartition> at = List.of(split.getTopicPartition());
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka)) {
      consumer.assign(at);
      if (split.getStartingOffset() == KafkaPartitionSplit.EARLIEST_OFFSET) {
        consumer.seekToBeginning(at);
      }
      return consumer.position(at.get(0));
    }
  }
}
