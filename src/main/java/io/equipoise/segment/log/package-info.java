/**
 * The records that a segment writes. {@link io.equipoise.segment.log.EventLogWriter} numbers them
 * and writes them to an {@link io.equipoise.segment.log.OutputLog}; the other classes make records
 * from values and change nothing. Where a decision can be seen before its state is safe, {@link
 * io.equipoise.segment.log.RecoveredDecisions} returns what was decided in a state that was lost.
 */
@NullMarked
package io.equipoise.segment.log;

import org.jspecify.annotations.NullMarked;
