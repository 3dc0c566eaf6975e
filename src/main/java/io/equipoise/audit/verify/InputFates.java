package io.equipoise.audit.verify;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges what became of every context and every reward (I1, I2, I7), by origin: decisions, applied
 * rewards and dead letters name topic, partition and offset of the record that they come from, so
 * {@value FateTable#BYTES} bytes an offset hold all that must be known. As many offsets as memory
 * allows are judged in one pass; each pass reads the outputs once.
 *
 * <p>A live log is judged up to the frontier of each partition: the last record that an output
 * names. One that was stopped for good is judged to its end.
 */
final class InputFates {
  private static final long MOST_OFFSETS = 1 << 30;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final Docket docket;
  private final long memoryBytes;
  private final boolean isFinal;
  private final WriterEpochHistory history;
  private final LetterOpener opener;
  private final AppliedRewards applied;
  private final Backlog backlog;

  /**
   * Prepares to judge.
   *
   * @param history the attempts, each of which may have read inputs again
   * @param backlog takes in what lies behind the frontiers
   */
  InputFates(
      CommittedLog log,
      InputRecords inputs,
      Docket docket,
      long memoryBytes,
      boolean isFinal,
      WriterEpochHistory history,
      LetterOpener opener,
      AppliedRewards applied,
      Backlog backlog) {
    this.log = log;
    this.inputs = inputs;
    this.docket = docket;
    this.memoryBytes = memoryBytes;
    this.isFinal = isFinal;
    this.history = history;
    this.opener = opener;
    this.applied = applied;
    this.backlog = backlog;
  }

  /**
   * Judges all inputs and returns in how many passes.
   *
   * @param areChangesKept whether all decisions and segment events of the inputs are known to be
   *     there, however much was removed before
   * @throws CannotJudgeException if more rewards are open than memory allows
   */
  int judge(Horizons horizons, boolean areChangesKept) {
    OpenRewards open = new OpenRewards(memoryBytes);
    boolean mayRepeat = !history.isPlain();
    FateScan scan = new FateScan(inputs, docket, open, mayRepeat);
    RepeatedFates repeated = new RepeatedFates(log, inputs, docket, history);
    List<List<Slice>> windows = windows();
    KeptOutputs kept = KeptOutputs.of(log, areChangesKept, docket);
    try {
      for (int pass = 0; pass < windows.size(); pass++) {
        FatePass reading =
            new FatePass(log, inputs, docket, pass == 0, kept, mayRepeat, opener, applied);
        for (FateTable table : reading.read(windows.get(pass))) {
          Slice slice = table.slice();
          long frontier = isFinal ? slice.horizon() : reading.frontier(slice);
          scan.judge(table, Math.min(frontier, slice.horizon()));
          repeated.add(table, Math.min(frontier, slice.horizon()));
          backlog.add(table, frontier);
        }
        repeated.judge();
      }
      open.judge(log, inputs, horizons, docket);
    } catch (Budget.ExceededException e) {
      throw new CannotJudgeException("too many rewards wait for their context; give more --memory");
    }
    return windows.size();
  }

  /** Parts all inputs into windows that fit; a partition is cut where it does not. */
  private List<List<Slice>> windows() {
    long most = Math.max(1, memoryBytes / FateTable.BYTES);
    List<List<Slice>> windows = new ArrayList<>();
    List<Slice> window = new ArrayList<>();
    long room = most;
    List<Slice> all = new ArrayList<>(log.slices(LogTopic.CONTEXTS));
    all.addAll(log.slices(LogTopic.REWARDS));
    for (Slice slice : all) {
      long next = slice.begin();
      while (next < slice.reach()) {
        Slice part = slice.between(next, next + Math.min(room, MOST_OFFSETS));
        window.add(part);
        room -= part.size();
        next = part.reach();
        if (room == 0 || next < slice.reach()) {
          windows.add(window);
          window = new ArrayList<>();
          room = most;
        }
      }
    }
    if (!window.isEmpty() || windows.isEmpty()) {
      windows.add(window);
    }
    return windows;
  }
}
