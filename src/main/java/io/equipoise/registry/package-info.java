/**
 * A client of schema registries, for the job, its tools and the format of Flink SQL. Knows no other
 * package.
 */
@NullMarked
package io.equipoise.registry;

import org.jspecify.annotations.NullMarked;
