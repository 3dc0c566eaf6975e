/** A client of schema registries, for the job, its tools and the format of Flink SQL. */
@NullMarked
package io.equipoise.registry;

import org.jspecify.annotations.NullMarked;
