package io.equipoise.audit.log;

import org.jspecify.annotations.Nullable;

/**
 * Hands over records of several slices: within a slice in the order of offsets, of all slices the
 * record with the earliest timestamp first, so that what was written together comes close together.
 */
public interface LogReader extends AutoCloseable {

  /** Returns the next record, or null where all slices have been read. */
  @Nullable LogRecord next();

  @Override
  void close();
}
