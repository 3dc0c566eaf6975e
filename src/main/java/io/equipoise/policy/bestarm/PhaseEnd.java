package io.equipoise.policy.bestarm;

import org.jspecify.annotations.Nullable;

/**
 * What the end of a phase brought.
 *
 * @param end of the experiment, null if it goes on
 */
public record PhaseEnd(PhaseRecord phase, @Nullable TerminalRecord end) {}
