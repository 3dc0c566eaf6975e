package io.equipoise.event;

/** Writes how many things there are, for people. */
public final class Counted {
  private Counted() {}

  /**
   * Returns a number and its words, which are those of several things and begin with a noun: {@code
   * 2 rows are left out}, {@code 1 row is left out}.
   */
  public static String of(long count, String words) {
    return count
        + " "
        + (count == 1
            ? words
                .replaceFirst("s\\b", "")
                .replaceFirst("\\bare\\b", "is")
                .replaceFirst("\\bhave\\b", "has")
                .replaceFirst("\\bwere\\b", "was")
            : words);
  }
}
