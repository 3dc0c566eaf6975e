package io.equipoise.local.demo;

import io.equipoise.client.Answers;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.Consumers;
import io.equipoise.job.JobConfig;
import io.equipoise.job.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads what the job committed, as any consumer of its topics would. */
final class Reader implements AutoCloseable {
  private final Topics topics;
  private final Answers answers = new Answers();
  private final Consumer<byte[], byte[]> consumer;

  /** Is told of every committed record, in the order of each partition. */
  interface Audience {
    void on(Decision decision);

    void on(SegmentEvent segmentEvent);

    void on(SegmentMetrics metrics);

    void on(DeadLetter letter);
  }

  /** Starts at the beginning of the topics, which must exist. */
  Reader(JobConfig config) {
    topics = config.topics();
    consumer = Consumers.committed(config.kafka());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic :
        List.of(
            topics.decisions(), topics.segmentEvents(), topics.metrics(), topics.deadLetter())) {
      consumer
          .partitionsFor(topic)
          .forEach(found -> partitions.add(new TopicPartition(topic, found.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Passes on what has come, waiting for it up to a time; returns the number of records. */
  int poll(Duration atMost, Audience audience) {
    int count = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
      tell(record, audience);
      count++;
    }
    return count;
  }

  private void tell(ConsumerRecord<byte[], byte[]> record, Audience audience) {
    String topic = record.topic();
    if (topic.equals(topics.decisions())) {
      answers.on(record).ifPresent(audience::on);
    } else if (topic.equals(topics.segmentEvents())) {
      audience.on(Wire.SEGMENT_EVENT.decode(record.value()));
    } else if (topic.equals(topics.metrics())) {
      audience.on(Wire.METRICS.decode(record.value()));
    } else {
      audience.on(Wire.DEAD_LETTER.decode(record.value()));
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
