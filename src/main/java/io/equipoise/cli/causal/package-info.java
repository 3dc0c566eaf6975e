/**
 * The verb {@code causal}: questions to a causal graph from the command line, one by one or a file
 * of them.
 *
 * <p>A face over {@code io.equipoise.causal}: reads graphs, tables and options, prints answers as
 * text and as JSON, and decides nothing itself.
 */
@NullMarked
package io.equipoise.cli.causal;

import org.jspecify.annotations.NullMarked;
