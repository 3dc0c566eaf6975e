package io.equipoise.job;

import java.io.Serializable;
import org.apache.flink.configuration.MemorySize;

/**
 * Where an attempt finds what earlier ones have answered, where delivery is at-least-once. Goes
 * with the job graph.
 *
 * <p>Every later start from the same checkpoint finds at least as much, so what does not fit never
 * does, until the memory is raised. A start from a checkpoint finds what was answered since its
 * offsets were asked for, which is one interval before it as a rule and two where an answer of the
 * brokers was late; then an interval until the next checkpoint, those that failed, and the time
 * until the failure was noticed. A start without one finds all that is on the topic, and holds it
 * until a later context of the same partition comes.
 *
 * @param log opens the decisions
 * @param memory that a subtask may hold answers in, on its heap and in each of its checkpoints
 */
record EarlierDecisions(DecisionLog.Factory log, MemorySize memory) implements Serializable {}
