package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reports an assumption that the rewards refuted, and the cell, if one did alone.
 *
 * @param name what is assumed, for people
 * @param cell levels by variable of the row or cell that refutes it alone; empty where all do
 *     together
 * @param logEvalue natural logarithm of the e-value
 * @param logThreshold natural logarithm of the e-value that refutes
 * @param observations how many rewards the test has counted, in all rows or cells
 * @param remedy what a person can do about it
 * @param since the seq before the first one whose verdicts rest on the assumption
 */
public record RefutedAssumption(
    AssumptionKind kind,
    String name,
    Map<String, String> cell,
    double logEvalue,
    double logThreshold,
    long observations,
    String remedy,
    long since) {
  public RefutedAssumption {
    cell = Collections.unmodifiableMap(new TreeMap<>(cell));
  }
}
