/**
 * A client of schema registries, for the job, its tools and the format of Flink SQL, and the
 * waiting for whole answers that other HTTP clients share. Knows no other package.
 */
@NullMarked
package io.equipoise.registry;

import org.jspecify.annotations.NullMarked;
