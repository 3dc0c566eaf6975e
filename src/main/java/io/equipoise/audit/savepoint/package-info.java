/**
 * Reads what an audit needs of a savepoint of the job, without a cluster: how far the inputs were
 * read, and each segment's state.
 *
 * <p>A savepoint in Flink's canonical format is the same whatever state backend wrote it: {@link
 * io.equipoise.audit.savepoint.Savepoint} finds the job's operators in its metadata by their uids,
 * {@link io.equipoise.audit.savepoint.SourceOffsets} reads those of the sources, {@link
 * io.equipoise.audit.savepoint.KeyGroupReader} what the segment function keeps, one key group at a
 * time, through the serializers of {@code state}.
 */
@NullMarked
package io.equipoise.audit.savepoint;

import org.jspecify.annotations.NullMarked;
