package io.equipoise.audit;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.cli.Verb;
import io.equipoise.event.Counted;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.start.Launch;
import io.equipoise.job.topics.Brokers;
import io.equipoise.privacy.Unredactor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes the records that name a decision: {@code audit erase}. */
@Command(
    name = "erase",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the records that name a decision, as trace does, and deletes them where --delete"
          + " says so.",
      "Kafka deletes from the beginning of a partition only, so every record before them goes too."
          + " Without --delete it prints how many that would be.",
      "Exit code 0 if no record is left; 2 if some are, or dead letters are encrypted with a key"
          + " that was not given; 1 if nothing could be read or deleted."
    })
public final class EraseCommand extends Verb {
  private static final int FAILED = 1;
  private static final int LEFT = 2;

  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private KeyOption key = new KeyOption();

  @Parameters(paramLabel = "DECISION_ID", description = "The decision id of the context.")
  private String decisionId = "";

  @Option(
      names = "--delete",
      paramLabel = "TOPIC",
      split = ",",
      description =
          "Deletes on this topic, such as contexts, up to the last record with the decision. Can be"
              + " repeated.")
  private List<String> topics = List.of();

  @Override
  public Integer call() throws InterruptedException {
    try {
      List<LogTopic> chosen = topics.stream().map(EraseCommand::topic).toList();
      DecisionTrace trace = new DecisionTrace(decisionId, new Unredactor(key.keys()));
      JobConfig config = JobConfig.from(launch.configuration());
      Map<OffsetRange, List<LogRecord>> found = new LinkedHashMap<>();
      trace.read(
          KafkaLog.open(config, Map.of(), timeout.duration()),
          at -> found.computeIfAbsent(at.slice(), any -> new ArrayList<>()).add(at));
      Map<TopicPartition, Long> ends = new HashMap<>();
      found.forEach(
          (slice, records) -> {
            if (chosen.contains(slice.topic())) {
              ends.put(new TopicPartition(slice.name(), slice.partition()), end(records));
            }
          });
      if (!ends.isEmpty()) {
        delete(config, ends);
      }
      print(found, chosen, trace.sealed());
      boolean isGone = found.keySet().stream().allMatch(slice -> chosen.contains(slice.topic()));
      return isGone && trace.sealed() == 0 ? 0 : LEFT;
    } catch (InconclusiveException
        | IllegalArgumentException
        | IllegalStateException
        | KafkaException e) {
      return failed(FAILED, "equipoise audit erase: " + launch.message(e));
    }
  }

  private static LogTopic topic(String name) {
    List<String> allowed = new ArrayList<>();
    for (LogTopic topic : LogTopic.values()) {
      if (topic.suffix().equals(name)) {
        return topic;
      }
      allowed.add(topic.suffix());
    }
    throw new IllegalArgumentException(
        "--delete: " + name + ", allowed: " + String.join(", ", allowed));
  }

  /** Returns the offset after the last of some records. */
  private static long end(List<LogRecord> records) {
    return records.get(records.size() - 1).offset() + 1;
  }

  /** Deletes all records before some offsets, unless the job may still have to read one. */
  private static void delete(JobConfig config, Map<TopicPartition, Long> ends)
      throws InterruptedException {
    String group = config.topics().consumerGroup();
    try (Admin admin = Brokers.connect(config)) {
      Map<TopicPartition, OffsetAndMetadata> read =
          AdminCall.of(
              admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
              "reading the offsets of group " + group);
      Map<TopicPartition, RecordsToDelete> before = new HashMap<>();
      ends.forEach(
          (partition, end) -> {
            OffsetAndMetadata position = read.get(partition);
            if (config.topics().inputs().contains(partition.topic())
                && (position == null || position.offset() < end)) {
              throw new IllegalArgumentException(
                  "%s: the job has read up to offset %s, and the decision's last record is %d; wait"
                      .formatted(
                          partition, position == null ? "none" : position.offset(), end - 1));
            }
            before.put(partition, RecordsToDelete.beforeOffset(end));
          });
      AdminCall.of(admin.deleteRecords(before).all(), "deleting records of " + ends.keySet());
    }
  }

  private void print(Map<OffsetRange, List<LogRecord>> found, List<LogTopic> deleted, long sealed) {
    found.forEach(
        (slice, records) -> {
          long end = end(records);
          String words =
              deleted.contains(slice.topic())
                  ? "deleted, and all before offset " + end
                  : "left; --delete %s would delete all %d offsets before %d"
                      .formatted(slice.topic().suffix(), end - slice.begin(), end);
          say(
              "%s/%d: %s %s"
                  .formatted(
                      slice.name(),
                      slice.partition(),
                      Counted.of(records.size(), "records"),
                      words));
        });
    if (found.isEmpty()) {
      say("No record names it.");
    }
    if (sealed > 0) {
      say(
          Counted.of(sealed, "dead letters without an id are encrypted")
              + "; give --key FILE to search them.");
    }
  }
}
