/**
 * What is committed on the topics of a deployment, as the auditor reads it: {@link
 * io.equipoise.audit.log.CommittedLog} knows where every partition begins and ends, {@link
 * io.equipoise.audit.log.LogReader} hands over records one by one. {@link
 * io.equipoise.audit.log.KafkaLog} reads a cluster; tests read lists.
 *
 * <p>Knows bytes and offsets, not what records mean.
 */
@NullMarked
package io.equipoise.audit.log;

import org.jspecify.annotations.NullMarked;
