/**
 * Tools for trials and tests on one machine: an embedded broker and a local Flink cluster.
 *
 * <p>The only package that may use the broker's own classes ({@code kafka.server} and others). It
 * is in the distribution and not in the job jar, so {@code job} must not depend on it.
 */
@NullMarked
package io.equipoise.tools;

import org.jspecify.annotations.NullMarked;
