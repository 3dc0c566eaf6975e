package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports what is known of an arm's effects of one attribute, and what a certificate lacks. {@code
 * avro/SegmentMetrics.avsc} documents the components.
 */
public record ArmCertificate(
    String arm,
    String attribute,
    CertificateStatus status,
    @Nullable Long rewardsToCertificate,
    double share,
    boolean lockedIn) {}
