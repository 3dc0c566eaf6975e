/**
 * Everything that runs on one machine for a try-out or a test: an embedded broker and a local Flink
 * cluster.
 *
 * <p>The only package that may see the broker's own classes ({@code kafka.server} and its kin). It
 * is in the distribution and not in the job jar, so {@code job} must not know it.
 */
@NullMarked
package io.equipoise.tools;

import org.jspecify.annotations.NullMarked;
