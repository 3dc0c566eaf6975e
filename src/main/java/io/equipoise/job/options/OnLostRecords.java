package io.equipoise.job.options;

import java.util.Locale;

/** What a start does when records that its state has written are not on the topics. */
public enum OnLostRecords {
  /** It names them in the log, counts them and goes on. */
  CONTINUE,
  /** It names them in the log and is refused. */
  FAIL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
