package io.equipoise.policy;

import io.equipoise.event.AssumptionKind;
import org.jspecify.annotations.Nullable;

/**
 * Tests an assumption with evidence that a model itself collects while it learns.
 *
 * @param name what is assumed, for people
 * @param meaning differs for evidence that may not be continued
 * @param logThreshold the logarithm of the e-value that refutes the assumption; null if the test
 *     shares the segment's refutation delta with the other tests
 * @param statistic the evidence
 * @param remedy what a person can do about a refutation
 */
public record ModelEvidence(
    AssumptionKind kind,
    String name,
    long meaning,
    @Nullable Double logThreshold,
    Statistic statistic,
    String remedy) {

  /** Reads the evidence from the state of a model. */
  @FunctionalInterface
  public interface Statistic {
    /**
     * Returns the logarithm of the e-value after the model has learned a reward; NaN where it was
     * not computed.
     */
    double logEvidence(ModelState modelState, Experience experience);
  }
}
