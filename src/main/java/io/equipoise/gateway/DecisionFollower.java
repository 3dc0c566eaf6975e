package io.equipoise.gateway;

import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every valid decision of the topic to the callers that wait for it, by the rule for readers
 * ({@link Answers}), and keeps the last ones.
 *
 * <p>It begins some records before the end. So it knows the writer epochs of the segments that were
 * active lately, and a gateway that was restarted still gives their answers from memory.
 */
final class DecisionFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionFollower.class);

  private final Answers answers;
  private final OpenDecisions open;
  private final SpecFollower specs;
  private final RunningSpecs running;
  private final TopicFollower follower;
  private boolean hasWarned;

  DecisionFollower(
      JobConfig config,
      int maxRecent,
      OpenDecisions open,
      SpecFollower specs,
      RunningSpecs running) {
    this.answers = new Answers(maxRecent);
    this.open = open;
    this.specs = specs;
    this.running = running;
    this.follower =
        new TopicFollower(config.kafka(), config.topics().decisions(), maxRecent, this::onRecords);
  }

  void start() {
    follower.start();
  }

  boolean isCaughtUp() {
    return follower.isCaughtUp();
  }

  Duration silence() {
    return follower.silence();
  }

  private void onRecords(ConsumerRecords<byte[], byte[]> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        Optional<Decision> decision = answers.on(record);
        decision.ifPresent(
            it -> {
              running.decided(it);
              open.answer(Answer.of(it, specs.specs()));
            });
      } catch (WireException | IllegalArgumentException e) {
        if (!hasWarned) {
          hasWarned = true;
          LOG.warn(
              "Records of {} that are no decisions are ignored, the first at {}/{}: {}",
              record.topic(),
              record.partition(),
              record.offset(),
              e.getMessage());
        }
      }
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
