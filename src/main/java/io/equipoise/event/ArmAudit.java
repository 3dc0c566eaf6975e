package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * What an experiment believed of one arm when a phase closed. Meaning and unit of every component
 * are documented in {@code avro/ExperimentRecord.avsc}.
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
