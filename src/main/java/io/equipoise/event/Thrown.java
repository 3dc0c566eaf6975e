package io.equipoise.event;

/** Describes what the code of a policy threw: of any class, also one whose own methods throw. */
public final class Thrown {
  /** Longer texts are of no use to a reader, and records with them could be too large. */
  private static final int MOST_CHARS = 500;

  private Thrown() {}

  /** Returns the class and the message, of at most {@value #MOST_CHARS} characters. */
  public static String text(Throwable thrown) {
    String text;
    try {
      text = thrown.toString();
    } catch (Throwable e) {
      text = thrown.getClass().getName();
    }
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
  }
}
