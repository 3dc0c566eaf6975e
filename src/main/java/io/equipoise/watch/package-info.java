/**
 * Watches the log of a segment: challengers in shadow, a gate, and groups. Pure: the verbs read and
 * write the topics.
 *
 * <pre>
 *   {@link io.equipoise.watch.SegmentWatch}   the log in seq order, in; evidence, out
 *        |  decisions wait, in their order, for their rewards
 *   {@link io.equipoise.watch.DecisionOrder}
 *        |  rows
 *   ChallengerWatch                          a spec replayed beside, and its gate
 *   GroupWatch                               a monitor of groups
 * </pre>
 *
 * <p>All state is a function of the log and the registrations (docs/math/watch.md#determinism).
 */
@NullMarked
package io.equipoise.watch;

import org.jspecify.annotations.NullMarked;
