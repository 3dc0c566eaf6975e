/**
 * The verb {@code bounds}: causal bounds from logs, for the streaming job to start from.
 *
 * <p>{@code offline.count} is the Flink job that counts, {@code offline.bounds} what is counted and
 * what follows, {@code offline.causal} the verb that asks a graph single questions. Must know
 * neither {@code local} nor {@code lab}: the job jar has neither.
 */
@NullMarked
package io.equipoise.offline;

import org.jspecify.annotations.NullMarked;
