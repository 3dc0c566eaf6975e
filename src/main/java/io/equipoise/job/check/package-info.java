/**
 * {@code equipoise check}: what follows from spec files before anything runs them.
 *
 * <p>Judges specs by the rule of the running job and writes nothing anywhere. Must not need a
 * broker or a cluster.
 */
@NullMarked
package io.equipoise.job.check;

import org.jspecify.annotations.NullMarked;
