/**
 * Fixed-budget search for the best fair intervention: CSR-V1 and CSR-V2 (Gao and Feng 2021,
 * Algorithms 1 and 2) and the two-stage baselines (Algorithms 4 and 5), in batch and event by
 * event.
 *
 * <pre>
 *   CsrDefinition (tables, arms) --compile--> CsrModel --+--> Divergences --> Channels
 *                                                        |
 *   Design (T, B, E, algorithm, mode) = PhasePlan + Allocator + Channels
 *     phase:  Allocator (LP) -> counts -> samples -> CellCounts | PrefixBins
 *             -> Estimates -> Search.close -> Verdict ... -> Conclusion
 *   BatchSearch runs a Design on a SampleSource; Experiment is the same as a keyed state machine,
 *   events in (contexts, outcomes, time), decisions and records out; ExperimentReport prints them.
 * </pre>
 *
 * <p>Groups are numbered 0 for s and 1 for s'; a cell z is a joint level of pa(V), ch(S) and the
 * other parents of ch(S), the first variable slowest. Plain Java: no clock, no hash order,
 * summation in a fixed order.
 */
@NullMarked
package io.equipoise.bandit.csr;

import org.jspecify.annotations.NullMarked;
