/**
 * Formulas over the probabilities of observed data, and their values on contingency tables.
 *
 * <p>{@link io.equipoise.causal.estimand.Estimand} is an immutable tree with simplifying factory
 * methods; it prints as text, LaTeX and JSON. {@link io.equipoise.causal.estimand.ContingencyTable}
 * contains counts or weights by cell, and {@link io.equipoise.causal.estimand.ObservedValues} the
 * tables of selected and unselected rows. {@link io.equipoise.causal.estimand.Evaluator} computes
 * an estimand's value on them, as points or as confidence intervals. Independent of graphs: {@code
 * causal.effect} finds the estimand of a causal query.
 */
@NullMarked
package io.equipoise.causal.estimand;

import org.jspecify.annotations.NullMarked;
