package io.equipoise.cli;

/** Hides what Flink logs of a cluster in this process, such as declined checkpoints. */
public final class QuietLog {
  /** The property that the log configuration of {@code bin/equipoise} reads. */
  public static final String LEVEL = "equipoise.log.level";

  private QuietLog() {}

  /** Logs only errors, unless the user chose a level. Must be called before the first logger. */
  public static void set() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "ERROR");
    }
  }
}
