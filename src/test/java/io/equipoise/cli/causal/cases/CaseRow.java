package io.equipoise.cli.causal.cases;

import org.jspecify.annotations.Nullable;

/**
 * The result of one case.
 *
 * @param id the id of the case, or its number in the file
 * @param task the task; null if the case has none
 * @param ok whether the answer is the expected one
 * @param expected as in the case
 * @param got the answer, in the same form; null after an error
 * @param error the reason why there is no answer; null if there is one
 */
public record CaseRow(
    String id,
    @Nullable String task,
    boolean ok,
    @Nullable Object expected,
    @Nullable Object got,
    @Nullable String error) {}
