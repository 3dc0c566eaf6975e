/**
 * The verb group {@code audit}: evidence about a deployment, read from its topics alone.
 *
 * <pre>
 *   Kafka, read_committed --> log --> verify --> a verdict an invariant
 *                         --> report         --> what a search tried and dropped
 * </pre>
 *
 * <p>{@code audit.log} reads committed records up to chosen offsets, {@code audit.verify} judges
 * them; {@code audit.report} prints experiments from their topic. Writes nothing and takes part in
 * no consumer group, so it may run beside the job. Must not know {@code local} or {@code lab}: the
 * job jar has neither.
 */
@NullMarked
package io.equipoise.audit;

import org.jspecify.annotations.NullMarked;
