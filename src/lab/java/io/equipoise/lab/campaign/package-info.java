/**
 * The certificate campaign: random worlds whose truth is known, played through the segment machine,
 * and every verdict compared with the truth.
 *
 * <pre>
 *   Family --seed--> CampaignTrial (a StructuralModel) --ModelText--> spec
 *   WorldPlay: people and rewards -> SegmentDriver (the real machine) -> audits
 *   RunResult: audits against ExactEffect -> FamilyResult -> report
 * </pre>
 *
 * <p>Truth is enumerated here, by classes that share no code with the estimators: nothing of this
 * package may use {@code policy} or {@code causal}, but for the interval of a rate.
 */
@NullMarked
package io.equipoise.lab.campaign;

import org.jspecify.annotations.NullMarked;
