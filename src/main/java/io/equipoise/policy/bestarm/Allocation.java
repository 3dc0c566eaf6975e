package io.equipoise.policy.bestarm;

/**
 * States how a phase's samples are divided, as shares of it that sum to 1.
 *
 * @param level v*: the least normalizer per sample that every remaining arm gets in every estimate
 * @param shares nu, by type and sampled arm
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record Allocation(double level, double[][] shares) {}
