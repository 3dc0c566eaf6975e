/**
 * Committed records of a deployment's topics: {@link io.equipoise.audit.log.CommittedLog} has the
 * beginning and end of every partition, {@link io.equipoise.audit.log.LogReader} returns records
 * one by one. {@link io.equipoise.audit.log.KafkaLog} reads a cluster; tests read lists.
 *
 * <p>Handles bytes and offsets, not the meaning of records.
 */
@NullMarked
package io.equipoise.audit.log;

import org.jspecify.annotations.NullMarked;
