package io.equipoise.cli.causal.cases;

import org.jspecify.annotations.Nullable;

/**
 * What became of one case.
 *
 * @param id the case's, or its number in the file
 * @param task what was asked; null if the case does not say
 * @param ok whether the answer is the expected one
 * @param expected as the case has it
 * @param got the answer, in the same form; null after an error
 * @param error why there is no answer; null if there is one
 */
public record CaseRow(
    String id,
    @Nullable String task,
    boolean ok,
    @Nullable Object expected,
    @Nullable Object got,
    @Nullable String error) {}
