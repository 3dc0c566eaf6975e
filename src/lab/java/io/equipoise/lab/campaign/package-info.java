/**
 * The certificate campaign: random worlds whose truth is known, played through the segment machine,
 * and every verdict compared with the truth.
 *
 * <pre>
 *   Family --seed--> Trial (World + Setting) --SpecText--> spec
 *   Play: people and rewards of the world -> SegmentDriver (the real machine) -> audits
 *   Scorer: audits against ExactEffect -> RunResult -> FamilyResult -> report
 * </pre>
 *
 * <p>Truth is enumerated here, by classes that share no code with the estimators: nothing of this
 * package may use {@code bandit} or {@code causal}, but for the interval of a rate.
 */
@NullMarked
package io.equipoise.lab.campaign;

import org.jspecify.annotations.NullMarked;
