package io.equipoise.audit.verify;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.join.SavedSegment;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SameVeil;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges all that goes by segment and seq (I3 to I6), share after share. Where a share does not fit
 * into memory, the segments are parted into twice as many and judged anew.
 */
final class SegmentJudges {
  private static final int MOST_SHARES = 1 << 12;

  private final CommittedLog log;
  private final Texts texts;
  private final Beginning beginning;
  private final Docket docket;
  private final Question question;
  private final Revealer revealer;
  private final SameVeil veil;
  private final boolean mayLag;

  /**
   * Prepares to judge.
   *
   * @param mayLag whether some of what was written last may not have been appended yet
   */
  SegmentJudges(
      CommittedLog log,
      Texts texts,
      Beginning beginning,
      Docket docket,
      Question question,
      Revealer revealer,
      SameVeil veil,
      boolean mayLag) {
    this.log = log;
    this.texts = texts;
    this.beginning = beginning;
    this.docket = docket;
    this.question = question;
    this.revealer = revealer;
    this.veil = veil;
    this.mayLag = mayLag;
  }

  /**
   * Judges all segments and returns in how many shares.
   *
   * @throws CannotJudgeException if no number of shares fits
   */
  int judge() {
    for (int count = 1; count <= MOST_SHARES; count *= 2) {
      try {
        judge(count);
        return count;
      } catch (Budget.ExceededException e) {
        Set<Invariant> mine = EnumSet.copyOf(Replay.INVARIANTS);
        mine.add(Invariant.I1); // judged by origin only afterwards
        mine.add(Invariant.I4);
        docket.reopen(mine);
      }
    }
    throw new CannotJudgeException("a single segment does not fit; give more --memory");
  }

  private void judge(int count) {
    KeptRecords kept = KeptRecords.of(log, LogTopic.AUDIT);
    KeptRecords keptExperiments = KeptRecords.of(log, LogTopic.EXPERIMENTS);
    KeptRecords keptSnapshots = KeptRecords.of(log, LogTopic.METRICS);
    boolean areChangesWhole =
        Sequences.isWhole(log, LogTopic.DECISIONS)
            && Sequences.isWhole(log, LogTopic.SEGMENT_EVENTS);
    noteRemoved(kept.isWhole() && keptExperiments.isWhole(), keptSnapshots.isWhole());
    int leftAlone = question.mostIsolated();
    InputRecords inputs = new InputRecords(log);
    long skew = question.allowedSkew().toMillis();
    for (int index = 0; index < count; index++) {
      Share share = new Share(index, count);
      Budget budget = new Budget(question.memoryBytes());
      Map<String, SavedSegment> saved =
          beginning.segments(segment -> share.has(segment.getBytes(StandardCharsets.UTF_8)));
      Map<String, SeqTrack> tracks = Sequences.judge(log, share, saved, docket, budget);
      Set<String> alone = new TreeSet<>();
      for (String segment : tracks.keySet()) {
        if (alone.size() < leftAlone) {
          alone.add(segment);
        }
      }
      leftAlone -= alone.size();
      Snapshots snapshots = Snapshots.read(log, share, docket, budget);
      LetterCounts letters = LetterCounts.read(log, share, budget);
      List<FairnessRecords> explained =
          List.of(
              new FairnessRecords(
                  LogTopic.AUDIT,
                  tracks,
                  saved,
                  kept,
                  areChangesWhole,
                  mayLag,
                  veil,
                  docket,
                  budget),
              new FairnessRecords(
                  LogTopic.EXPERIMENTS,
                  tracks,
                  saved,
                  keptExperiments,
                  areChangesWhole,
                  mayLag,
                  veil,
                  docket,
                  budget));
      SnapshotRecords metrics = new SnapshotRecords(keptSnapshots, mayLag, veil, docket, budget);
      new Replay(
              tracks, saved, snapshots, letters, texts, alone, skew, docket, budget, revealer,
              explained, metrics)
          .judge(log, share, inputs);
    }
  }

  private void noteRemoved(boolean hasAllAudits, boolean hasAllSnapshots) {
    if (!hasAllAudits || !hasAllSnapshots) {
      String what =
          hasAllAudits
              ? "snapshots"
              : hasAllSnapshots ? "fairness records" : "fairness records and snapshots";
      docket.note(Invariant.I3, what + " that retention has removed were not judged");
    }
  }
}
