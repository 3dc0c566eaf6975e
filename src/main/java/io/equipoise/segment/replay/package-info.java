/**
 * The replay of a segment's log. {@link io.equipoise.segment.replay.ReplayOracle} repeats every
 * record by the code that wrote it and compares. {@link io.equipoise.segment.replay.ReplayInputs}
 * lists what the replay takes from the log without computing it.
 */
@NullMarked
package io.equipoise.segment.replay;

import org.jspecify.annotations.NullMarked;
