package io.equipoise.tools.bench;

/** The jobs that are compared. They differ in the function between keying and sink alone. */
enum Job {
  /** Joins, decides, learns and audits. */
  FULL,
  /** Emits records of the same sizes; the sink encodes them, as it does those of the full job. */
  IDENTITY,
  /** Emits bytes that were encoded before. */
  IDENTITY_OF_BYTES
}
