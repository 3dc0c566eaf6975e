/**
 * Contains the state of the console, in bounded memory. {@link
 * io.equipoise.console.state.Aggregator} takes committed records and answers queries.
 */
@NullMarked
package io.equipoise.console.state;

import org.jspecify.annotations.NullMarked;
