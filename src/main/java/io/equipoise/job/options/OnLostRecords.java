package io.equipoise.job.options;

import java.util.Locale;

/** Decides what a start does if records that its state has written are not on the topics. */
public enum OnLostRecords {
  /** Lists them in the log, counts them and continues. */
  CONTINUE,
  /** Lists them in the log and refuses the start. */
  FAIL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
