package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterSchemas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Restricts the check of a log's inputs to the offsets after a savepoint. */
public final class LaterLog implements CommittedLog {
  private final CommittedLog log;
  private final Map<String, Long> from;

  /**
   * Shortens the inputs of a log.
   *
   * @param from the first checked offset, by topic/partition of the inputs
   * @param savepoint its location, for messages
   * @throws InconclusiveException if the offsets are of other topics, beyond their ends, or before
   *     what retention has left
   */
  public LaterLog(CommittedLog log, Map<String, Long> from, String savepoint) {
    this.log = log;
    this.from = Map.copyOf(from);
    Map<String, Long> unknown = new HashMap<>(from);
    for (LogTopic topic : LogTopic.values()) {
      for (OffsetRange offsetRange : topic.isInput() ? log.slices(topic) : List.<OffsetRange>of()) {
        Long read = unknown.remove(name(offsetRange));
        if (read != null && read > offsetRange.reach()) {
          throw new InconclusiveException(
              "the savepoint at %s had read %s up to offset %d, but it ends at %d; is it of another"
                      .formatted(savepoint, name(offsetRange), read, offsetRange.reach())
                  + " Kafka cluster?");
        }
        if (read != null && read < offsetRange.begin()) {
          throw new InconclusiveException(
              "the savepoint at %s had read %s up to offset %d, and retention has removed the records up to %d: the job may have read them, or not. Name a later savepoint"
                  .formatted(savepoint, name(offsetRange), read, offsetRange.begin()));
        }
      }
    }
    if (!unknown.isEmpty()) {
      throw new InconclusiveException(
          "the savepoint at %s is of a job that read %s, which this deployment does not have"
              .formatted(savepoint, unknown.keySet().stream().sorted().toList()));
    }
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    List<OffsetRange> slices = log.slices(topic);
    return topic.isInput()
        ? slices.stream()
            .map(
                offsetRange ->
                    offsetRange.between(
                        from.getOrDefault(name(offsetRange), 0L), offsetRange.reach()))
            .toList()
        : slices;
  }

  @Override
  public LogReader read(List<OffsetRange> slices) {
    return log.read(slices);
  }

  @Override
  public WriterSchemas writers() {
    return log.writers();
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
    return log.endsNow(slices);
  }

  private static String name(OffsetRange offsetRange) {
    return offsetRange.name() + "/" + offsetRange.partition();
  }
}
