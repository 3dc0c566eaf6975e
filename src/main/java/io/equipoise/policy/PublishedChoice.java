package io.equipoise.policy;

import org.jspecify.annotations.Nullable;

/**
 * Repeats a choice that was published before the state it was made in was lost.
 *
 * @param choice as it was made: why, index and propensities are those of the lost state
 * @param sample what it was a sample of then; null unless an experiment took one
 */
public record PublishedChoice(Choice choice, AuditedChoice.@Nullable Sample sample) {}
