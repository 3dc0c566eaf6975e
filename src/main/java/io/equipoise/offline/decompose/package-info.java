/**
 * The verb {@code decompose}: the gap between the mean outcomes of two groups as a sum of parts in
 * causal order.
 *
 * <p>{@link io.equipoise.offline.decompose.PeopleTable} reads the rows, {@link
 * io.equipoise.offline.decompose.Decomposition} and {@link io.equipoise.offline.decompose.Measures}
 * calculate, and the command prints. The mathematics is docs/math/effect-split.md#the-parts.
 */
@NullMarked
package io.equipoise.offline.decompose;

import org.jspecify.annotations.NullMarked;
