package io.equipoise.lab.bench;

/**
 * Measures one run of a job from its first output record until the job has ended, after the last
 * commit.
 *
 * @param inputs records read
 * @param elapsedMillis duration
 * @param writingMillis time until the last record was written, possibly before its commit
 * @param cpuMillis processor time of this process meanwhile and during the job's start, including
 *     broker and garbage collection
 * @param brokerMillis processor time of the broker's threads, which {@code cpuMillis} contains
 */
record JobRun(
    Job job,
    int inputs,
    long elapsedMillis,
    long writingMillis,
    long cpuMillis,
    long brokerMillis,
    CommittedOutput committed) {

  /** Names the compared jobs. They differ only in the function between keying and sink. */
  enum Job {
    /** The full job: joins, decides, learns and audits. */
    FULL,
    /** Emits records of the same sizes; the sink encodes them, like those of the full job. */
    IDENTITY,
    /** Emits bytes that were encoded in advance. */
    IDENTITY_OF_BYTES
  }

  double inputsPerSecond() {
    return 1000.0 * inputs / elapsedMillis;
  }

  double inputsPerSecondWriting() {
    return 1000.0 * inputs / writingMillis;
  }

  /** Returns the processor time of this process for each input, us. */
  double cpuMicrosPerInput() {
    return 1000.0 * cpuMillis / inputs;
  }

  /** Returns the processor time of the broker for each input, us. */
  double brokerMicrosPerInput() {
    return 1000.0 * brokerMillis / inputs;
  }

  /** Returns the processor time of everything but the broker for each input, us. */
  double jobMicrosPerInput() {
    return cpuMicrosPerInput() - brokerMicrosPerInput();
  }
}
