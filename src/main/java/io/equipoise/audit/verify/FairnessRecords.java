package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.ChangeAudits.PlacedExplanation;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.Explanation;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
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
 * Checks the audit topic or the experiments topic (I3): it must contain each record that the replay
 * writes exactly once, with equal fields.
 *
 * <p>The topic is read beside the changes. A record waits until its change is replayed; a replayed
 * record waits until it is found. It is missing once the topic has ended or is {@value
 * KeptRecords#MOST_APART_MILLIS} ms further, so waiting records stay bounded even if the topic is
 * empty.
 *
 * <p>State: by segment the last replayed seq and the records that wait for a later one, and by
 * change the replayed records that are not found yet, in the order of the replay. Every waiting
 * record is charged to the memory budget.
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
  private final ReferenceRedactor redactor;
  private final FindingsCollector findings;
  private final MemoryBudget memoryBudget;
  private final Map<String, Line> lines = new HashMap<>();
  private final Map<At, ChangeAudits> due = new LinkedHashMap<>();

  private record At(String segment, long seq) {}

  /** Progress of one segment. */
  private static final class Line {
    private final Map<Long, List<PlacedExplanation>> ahead = new TreeMap<>();
    private long seq;

    /** The replay differs from the log, so it writes no more records of this segment. */
    private boolean isDiverged;

    /** Its records cannot be compared. */
    private boolean isStopped;
  }

  /**
   * Prepares the check.
   *
   * @param topic AUDIT or EXPERIMENTS
   * @param tracks the seq tracks of the key range's segments
   * @param saved the segments' states in the savepoint; empty without one
   * @param areChangesWhole whether retention kept all decisions and segment events
   * @param mayLag whether some of the newest records may not have been appended yet
   */
  FairnessRecords(
      LogTopic topic,
      Map<String, SeqTrack> tracks,
      Map<String, SegmentSnapshot> saved,
      KeptRecords kept,
      boolean areChangesWhole,
      boolean mayLag,
      ReferenceRedactor redactor,
      FindingsCollector findings,
      MemoryBudget memoryBudget) {
    this.topic = topic;
    this.name = topic == LogTopic.AUDIT ? "fairness record" : "experiment record";
    this.tracks = tracks;
    this.saved = saved;
    this.kept = kept;
    this.areChangesWhole = areChangesWhole;
    this.mayLag = mayLag;
    this.redactor = redactor;
    this.findings = findings;
    this.memoryBudget = memoryBudget;
  }

  /** Takes the next record of the topic. */
  void take(LogRecord at) {
    Explanation record;
    try {
      record = decoded(at);
    } catch (WireException e) {
      findings.violated(Invariant.I3, at.place(), "the " + name + " cannot be read: " + e.fact());
      return;
    }
    PlacedExplanation found = new PlacedExplanation(at, record);
    if (!Change.isKeyed(at, record.segment())) {
      violated(found, "the key of the " + name + " is not its segment");
      return;
    }
    SeqTrack track = tracks.get(record.segment());
    SegmentSnapshot start = saved.get(record.segment());
    if (start != null && record.seq() <= start.seq()) {
      return; // the savepoint includes it
    }
    if (track == null || record.seq() > track.gaplessTo()) {
      boolean isReported = track == null ? start == null && !areChangesWhole : track.hasGap();
      if (!isReported && !mayLag) {
        violated(found, "the " + name + " belongs to no change on the log");
      }
    } else if (track.isFromStart()) {
      take(found);
    }
  }

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

  private void take(PlacedExplanation found) {
    Explanation record = found.record();
    Line line = line(record.segment());
    if (record.seq() > line.seq) {
      if (!line.isDiverged) {
        memoryBudget.reserve(BYTES);
        line.ahead.computeIfAbsent(record.seq(), seq -> new ArrayList<>(1)).add(found);
      }
      return;
    }
    At at = new At(record.segment(), record.seq());
    ChangeAudits change = due.get(at);
    int before = change == null ? 0 : change.missing();
    compare(line, List.of(found), change);
    if (change != null) {
      memoryBudget.release(BYTES * (before - change.missing()));
      if (change.missing() == 0) {
        due.remove(at);
      }
    }
  }

  /** Takes the records that the replay wrote for a change. */
  void replayed(Change change, List<Explanation> all) {
    List<Explanation> written = all.stream().filter(this::isOf).toList();
    Line line = line(change.segment());
    line.seq = change.seq();
    ChangeAudits audits = new ChangeAudits(change, written, redactor);
    List<PlacedExplanation> ahead = line.ahead.remove(change.seq());
    if (ahead != null) {
      memoryBudget.release(BYTES * ahead.size());
      compare(line, ahead, audits);
    }
    if (audits.missing() > 0 && !kept.isGone(change.at())) {
      memoryBudget.reserve(BYTES * audits.missing());
      due.put(new At(change.segment(), change.seq()), audits);
    }
  }

  /** Notes that the replay of a segment differs from the log. */
  void diverged(String segment) {
    Line line = line(segment);
    line.isDiverged = true;
    line.ahead.values().forEach(waiting -> memoryBudget.release(BYTES * waiting.size()));
    line.ahead.clear();
  }

  /** Notes the timestamp up to which all topics are read. */
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

  /** Notes that all topics are read to their end. */
  void ended() {
    if (!mayLag) {
      due.values().forEach(this::missing);
    }
  }

  /** Compares records of the topic with those of their change, equal ones first. */
  private void compare(Line line, List<PlacedExplanation> all, @Nullable ChangeAudits change) {
    if (line.isStopped) {
      return;
    }
    try {
      List<PlacedExplanation> others = new ArrayList<>(all);
      others.forEach(any -> findings.checked(Invariant.I3));
      others.removeIf(found -> change != null && change.take(found));
      for (PlacedExplanation found : others) {
        String difference = change == null ? null : change.takeAltered(found);
        violated(
            found,
            difference == null
                ? "its change has no such " + name + ", or has it twice"
                : "of the " + name + ", " + difference);
      }
    } catch (CiphertextException e) {
      line.isStopped = true;
      if (e.isForged()) {
        violated(all.get(0), String.valueOf(e.getMessage()));
      } else {
        findings.unchecked(Invariant.I3, all.get(0).key(), String.valueOf(e.getMessage()));
      }
    }
  }

  private void missing(ChangeAudits audits) {
    LogRecord at = audits.change.at();
    if (at.isChecked() && !kept.mayBeGone(at) && !line(audits.change.segment()).isStopped) {
      for (String key : audits.keysMissing()) {
        findings.violated(Invariant.I3, key, "this " + name + " is not on its topic");
      }
    }
  }

  private void violated(PlacedExplanation found, String why) {
    if (found.at().isChecked()) {
      findings.violated(Invariant.I3, found.key(), why + "; at " + found.at().place());
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
