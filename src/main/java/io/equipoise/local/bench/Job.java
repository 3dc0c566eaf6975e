package io.equipoise.local.bench;

/** The jobs that are compared. They differ in the function between keying and sink alone. */
enum Job {
  /** Joins, decides, learns and audits. */
  FULL,
  /** Emits bytes that were encoded before. */
  IDENTITY,
  /** Emits the same records and encodes each of them. */
  IDENTITY_ENCODING
}
