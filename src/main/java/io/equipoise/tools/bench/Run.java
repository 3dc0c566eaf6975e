package io.equipoise.tools.bench;

/**
 * One run of a job from the first record it wrote to the end of the job, when the last was
 * committed.
 *
 * @param inputs records read
 * @param elapsedMillis time taken
 * @param writingMillis time to the last record written, which may still have to be committed
 * @param cpuMillis processor time of this process meanwhile and at the start of the job, broker and
 *     garbage collection included
 */
record Run(
    Job job,
    int inputs,
    long elapsedMillis,
    long writingMillis,
    long cpuMillis,
    Committed committed) {

  double inputsPerSecond() {
    return 1000.0 * inputs / elapsedMillis;
  }

  double inputsPerSecondWriting() {
    return 1000.0 * inputs / writingMillis;
  }

  double cpuMicrosPerInput() {
    return 1000.0 * cpuMillis / inputs;
  }
}
