/**
 * Counts logged rows into cells on Flink, in one bounded job.
 *
 * <pre>
 *   Chunk of a file --ChunkCounter--&gt; (scope, code, count) --key by cell, sum--&gt; Counts
 *   Kafka partition --SegmentEventCells---^
 * </pre>
 *
 * <p>A {@link io.equipoise.offline.count.CountLayout} says which variables a row has and over which
 * of them cells are counted; a cell is the mixed-radix number of its levels. What is wrong with a
 * row is data too: the first fault by file and place is told, and nothing is counted then. Nor is
 * it where a segment has rows of several attempts of an at-least-once job, which {@link
 * io.equipoise.offline.count.Attempts} finds. Knows nothing of graphs, bounds and the command line.
 */
@NullMarked
package io.equipoise.offline.count;

import org.jspecify.annotations.NullMarked;
