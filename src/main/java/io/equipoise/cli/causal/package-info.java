/**
 * The command {@code causal}: questions about a causal graph, one by one or in a file.
 *
 * <p>A command-line interface to {@code io.equipoise.causal}: reads graphs, tables and options, and
 * prints answers as text and as JSON.
 */
@NullMarked
package io.equipoise.cli.causal;

import org.jspecify.annotations.NullMarked;
