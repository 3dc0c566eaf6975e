package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.ChangeAudits.Found;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.Explanation;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.ReferenceRedactor;
import io.equipoise.segment.state.SegmentSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks a topic that explains changes, audit or experiments (I3): of each record that the replay
 * writes there must be exactly one, the same in every field.
 *
 * <p>The topic is read beside the changes. A record waits until its change was replayed, and what
 * the replay writes until it is found; it is missing where the topic has ended, or is {@value
 * KeptRecords#MOST_APART_MILLIS} ms further, so that not even a topic without a record fills the
 * memory.
 */
final class FairnessRecords {
  private static final long SEGMENT_BYTES = 512;
  private static final long BYTES = 1_024;

  private final LogTopic topic;
  private final String name;
  private final Map<String, SeqTrack> tracks;
  private final Map<String, SegmentSnapshot> saved;
  private final KeptRecords kept;
  private final boolean areChangesWhole;
  private final boolean mayLag;
  private final ReferenceRedactor veil;
  private final FindingsCollector findingsCollector;
  private final MemoryBudget memoryBudget;
  private final Map<String, Line> lines = new HashMap<>();
  private final Map<At, ChangeAudits> due = new LinkedHashMap<>();

  private record At(String segment, long seq) {}

  /** One segment on its way. */
  private static final class Line {
    private final Map<Long, List<Found>> ahead = new TreeMap<>();
    private long seq;

    /** The replay has parted from the log, and writes no more. */
    private boolean isParted;

    /** Its records cannot be compared. */
    private boolean isStopped;
  }

  /**
   * Prepares to judge.
   *
   * @param topic AUDIT or EXPERIMENTS
   * @param tracks the numbers of the share's segments
   * @param saved the segments' states that the log goes on from, none where it is whole
   * @param areChangesWhole whether retention has left all decisions and segment events
   * @param mayLag whether some records of what was written last may not have been appended yet
   */
  FairnessRecords(
      LogTopic topic,
      Map<String, SeqTrack> tracks,
      Map<String, SegmentSnapshot> saved,
      KeptRecords kept,
      boolean areChangesWhole,
      boolean mayLag,
      ReferenceRedactor veil,
      FindingsCollector findingsCollector,
      MemoryBudget memoryBudget) {
    this.topic = topic;
    this.name = topic == LogTopic.AUDIT ? "fairness record" : "experiment record";
    this.tracks = tracks;
    this.saved = saved;
    this.kept = kept;
    this.areChangesWhole = areChangesWhole;
    this.mayLag = mayLag;
    this.veil = veil;
    this.findingsCollector = findingsCollector;
    this.memoryBudget = memoryBudget;
  }

  /** Takes the next record of the topic. */
  void take(LogRecord at) {
    Explanation record;
    try {
      record = decoded(at);
    } catch (WireException e) {
      findingsCollector.violated(
          Invariant.I3, at.place(), "the " + name + " cannot be read: " + e.fact());
      return;
    }
    Found found = new Found(at, record);
    if (!Change.isKeyed(at, record.segment())) {
      violated(found, "the " + name + "'s key is another");
      return;
    }
    SeqTrack track = tracks.get(record.segment());
    SegmentSnapshot start = saved.get(record.segment());
    if (start != null && record.seq() <= start.seq()) {
      return; // the savepoint is later
    }
    if (track == null || record.seq() > track.gaplessTo()) {
      boolean isTold = track == null ? start == null && !areChangesWhole : track.hasGap();
      if (!isTold && !mayLag) {
        violated(found, "the " + name + " is of no change on the log");
      }
    } else if (track.isFromStart()) {
      take(found);
    }
  }

  /** Says whether a record of the log is for this check. */
  boolean isOf(LogRecord at) {
    return at.slice().topic() == topic;
  }

  private Explanation decoded(LogRecord at) {
    byte[] value = Payloads.value(at);
    return topic == LogTopic.AUDIT ? Wire.AUDIT.decode(value) : Wire.EXPERIMENT.decode(value);
  }

  private boolean isOf(Explanation written) {
    return topic == LogTopic.AUDIT
        ? written instanceof FairnessAudit
        : written instanceof ExperimentRecord;
  }

  private void take(Found found) {
    Explanation record = found.record();
    Line line = line(record.segment());
    if (record.seq() > line.seq) {
      if (!line.isParted) {
        memoryBudget.reserve(BYTES);
        line.ahead.computeIfAbsent(record.seq(), seq -> new ArrayList<>(1)).add(found);
      }
      return;
    }
    At at = new At(record.segment(), record.seq());
    ChangeAudits change = due.get(at);
    int before = change == null ? 0 : change.missing();
    hold(line, List.of(found), change);
    if (change != null) {
      memoryBudget.release(BYTES * (before - change.missing()));
      if (change.missing() == 0) {
        due.remove(at);
      }
    }
  }

  /** Takes what the replay has written with a change. */
  void replayed(Change change, List<Explanation> all) {
    List<Explanation> written = all.stream().filter(this::isOf).toList();
    Line line = line(change.segment());
    line.seq = change.seq();
    ChangeAudits audits = new ChangeAudits(change, written, veil);
    List<Found> ahead = line.ahead.remove(change.seq());
    if (ahead != null) {
      memoryBudget.release(BYTES * ahead.size());
      hold(line, ahead, audits);
    }
    if (audits.missing() > 0 && !kept.isGone(change.at())) {
      memoryBudget.reserve(BYTES * audits.missing());
      due.put(new At(change.segment(), change.seq()), audits);
    }
  }

  /** Takes note that the replay of a segment has parted from the log. */
  void parted(String segment) {
    Line line = line(segment);
    line.isParted = true;
    line.ahead.values().forEach(waiting -> memoryBudget.release(BYTES * waiting.size()));
    line.ahead.clear();
  }

  /** Takes note of how far all topics were read: to a timestamp. */
  void passed(long timestamp) {
    Iterator<ChangeAudits> eldest = due.values().iterator();
    while (eldest.hasNext()) {
      ChangeAudits audits = eldest.next();
      if (audits.change.at().timestamp() + KeptRecords.MOST_APART_MILLIS >= timestamp) {
        return;
      }
      eldest.remove();
      memoryBudget.release(BYTES * audits.missing());
      missing(audits);
    }
  }

  /** Takes note that all topics were read to their end. */
  void ended() {
    if (!mayLag) {
      due.values().forEach(this::missing);
    }
  }

  /** Holds records of the topic against those of their change; those that equal one come first. */
  private void hold(Line line, List<Found> all, @Nullable ChangeAudits change) {
    if (line.isStopped) {
      return;
    }
    try {
      List<Found> others = new ArrayList<>(all);
      others.forEach(any -> findingsCollector.judged(Invariant.I3));
      others.removeIf(found -> change != null && change.take(found));
      for (Found found : others) {
        String difference = change == null ? null : change.takeAltered(found);
        violated(
            found,
            difference == null
                ? "its change has no such " + name + ", or it was there before"
                : "of the " + name + ", " + difference);
      }
    } catch (CiphertextException e) {
      line.isStopped = true;
      if (e.isForged()) {
        violated(all.get(0), String.valueOf(e.getMessage()));
      } else {
        findingsCollector.unchecked(Invariant.I3, all.get(0).key(), String.valueOf(e.getMessage()));
      }
    }
  }

  private void missing(ChangeAudits audits) {
    LogRecord at = audits.change.at();
    if (at.isChecked() && !kept.mayBeGone(at) && !line(audits.change.segment()).isStopped) {
      for (String key : audits.keysMissing()) {
        findingsCollector.violated(Invariant.I3, key, "this " + name + " is not on its topic");
      }
    }
  }

  private void violated(Found found, String why) {
    if (found.at().isChecked()) {
      findingsCollector.violated(Invariant.I3, found.key(), why + "; at " + found.at().place());
    }
  }

  private Line line(String segment) {
    Line line = lines.get(segment);
    if (line == null) {
      memoryBudget.reserve(SEGMENT_BYTES);
      line = new Line();
      SegmentSnapshot start = saved.get(segment);
      line.seq = start == null ? 0 : start.seq();
      lines.put(segment, line);
    }
    return line;
  }
}
