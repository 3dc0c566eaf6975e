package io.equipoise.bandit.csr;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Remembers decisions on the heap. */
public final class MemoryPulls implements PendingPulls {
  private static final Comparator<Pull> BY_DEADLINE =
      Comparator.comparingLong(Pull::deadline).thenComparingLong(Pull::number);

  private final TreeMap<String, Pull> byId = new TreeMap<>();
  private final TreeSet<Pull> byDeadline = new TreeSet<>(BY_DEADLINE);

  @Override
  public @Nullable Pull get(String id) {
    return byId.get(id);
  }

  @Override
  public void put(Pull pull) {
    remove(pull.id());
    byId.put(pull.id(), pull);
    byDeadline.add(pull);
  }

  @Override
  public void remove(String id) {
    Pull known = byId.remove(id);
    if (known != null) {
      byDeadline.remove(known);
    }
  }

  @Override
  public List<Pull> due(long time) {
    return byDeadline.stream().takeWhile(pull -> pull.deadline() <= time).toList();
  }

  /** Returns how many are remembered. */
  public int size() {
    return byId.size();
  }

  /** Returns how many bytes {@link #appendTo} writes. */
  public int byteLength() {
    return Integer.BYTES + byId.values().stream().mapToInt(Pull::byteLength).sum();
  }

  /** Writes their number (i32), then each by id in ascending order. */
  public void appendTo(ByteBuffer out) {
    out.putInt(byId.size());
    byId.values().forEach(pull -> pull.appendTo(out));
  }

  /** Reads what {@link #appendTo} wrote. */
  public static MemoryPulls readFrom(ByteBuffer in) {
    MemoryPulls pulls = new MemoryPulls();
    int size = in.getInt();
    for (int i = 0; i < size; i++) {
      pulls.put(Pull.readFrom(in));
    }
    return pulls;
  }
}
