package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import java.util.Arrays;

/**
 * Stores up to {@value #CAPACITY} decision ids that fall due together. Immutable, and no state
 * access moves more than one kibibyte.
 *
 * <p>Chunks that grew from one another share their words: appending to the longest writes after the
 * words that any of them reads. So one thread at a time may append while others, such as a
 * checkpoint's, read shorter chunks.
 */
public final class DueChunk {
  /** Ids in a full chunk. */
  public static final int CAPACITY = 64;

  private static final int FIRST_IDS = 4;

  private final Words words;
  private final int size;

  private DueChunk(Words words, int size) {
    this.words = words;
    this.size = size;
  }

  static DueChunk of(IdHash id) {
    return new DueChunk(new Words(new long[2 * FIRST_IDS], 0), 0).plus(id);
  }

  /**
   * Takes over the two words of each id, in order.
   *
   * @throws IllegalArgumentException unless there are 1 to {@value #CAPACITY} pairs
   */
  public static DueChunk ofWords(long[] words) {
    if (words.length == 0 || words.length % 2 != 0 || words.length > 2 * CAPACITY) {
      throw new IllegalArgumentException(words.length + " words are not 1 to 64 id pairs");
    }
    return new DueChunk(new Words(words.clone(), words.length), words.length / 2);
  }

  DueChunk plus(IdHash id) {
    Words target = words.from(2 * size);
    target.append(id.high());
    target.append(id.low());
    return new DueChunk(target, size + 1);
  }

  DueChunk minusLast() {
    return new DueChunk(words, size - 1);
  }

  /** Returns the number of ids. */
  public int size() {
    return size;
  }

  /** Returns the id at a place. */
  public IdHash id(int index) {
    return new IdHash(words.at(2 * index), words.at(2 * index + 1));
  }

  /** Returns the two words of each id, in order; a copy. */
  public long[] words() {
    return Arrays.copyOf(words.words, 2 * size);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DueChunk that && Arrays.equals(words(), that.words());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words());
  }

  /** Holds words that are written once and never changed. */
  private static final class Words {
    private final long[] words;
    private int written;

    Words(long[] words, int written) {
      this.words = words;
      this.written = written;
    }

    long at(int index) {
      return words[index];
    }

    /**
     * Returns words that begin with the first {@code count} of these and have room for two more.
     */
    Words from(int count) {
      return written == count && count + 2 <= words.length
          ? this
          : new Words(Arrays.copyOf(words, Math.max(count + 2, 2 * count)), count);
    }

    void append(long word) {
      words[written++] = word;
    }
  }
}
