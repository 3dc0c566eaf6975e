/**
 * The command group {@code audit}: evidence about a deployment, read from its topics alone.
 *
 * <pre>
 *   Kafka, read_committed --> log --> verify --> a verdict per invariant
 *                         --> report         --> samples and eliminations of experiments
 * </pre>
 *
 * <p>{@code audit.log} reads committed records up to chosen offsets, {@code audit.verify} checks
 * them, {@code audit.report} prints experiments. The commands write nothing and join no consumer
 * group, so they may run beside the job. Must not depend on {@code tools} or {@code lab}, which are
 * not in the job jar.
 */
@NullMarked
package io.equipoise.audit;

import org.jspecify.annotations.NullMarked;
