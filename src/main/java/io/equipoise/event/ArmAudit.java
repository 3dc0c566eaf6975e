package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports an experiment's estimates of one arm when a phase closed. {@code
 * avro/ExperimentRecord.avsc} documents the meaning and unit of every component.
 */
public record ArmAudit(
    String arm,
    @Nullable Double reward,
    @Nullable Double forward,
    @Nullable Double backward,
    @Nullable Double selfCheck,
    double rewardMass,
    double forwardMass,
    double backwardMass,
    double rewardClip,
    double forwardClip,
    double backwardClip,
    double clipped,
    @Nullable Double effectLower,
    @Nullable Double effectUpper) {}
