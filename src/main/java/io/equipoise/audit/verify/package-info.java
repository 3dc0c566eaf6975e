/**
 * {@code audit verify}: judges nine invariants of a committed log and names the first offender of
 * each.
 *
 * <pre>
 *   contexts, rewards ──> InputFates ──> I1 answered, I2 applied, I7 dead-lettered
 *        ^ by origin          ^
 *   decisions, segment events, dead letters
 *        │ by segment and seq
 *        └──> Sequences ─ I4 gapless ──> Replay ──> I3, I5 the oracle's state
 *   metrics ───────────────────────────────^ ├────> I6 ledgers
 *   audit ─────────────────────> FairnessRecords ─> I3 what the oracle writes of fairness
 *   dead letters, specs ──> LetterReasons I7
 *   times of faults ──> Recovery I8          what a reader saw ──> WitnessCheck I9
 * </pre>
 *
 * <p>A log of at-least-once delivery is known by its {@link io.equipoise.event.WriterEpochMarker}s.
 * Of it the judges see the {@link io.equipoise.audit.verify.SurvivingLog}, {@link
 * io.equipoise.audit.verify.StableAnswers} sees all of it, and {@link
 * io.equipoise.audit.verify.RepeatedDispositions} judges what attempts refused or took in twice.
 *
 * <p>A replay believes features and mediators, so decisions are held to their contexts by {@link
 * io.equipoise.audit.verify.ContextMatch}, segment events to their rewards by {@link
 * io.equipoise.audit.verify.AppliedRewards}. Where decisions leave their features off, the replay
 * takes them from the context that {@link io.equipoise.audit.verify.ContextCursor} finds.
 *
 * <p>Everything reads a {@link io.equipoise.audit.log.CommittedLog} from its beginning, several
 * times where memory asks for it, and reports to a {@link
 * io.equipoise.audit.verify.FindingsCollector}.
 */
@NullMarked
package io.equipoise.audit.verify;

import org.jspecify.annotations.NullMarked;
