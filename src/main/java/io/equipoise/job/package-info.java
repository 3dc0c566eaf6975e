/**
 * The Flink job: its options, its topics, its sources, its sinks and the thin functions between.
 *
 * <p>Decisions about arms are made below, in {@code bandit} and {@code fairness}; this package must
 * not know {@code local} or {@code lab}, which are not in the job jar.
 *
 * <p>Where delivery is at-least-once, a subtask begins with {@link
 * io.equipoise.job.WriterEpochStart}, which learns from the decisions topic what was answered
 * behind the checkpoint. {@link io.equipoise.job.start.DeliveryCheck} keeps a deployment from going
 * back.
 *
 * <pre>
 *  contexts ─┐ decode    good   keyBy(segment)
 *  rewards ──┘ (source) ─────────────────────┐
 *                │ bad                       ├─> segment function ─> outputs
 *                v                 broadcast │   (forward)
 *           undecodable <── specs, causal bounds ───┘
 * </pre>
 */
@NullMarked
package io.equipoise.job;

import org.jspecify.annotations.NullMarked;
