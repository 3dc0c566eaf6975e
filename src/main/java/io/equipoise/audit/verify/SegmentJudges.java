package io.equipoise.audit.verify;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import java.util.EnumSet;
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
  private final Docket docket;
  private final long memoryBytes;
  private final int mostAlone;

  /**
   * Prepares the judges.
   *
   * @param memoryBytes what a pass may hold, models and awaiting decisions aside
   * @param mostAlone how many segments are replayed alone too
   */
  SegmentJudges(CommittedLog log, Texts texts, Docket docket, long memoryBytes, int mostAlone) {
    this.log = log;
    this.texts = texts;
    this.docket = docket;
    this.memoryBytes = memoryBytes;
    this.mostAlone = mostAlone;
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
        mine.add(Invariant.I4);
        docket.reopen(mine);
      }
    }
    throw new CannotJudgeException("a single segment does not fit; give more --memory");
  }

  private void judge(int count) {
    int leftAlone = mostAlone;
    for (int index = 0; index < count; index++) {
      Share share = new Share(index, count);
      Budget budget = new Budget(memoryBytes);
      Map<String, SeqTrack> tracks = Sequences.judge(log, share, docket, budget);
      Set<String> alone = new TreeSet<>();
      for (String segment : tracks.keySet()) {
        if (alone.size() < leftAlone) {
          alone.add(segment);
        }
      }
      leftAlone -= alone.size();
      Snapshots snapshots = Snapshots.read(log, share, docket, budget);
      LetterCounts letters = LetterCounts.read(log, share, budget);
      new Replay(tracks, snapshots, letters, texts, alone, docket, budget).judge(log, share);
    }
  }
}
