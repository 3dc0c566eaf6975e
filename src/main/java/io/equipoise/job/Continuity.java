package io.equipoise.job;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.start.EmptyStateCheck;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a start must find as it was left. Goes with the job graph.
 *
 * @param topics of the deployment that the state must be of
 * @param beginning whether it may begin without any state
 * @param acceptsOlderState whether it may go on from a state that the topics are ahead of
 * @param failsOnLoss whether it may not go on from a state that has written more than the topics
 *     have
 * @param log opens what the state is compared with; null where delivery is at-least-once
 */
record Continuity(
    Topics topics,
    EmptyStateCheck beginning,
    boolean acceptsOlderState,
    boolean failsOnLoss,
    SequencedTopics.@Nullable Factory log)
    implements Serializable {

  /** Returns what a deployment's configuration says. */
  static Continuity of(JobConfig config) {
    return new Continuity(
        config.topics(),
        EmptyStateCheck.of(config),
        config.beginsAnew(),
        config.failsOnLoss(),
        config.delivery() == Delivery.EXACTLY_ONCE ? KafkaSequencedTopics.of(config) : null);
  }
}
