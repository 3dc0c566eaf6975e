package io.equipoise.spec;

/**
 * What counts as fair, and how surely.
 *
 * @param tau the greatest effect of a sensitive attribute on the expected reward that is fair
 * @param delta the probability, over all rounds together, that a certificate may be wrong
 * @param scale the sub-Gaussian scale of the certificate
 * @param intersections whether several sensitive attributes are changed together too
 */
public record FairnessSpec(
    double tau, double delta, ConfidenceKind confidence, double scale, boolean intersections) {}
