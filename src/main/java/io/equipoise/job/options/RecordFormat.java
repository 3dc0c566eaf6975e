package io.equipoise.job.options;

import java.util.Locale;

/**
 * Names how a record's bytes identify the schema of their writer. Options use the kebab-case name.
 */
public enum RecordFormat {
  /** Avro's single-object encoding: a fingerprint of the schema. */
  SINGLE_OBJECT,
  /** Confluent's wire format: an id in a schema registry. */
  CONFLUENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
