/**
 * Answers a file of causal questions with expected answers, {@code causal cases}.
 *
 * <p>A file is an object with a list {@code cases}, or the list itself. A case has {@code id},
 * {@code task}, {@code graph}, {@code query}, {@code expected} and optionally {@code numeric}: a
 * table and the true values of the estimand. Estimands are compared by value, never as text. A case
 * that cannot be read or answered gives a row with an error.
 */
@NullMarked
package io.equipoise.cli.causal.cases;

import org.jspecify.annotations.NullMarked;
