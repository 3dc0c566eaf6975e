/**
 * The conditional law of the reward that statistics estimate, beside the law that effects need.
 *
 * <pre>
 *   spec, features or cells --EstimatedLaw--> variables as they are seen, graph with coarsenings
 *                                             |                        |
 *                                   fingerprint of statistics   identification of effects
 * </pre>
 *
 * <p>It knows specs and graphs, and no policy family.
 */
@NullMarked
package io.equipoise.policy.law;

import org.jspecify.annotations.NullMarked;
