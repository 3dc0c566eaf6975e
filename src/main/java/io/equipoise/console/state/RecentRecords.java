package io.equipoise.console.state;

import io.equipoise.event.IdHash;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the records of recent decisions as they came, by segment and hash of the decision id.
 * Events of closed windows contain only the hash. Forgets the ids that came first when its bytes
 * exceed the limit. Not thread-safe.
 */
public final class RecentRecords {
  /** Approximate overhead of a decision's entry and of each record, in bytes. */
  private static final int BYTES_OF_ENTRY = 400;

  private static final int BYTES_OF_RECORD = 80;
  private static final int MOST_OF_DECISION = 64;

  private final long limit;
  private final Map<HashedDecision, DecisionEntry> entries = new LinkedHashMap<>();
  private long bytes;

  /** Names of segments are cut everywhere in the console, so they are here. */
  private record HashedDecision(String segment, IdHash id) {
    HashedDecision {
      segment = Names.cut(segment);
    }
  }

  private static final class DecisionEntry {
    private final List<StoredRecord> records = new ArrayList<>(3);
    private long bytes = BYTES_OF_ENTRY;
  }

  RecentRecords(long limit) {
    this.limit = limit;
  }

  /** Adds a record of a decision; leaves it out if its id has too many. */
  void add(String segment, IdHash id, StoredRecord record) {
    DecisionEntry entry =
        entries.computeIfAbsent(new HashedDecision(segment, id), any -> counted());
    if (entry.records.size() >= MOST_OF_DECISION) {
      return;
    }
    entry.records.add(record);
    long more = BYTES_OF_RECORD + (long) record.value().length;
    entry.bytes += more;
    bytes += more;
    Iterator<DecisionEntry> eldest = entries.values().iterator();
    while (bytes > limit && eldest.hasNext()) {
      bytes -= eldest.next().bytes;
      eldest.remove();
    }
  }

  private DecisionEntry counted() {
    bytes += BYTES_OF_ENTRY;
    return new DecisionEntry();
  }

  /** Returns the records of the decisions of an id, in the order in which they came. */
  public List<StoredRecord> find(String segment, String decisionId) {
    DecisionEntry entry = entries.get(new HashedDecision(segment, IdHash.of(decisionId)));
    return entry == null ? List.of() : List.copyOf(entry.records);
  }

  /** Returns the segments that have a decision of this id, by name. */
  public List<String> segmentsOf(String decisionId) {
    IdHash id = IdHash.of(decisionId);
    return entries.keySet().stream()
        .filter(key -> key.id().equals(id))
        .map(HashedDecision::segment)
        .sorted()
        .toList();
  }

  /** Returns the number of decisions. */
  public int size() {
    return entries.size();
  }
}
