package io.equipoise.tools.soak;

/**
 * What was measured at one moment.
 *
 * @param seconds since the load began
 * @param segments that the load has begun so far
 * @param heapBytes in use after a full collection
 * @param residentBytes of the process, 0 where the system does not tell
 * @param threads that live
 * @param files open file descriptors, 0 where the system does not tell
 * @param stateBytes of the last checkpoint
 * @param checkpointMillis the last checkpoint took
 * @param lag inputs that the job had not read at its last checkpoint
 */
record ResourceSample(
    double seconds,
    long segments,
    long heapBytes,
    long residentBytes,
    long threads,
    long files,
    long stateBytes,
    long checkpointMillis,
    long lag) {}
