/**
 * The verb {@code bounds}: causal bounds from logs, as a warm start of the streaming job.
 *
 * <p>{@code offline.count} is the Flink job that counts; {@code offline.bounds} plans the counts
 * and evaluates them. This package must depend on neither {@code tools} nor {@code lab}, which are
 * not in the job jar.
 */
@NullMarked
package io.equipoise.offline;

import org.jspecify.annotations.NullMarked;
