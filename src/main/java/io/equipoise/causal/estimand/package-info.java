/**
 * Formulas over the probabilities of observed data, and their values on contingency tables.
 *
 * <p>{@link io.equipoise.causal.estimand.Estimand} is an immutable tree with smart constructors; it
 * prints as text, LaTeX and JSON. {@link io.equipoise.causal.estimand.ContingencyTable} holds
 * counts or weights by cell, {@link io.equipoise.causal.estimand.ObservedValues} the tables of
 * selected and unselected rows, and {@link io.equipoise.causal.estimand.Evaluator} computes what an
 * estimand is on them, as points or as intervals that hold at a confidence. Knows nothing of
 * graphs: which estimand answers a causal question is decided in {@code causal.effect}.
 */
@NullMarked
package io.equipoise.causal.estimand;

import org.jspecify.annotations.NullMarked;
