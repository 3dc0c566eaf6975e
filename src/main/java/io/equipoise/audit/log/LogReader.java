package io.equipoise.audit.log;

import org.jspecify.annotations.Nullable;

/**
 * Returns records of several ranges: within a range in the order of offsets, across ranges by
 * timestamp.
 */
public interface LogReader extends AutoCloseable {

  /** Returns the next record, or null at the end of all ranges. */
  @Nullable LogRecord next();

  @Override
  void close();
}
