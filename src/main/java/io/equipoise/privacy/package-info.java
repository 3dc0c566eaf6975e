/**
 * What a segment's records tell of sensitive values once they leave it: all, names that only a key
 * can make, or nothing.
 *
 * <pre>
 *   segment --> Discloser --> DecisionVeil, SegmentEventVeil, AuditVeil, MetricsVeil --> topics
 *               dead letters --------> LetterVeil ----------------------------------> topics
 *   topics  --> Revealer, which has a KeyRing --> the plain records, bit for bit
 * </pre>
 *
 * <p>Each veil hides and reveals one type of record, so that the two cannot part. What is taken out
 * is sealed into the record under a {@link io.equipoise.privacy.RedactionKey}, by a function of the
 * record alone: a replay writes the same bytes. Counts of groups that are too small are left out by
 * {@link io.equipoise.privacy.SmallCellSuppression}. Learning never sees any of this. Must not know
 * Flink, Kafka or a clock.
 */
@NullMarked
package io.equipoise.privacy;

import org.jspecify.annotations.NullMarked;
