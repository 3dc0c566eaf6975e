/**
 * The verb group {@code audit}: evidence about a deployment, read from its topics alone.
 *
 * <p>{@code audit.report} prints experiments from the audit topic. Writes nothing and takes part in
 * no consumer group, so it may run beside the job. Must not know {@code local} or {@code lab}: the
 * job jar has neither.
 */
@NullMarked
package io.equipoise.audit;

import org.jspecify.annotations.NullMarked;
