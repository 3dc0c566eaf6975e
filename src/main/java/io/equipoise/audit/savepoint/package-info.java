/**
 * Reads the input offsets and the segments' states of a savepoint of the job, without a cluster.
 *
 * <p>A savepoint in Flink's canonical format is the same for every state backend. {@link
 * io.equipoise.audit.savepoint.Savepoint} finds the job's operators in its metadata by their uids,
 * {@link io.equipoise.audit.savepoint.SourceOffsets} reads the sources, and {@link
 * io.equipoise.audit.savepoint.KeyGroupReader} the segment function, one key group at a time,
 * through the serializers of {@code state}.
 */
@NullMarked
package io.equipoise.audit.savepoint;

import org.jspecify.annotations.NullMarked;
