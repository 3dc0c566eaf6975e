/**
 * The Flink job: options, topics, sources, sinks and the thin functions between them.
 *
 * <p>The packages {@code policy} and {@code fairness} choose arms. This package must not depend on
 * {@code tools} or {@code lab}, which are not in the job jar.
 *
 * <p>With at-least-once delivery, each subtask begins with {@link
 * io.equipoise.job.WriterEpochStart}, which recovers the decisions since the checkpoint from the
 * decisions topic. {@link io.equipoise.job.start.DeliveryCheck} prevents a deployment from
 * returning to exactly-once.
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
