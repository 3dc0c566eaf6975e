/**
 * Confluent's wire format and a schema registry: the six edges at which records get their frame.
 * Everything inside has single-object encoding. Knows {@code job.options} and no other package of
 * the job.
 */
@NullMarked
package io.equipoise.job.registry;

import org.jspecify.annotations.NullMarked;
