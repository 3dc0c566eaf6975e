package io.equipoise.hostile;

import java.util.List;
import java.util.SplittableRandom;

/** Changes one character of a valid text: inserts one, deletes one, or replaces one. */
public final class OneEdit {
  private final List<String> samples;
  private final int[] signs;

  /**
   * @param samples valid texts
   * @param signs the characters that are inserted, besides those of the text itself
   */
  public OneEdit(List<String> samples, String signs) {
    this.samples = samples;
    this.signs = signs.codePoints().toArray();
  }

  /** Returns a sample with one edit. */
  public String next(SplittableRandom random) {
    String text = samples.get(random.nextInt(samples.size()));
    int at = random.nextInt(text.length());
    String before = text.substring(0, at);
    String sign =
        random.nextInt(3) == 0
            ? String.valueOf(text.charAt(random.nextInt(text.length())))
            : Character.toString(signs[random.nextInt(signs.length)]);
    return switch (random.nextInt(3)) {
      case 0 -> before + sign + text.substring(at);
      case 1 -> before + text.substring(at + 1);
      default -> before + sign + text.substring(at + 1);
    };
  }
}
