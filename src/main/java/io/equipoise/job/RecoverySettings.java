package io.equipoise.job;

import java.io.Serializable;
import org.apache.flink.configuration.MemorySize;

/**
 * Configures how a writer epoch recovers decisions of earlier epochs. Only with at-least-once
 * delivery. Serialized with the job graph.
 *
 * <p>A start from the same checkpoint finds at least as many decisions each time. If they exceed
 * the memory limit, every further start fails until the limit is raised. A start from a checkpoint
 * finds the decisions since that checkpoint requested its offsets. That is one checkpoint interval
 * before the checkpoint, two if the brokers replied late. The decisions until the failure was
 * detected follow. A start without a checkpoint finds all decisions on the topic, and keeps each
 * until a later context of its partition arrives.
 *
 * @param log opens the decisions topic
 * @param memory limit for recovered decisions in a subtask, on the heap and in each checkpoint
 */
record RecoverySettings(DecisionLog.Factory log, MemorySize memory) implements Serializable {}
