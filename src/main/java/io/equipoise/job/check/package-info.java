/**
 * {@code equipoise check}: reports the findings of spec files before a job runs them.
 *
 * <p>Validates specs by the rule of the running job and writes nothing. Needs no broker and no
 * cluster.
 */
@NullMarked
package io.equipoise.job.check;

import org.jspecify.annotations.NullMarked;
