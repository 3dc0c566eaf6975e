package io.equipoise.join;

import io.equipoise.event.IdHash;
import java.util.Arrays;

/**
 * Up to {@value #CAPACITY} decision ids that fall due together. Immutable: appending copies at most
 * one kibibyte, and no state access moves more than one chunk.
 */
public final class IdChunk {
  /** Ids in a full chunk. */
  public static final int CAPACITY = 64;

  private final long[] words;

  private IdChunk(long[] words) {
    this.words = words;
  }

  static IdChunk of(IdHash id) {
    return new IdChunk(new long[] {id.high(), id.low()});
  }

  /**
   * Takes over the two words of each id, in order.
   *
   * @throws IllegalArgumentException unless there are 1 to {@value #CAPACITY} pairs
   */
  public static IdChunk ofWords(long[] words) {
    if (words.length == 0 || words.length % 2 != 0 || words.length > 2 * CAPACITY) {
      throw new IllegalArgumentException(words.length + " words are not 1 to 64 id pairs");
    }
    return new IdChunk(words.clone());
  }

  IdChunk plus(IdHash id) {
    long[] more = Arrays.copyOf(words, words.length + 2);
    more[words.length] = id.high();
    more[words.length + 1] = id.low();
    return new IdChunk(more);
  }

  IdChunk minusLast() {
    return new IdChunk(Arrays.copyOf(words, words.length - 2));
  }

  /** Returns the number of ids. */
  public int size() {
    return words.length / 2;
  }

  /** Returns the id at a place. */
  public IdHash id(int index) {
    return new IdHash(words[2 * index], words[2 * index + 1]);
  }

  /** Returns the two words of each id, in order; a copy. */
  public long[] words() {
    return words.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IdChunk that && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }
}
