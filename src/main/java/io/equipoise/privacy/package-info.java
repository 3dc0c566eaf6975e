/**
 * Redaction of sensitive values in output records: plain, pseudonymized or removed.
 *
 * <pre>
 *   segment --> Redactor --> DecisionRedactor, SegmentEventRedactor, AuditRedactor, MetricsRedactor --> topics
 *               dead letters --> DeadLetterRedactor -------------------------------------------------> topics
 *   topics  --> Unredactor with a KeyRing --> the plain records, bit for bit
 * </pre>
 *
 * <p>Each redactor hides and restores one type of record, so that the two stay consistent. Redacted
 * values are encrypted into the record with a {@link io.equipoise.privacy.RedactionKey}, as a
 * function of the record alone, so a replay writes the same bytes. {@link
 * io.equipoise.privacy.SmallCellSuppression} removes counts of small groups. Learning uses plain
 * values. Must not depend on Flink, Kafka or a clock.
 */
@NullMarked
package io.equipoise.privacy;

import org.jspecify.annotations.NullMarked;
