package io.equipoise.local.cluster;

/**
 * The newest complete checkpoint of a job.
 *
 * @param completedMillis epoch milliseconds
 * @param durationMillis from its trigger to the last acknowledgement
 * @param bytes of state
 */
public record LastCheckpoint(
    long id, long completedMillis, long durationMillis, long bytes, String path) {}
