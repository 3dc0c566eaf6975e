/**
 * Counts logged rows into cells on Flink, in one bounded job.
 *
 * <pre>
 *   Chunk of a file --ChunkCounter--&gt; (scope, code, count) --key by cell, sum--&gt; Counts
 *   Kafka partition --SegmentEventCells---^
 * </pre>
 *
 * <p>A {@link io.equipoise.offline.count.CountLayout} defines the variables of a row and the sets
 * over which cells are counted; a cell is the mixed-radix code of its levels. Errors are data too:
 * the job reports the first error by file and position, and no counts. It also rejects segments
 * with rows of several writer epochs of an at-least-once job, which {@link
 * io.equipoise.offline.count.WriterEpochs} finds. Depends neither on graphs nor on bounds nor on
 * the command line.
 */
@NullMarked
package io.equipoise.offline.count;

import org.jspecify.annotations.NullMarked;
