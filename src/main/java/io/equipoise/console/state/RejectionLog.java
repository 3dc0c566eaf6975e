package io.equipoise.console.state;

import io.equipoise.event.DeadLetter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts dead letters by error code and keeps the latest of each code. */
public final class RejectionLog {
  private static final int MOST_CODES = 200;
  private static final String OTHER = "OTHER";

  private final Map<String, Code> codes = new TreeMap<>();

  /**
   * Counts the dead letters of one error code.
   *
   * @param count since the console started to read
   * @param last when the latest was written, epoch ms
   */
  public record Code(String code, long count, long last, Example example) {}

  /** Describes a dead letter without the bytes of its input. */
  public record Example(
      String message,
      @Nullable String segment,
      @Nullable String decisionId,
      String topic,
      int partition,
      long offset) {
    /** Takes what may be shown: the message names variables, and levels where they are plain. */
    static Example of(DeadLetter deadLetter) {
      return new Example(
          Names.text(deadLetter.message()),
          Names.cutOrNull(deadLetter.segment()),
          Names.cutOrNull(deadLetter.input().decisionId()),
          deadLetter.source().topic(),
          deadLetter.source().partition(),
          deadLetter.source().offset());
    }
  }

  void on(DeadLetter deadLetter, long time) {
    String name = Names.cut(deadLetter.code());
    String code = codes.containsKey(name) || codes.size() < MOST_CODES ? name : OTHER;
    Code known = codes.get(code);
    long count = known == null ? 1 : known.count() + 1;
    codes.put(code, new Code(code, count, time, Example.of(deadLetter)));
  }

  /** Returns the codes, the most frequent first. */
  public List<Code> codes() {
    List<Code> all = new ArrayList<>(codes.values());
    all.sort(Comparator.comparingLong(Code::count).reversed().thenComparing(Code::code));
    return all;
  }

  /** Returns the number of dead letters. */
  public long total() {
    return codes.values().stream().mapToLong(Code::count).sum();
  }
}
