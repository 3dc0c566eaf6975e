package io.equipoise.tools.soak;

/**
 * The measurements at one time.
 *
 * @param seconds since the load began
 * @param segments that the load has created so far
 * @param heapBytes in use after a full collection
 * @param residentBytes of the process, 0 if the system does not report it
 * @param threads number of live threads
 * @param files open file descriptors, 0 if the system does not report them
 * @param stateBytes of the last checkpoint
 * @param checkpointMillis duration of the last checkpoint
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
