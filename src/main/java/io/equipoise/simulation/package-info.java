/**
 * Plays a segment without Kafka: structural models whose truth is known, and the driver that runs
 * the job's machine on their people.
 */
@NullMarked
package io.equipoise.simulation;

import org.jspecify.annotations.NullMarked;
