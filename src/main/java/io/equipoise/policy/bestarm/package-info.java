/**
 * Fixed-budget search for the best fair intervention: CSR-V1 and CSR-V2 (Gao and Feng 2021,
 * Algorithms 1 and 2) and the two-stage baselines (Algorithms 4 and 5), in batch and decision by
 * decision.
 *
 * <pre>
 *   CsrDefinition (tables, arms) --compile--> CsrModel --+--> Divergences --> Channels
 *                                                        |
 *   Design (T, B, E, algorithm, mode) = PhasePlan + Allocator + Channels
 *     phase:  Allocator (LP) -> counts -> samples -> CellCounts | PrefixBins
 *             -> Estimates -> Search.close -> Verdict ... -> Conclusion
 *   BatchSearch runs a Design on a SampleSource; CsrBandit, the policy of the streaming job, makes
 *   the steps of ExperimentSteps:
 *   spec --CsrCompilation--> Design + Conduct + Strata; Progress and sums live in blocks of state.
 * </pre>
 *
 * <p>In the streaming job a pull's reward counts at once when it comes, and a phase closes when the
 * last of its pulls has a reward or its window has closed: so a phase ends as early as it may, and
 * yet no pull counts because its answer was quick. Who stays silent counts as the default, 0 unless
 * the spec says another. A reward of 0 adds to no weighted sum, only to how many samples there are,
 * so its level of V need not be known. Late rewards are refused and reported in the phase's audit.
 *
 * <p>Groups are numbered 0 for s and 1 for s'; a cell z is a joint level of pa(V), ch(S) and the
 * other parents of ch(S), the first variable slowest. Plain Java: no clock, no hash order,
 * summation in a fixed order.
 */
@NullMarked
package io.equipoise.policy.bestarm;

import org.jspecify.annotations.NullMarked;
