package io.equipoise.offline.count;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the segment events of a log that are rows.
 *
 * @param specText the spec of the segment events
 * @param keyFiles absolute paths of keys for decryption, on every reading machine
 * @param segment the only segment whose events are rows; null for those that the spec selects
 * @param versions what differs in other specs, by hash; empty if their rows mean the same
 */
public record SegmentLog(
    String specText, List<String> keyFiles, @Nullable String segment, Map<String, String> versions)
    implements Serializable {
  public SegmentLog {
    keyFiles = new ArrayList<>(keyFiles); // Java can serialize this list
    versions = new HashMap<>(versions);
  }

  /** Returns the log of all segments that a spec selects, without keys. */
  public static SegmentLog of(String specText) {
    return new SegmentLog(specText, List.of(), null, Map.of());
  }
}
