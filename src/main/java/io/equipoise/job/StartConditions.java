package io.equipoise.job;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.start.EmptyStateCheck;
import java.io.Serializable;

/**
 * Holds the conditions on state and topics that a start checks. Serialized with the job graph.
 *
 * @param topics topics of the deployment that the state must belong to
 * @param beginning whether a start without state is allowed
 * @param acceptsOlderState whether a state older than the topics is accepted
 * @param acceptsReplacedInputs whether topics of inputs that do not fit the state are accepted
 * @param failsOnLoss whether a start fails if records of its state are not on the topics
 * @param inputs describes the topics of inputs that the state is compared with
 * @param delivery of the job that starts
 * @param log opens the topics that a state of exactly-once delivery is compared with
 */
record StartConditions(
    Topics topics,
    EmptyStateCheck beginning,
    boolean acceptsOlderState,
    boolean acceptsReplacedInputs,
    boolean failsOnLoss,
    InputTopics.Lookup inputs,
    Delivery delivery,
    SequencedTopics.Factory log)
    implements Serializable {

  static StartConditions of(JobConfig config) {
    return new StartConditions(
        config.topics(),
        EmptyStateCheck.of(config),
        config.allowsEmptyState(),
        config.acceptsReplacedInputs(),
        config.failsOnLoss(),
        InputTopics.of(config),
        config.delivery(),
        KafkaSequencedTopics.of(config));
  }
}
