package io.equipoise.tools.bench;

/** The compared jobs. They differ only in the function between keying and sink. */
enum ComparedJob {
  /** The full job: joins, decides, learns and audits. */
  FULL,
  /** Emits records of the same sizes; the sink encodes them, like those of the full job. */
  IDENTITY,
  /** Emits bytes that were encoded in advance. */
  IDENTITY_OF_BYTES
}
