/**
 * {@code audit verify}: checks nine invariants of a committed log and reports the first violation
 * of each.
 *
 * <pre>
 *   contexts, rewards ──> InputDispositions ──> I1 decided, I2 applied, I7 dead-lettered
 *        ^ by origin          ^
 *   decisions, segment events, dead letters
 *        │ by segment and seq
 *        └──> Sequences ─ I4 gapless ──> Replay ──> I3, I5 the oracle's state
 *   metrics ───────────────────────────────^ ├────> I6 ledgers
 *   audit ─────────────────────> FairnessRecords ─> I3 the oracle's fairness records
 *   dead letters, specs ──> DeadLetterReasonCheck I7
 *   times of faults ──> RecoveredAnswers I8    what a reader saw ──> WitnessCheck I9
 * </pre>
 *
 * <p>A log with {@link io.equipoise.event.WriterEpochMarker}s was written with at-least-once
 * delivery. The checks then read its {@link io.equipoise.audit.verify.SurvivingLog}; {@link
 * io.equipoise.audit.verify.StableAnswers} reads all of it, and {@link
 * io.equipoise.audit.verify.RepeatedDispositions} checks inputs that several writer epochs read.
 *
 * <p>A replay takes features and mediators from the log. So {@link
 * io.equipoise.audit.verify.ContextMatch} compares decisions with their contexts, and {@link
 * io.equipoise.audit.verify.AppliedRewards} segment events with their rewards. If decisions omit
 * their features, the replay takes them from the context that {@link
 * io.equipoise.audit.verify.ContextCursor} finds.
 *
 * <p>Every check reads a {@link io.equipoise.audit.log.CommittedLog} from its beginning, several
 * times if memory requires it, and reports to a {@link
 * io.equipoise.audit.verify.FindingsCollector}.
 */
@NullMarked
package io.equipoise.audit.verify;

import org.jspecify.annotations.NullMarked;
