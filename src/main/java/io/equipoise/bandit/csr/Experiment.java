package io.equipoise.bandit.csr;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.csr.Event.Abort;
import io.equipoise.bandit.csr.Event.ContextArrived;
import io.equipoise.bandit.csr.Event.LevelObserved;
import io.equipoise.bandit.csr.Event.OutcomeArrived;
import io.equipoise.bandit.csr.Event.TimePassed;
import io.equipoise.bandit.csr.Output.Decided;
import io.equipoise.bandit.csr.Output.Ended;
import io.equipoise.bandit.csr.Output.Ignored;
import io.equipoise.bandit.csr.Output.PhaseClosed;
import io.equipoise.bandit.csr.Output.Reason;
import io.equipoise.bandit.csr.Output.Refused;
import io.equipoise.bandit.csr.Output.Settled;
import io.equipoise.bandit.csr.Output.Settlement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A search on live traffic, as a state machine: events in, decisions and records out.
 *
 * <p>Every context is answered. A phase gives out its quota in seeded random order; then contexts
 * are held until its pulls are settled, each by its outcome or by the end of its window, and the
 * phase is judged. What follows depends on the events and their order alone. Immutable; the state
 * and the pending decisions belong to the caller and may be written and read back at any time.
 */
public final class Experiment {
  private final Design design;
  private final Conduct conduct;
  private final Audit audit;
  private final Answers answers;
  private final boolean keepsBins;

  /**
   * Makes an experiment ready; an experiment at work needs a state from {@link #begin}.
   *
   * @throws IllegalArgumentException if it could not be run as asked
   */
  public Experiment(Design design, Conduct conduct) {
    this(design, conduct, cells(design.model()) > design.model().arms() * design.greatestPhase());
  }

  Experiment(Design design, Conduct conduct, boolean keepsBins) {
    this.design = design;
    this.conduct = conduct;
    this.keepsBins = keepsBins;
    audit = new Audit(design, conduct);
    answers = new Answers(design.model());
    int arms = design.model().arms();
    if (conduct.incumbent() < 0 || conduct.incumbent() >= arms) {
      throw new IllegalArgumentException(
          "the incumbent is arm " + conduct.incumbent() + " of " + arms);
    }
    if (conduct.isGraceful() && !design.settings().algorithm().isCumulative()) {
      throw new IllegalArgumentException(
          design.settings().algorithm().wire()
              + " forgets earlier phases, so it must wait for all windows of a phase");
    }
  }

  private static int cells(CsrModel model) {
    return 2 * model.cells() * model.levels();
  }

  public Design design() {
    return design;
  }

  /**
   * Returns a SHA-256 of everything that an answer depends on but the samples, in hex. State of one
   * experiment means nothing to another.
   */
  public String configHash() {
    return audit.configHash();
  }

  /** Returns the state before the first event: the first phase is open. */
  public ExperimentState begin() {
    SampleSums sums =
        keepsBins
            ? new PrefixBins(design.channels(), design.greatestPhase())
            : new CellCounts(design.channels());
    BitSet arms = design.arms();
    return new ExperimentState(open(0, arms), arms, sums, conduct.incumbent());
  }

  private OpenPhase open(int place, BitSet remaining) {
    Phase phase = design.plan().get(place);
    Allocation allocation = design.allocate(phase, remaining);
    return new OpenPhase(phase, allocation, design.quota(phase, allocation));
  }

  /** Takes one event; returns what follows from it, in order. */
  public List<Output> on(Event event, ExperimentState state, PendingPulls pending) {
    List<Output> out = new ArrayList<>();
    if (event instanceof ContextArrived context) {
      decide(context, state, pending, out);
    } else if (event instanceof OutcomeArrived outcome) {
      outcome(outcome, state, pending, out);
    } else if (event instanceof LevelObserved observed) {
      observe(observed, state, pending, out);
    } else if (event instanceof TimePassed passed) {
      expire(passed.time(), state, pending, out);
    } else if (event instanceof Abort abort) {
      abort(abort, state, out);
    }
    closePhases(state, out);
    return out;
  }

  private void abort(Abort abort, ExperimentState state, List<Output> out) {
    if (state.isOver) {
      out.add(new Refused(conduct.key(), "the experiment is over and cannot be aborted"));
    } else {
      state.isOver = true;
      out.add(new Ended(audit.aborted(state, abort.reason())));
    }
  }

  private void decide(
      ContextArrived context, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull known = pending.get(context.id());
    if (known != null) {
      state.open.count(state.open.counters().plusDuplicate());
      out.add(decided(known, true));
      return;
    }
    if (state.isOver) {
      out.add(new Decided(context.id(), Role.SERVE, state.served, -1, -1, false));
      return;
    }
    closePhases(state, out);
    Pull pull = draw(context, state, out);
    state.decisions++;
    pending.put(pull);
    out.add(decided(pull, false));
  }

  private static Decided decided(Pull pull, boolean isRepeat) {
    return new Decided(pull.id(), pull.role(), pull.arm(), pull.phase(), pull.type(), isRepeat);
  }

  private Pull draw(ContextArrived context, ExperimentState state, List<Output> out) {
    OpenPhase open = state.open;
    int cell =
        isUsable(context, out) ? open.draw(context.group(), uniform(context.id())) : Urn.HOLD;
    int arms = design.model().arms();
    if (cell == Urn.HOLD) {
      open.count(open.counters().plusHold());
    } else {
      state.pulls++;
      state.costSpent += design.costs().of(cell % arms);
    }
    boolean isHeld = cell == Urn.HOLD;
    return new Pull(
        context.id(),
        state.decisions,
        context.time() + conduct.windowMillis(),
        isHeld ? Role.HOLD : Role.PULL,
        isHeld ? conduct.incumbent() : cell % arms,
        isHeld ? -1 : open.phase().place(),
        isHeld ? -1 : cell / arms,
        context.group(),
        context.cell(),
        -1,
        Double.NaN,
        false);
  }

  /** A sample without a cell has no weight; pooled rewards are stratified by the group. */
  private boolean isUsable(ContextArrived context, List<Output> out) {
    boolean isGroup = context.group() >= CsrModel.UNKNOWN_GROUP && context.group() <= 1;
    if (!isGroup || context.cell() >= design.model().cells()) {
      out.add(
          new Refused(
              context.id(), "no group " + context.group() + " or no cell " + context.cell()));
      return false;
    }
    boolean needsGroup = design.settings().mode() == Mode.POOLED;
    return context.cell() >= 0 && !(needsGroup && context.group() == CsrModel.UNKNOWN_GROUP);
  }

  private double uniform(String id) {
    String key = conduct.key() + "/" + conduct.version();
    return new Draw(conduct.seed(), key, id).uniform(Draw.Purpose.URN);
  }

  private void outcome(
      OutcomeArrived outcome, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull pull = answers.expected(outcome.id(), state.open, pending, out);
    if (pull == null) {
      return;
    }
    if (outcome.time() > pull.deadline()) {
      state.open.count(state.open.counters().plusDropped());
      out.add(new Ignored(pull.id(), Reason.LATE));
      return;
    }
    int level = outcome.level() < 0 ? pull.level() : outcome.level();
    String fault = answers.fault(pull, level, outcome.reward());
    if (fault != null) {
      out.add(new Refused(pull.id(), fault));
      return;
    }
    Pull answered = pull.withLevel(level).withReward(outcome.reward());
    if (conduct.isGraceful()) {
      pending.put(answered);
    } else {
      pending.put(answered.settled());
      settle(answered, state, out);
    }
  }

  private void observe(
      LevelObserved observed, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull pull = answers.expected(observed.id(), state.open, pending, out);
    if (pull != null) {
      String fault = answers.fault(pull, observed.level(), 0);
      if (fault == null) {
        pending.put(pull.withLevel(observed.level()));
      } else {
        out.add(new Refused(pull.id(), fault));
      }
    }
  }

  private void expire(long time, ExperimentState state, PendingPulls pending, List<Output> out) {
    for (Pull pull : pending.due(time)) {
      pending.remove(pull.id());
      if (pull.isCounted() && !pull.isSettled()) {
        boolean isAnswered = !Double.isNaN(pull.reward());
        settle(
            isAnswered ? pull : pull.withReward(conduct.defaultReward().orElse(Double.NaN)),
            state,
            out);
        closePhases(state, out);
      }
    }
  }

  private void settle(Pull pull, ExperimentState state, List<Output> out) {
    if (state.isOver) {
      out.add(new Settled(pull.id(), pull.phase(), Settlement.AFTER_END));
      return;
    }
    OpenPhase open = state.open;
    boolean isLate = pull.phase() != open.phase().place();
    if (!isLate) {
      open.settle();
    }
    Settlement how = isLate ? Settlement.COUNTED_LATE : Settlement.COUNTED;
    if (Double.isNaN(pull.reward()) || pull.level() < 0) {
      open.count(open.counters().plusMissing());
      how = Settlement.MISSING;
    } else {
      state.sums.add(
          pull.type(), pull.group(), pull.arm(), pull.cell(), pull.level(), pull.reward());
      open.count(isLate ? open.counters().plusLate() : open.counters());
    }
    out.add(new Settled(pull.id(), pull.phase(), how));
  }

  /** Closes the open phase if it is done, and those after it that have no pulls. */
  private void closePhases(ExperimentState state, List<Output> out) {
    while (!state.isOver && state.open.isDone(mayBeAwaited(state.open.phase()))) {
      Phase phase = state.open.phase();
      Estimates estimates = design.estimate(phase, state.remaining, state.sums);
      Verdict verdict = design.close(phase, state.remaining, estimates);
      out.add(new PhaseClosed(audit.phase(state, verdict, estimates)));
      state.remaining = verdict.after();
      verdict.end().ifPresent(end -> end(state, verdict, end, estimates, out));
      if (!state.isOver) {
        if (!design.settings().algorithm().isCumulative()) {
          state.sums.clear();
        }
        state.open = open(phase.place() + 1, state.remaining);
      }
    }
  }

  private double mayBeAwaited(Phase phase) {
    return conduct.isGraceful() ? Math.floor((1 - conduct.closeShare()) * phase.pulls()) : 0;
  }

  private void end(
      ExperimentState state,
      Verdict verdict,
      Conclusion conclusion,
      Estimates estimates,
      List<Output> out) {
    state.isOver = true;
    if (conclusion instanceof Conclusion.BestFairArm found) {
      state.served = found.arm();
    }
    out.add(new Ended(audit.end(state, verdict, conclusion, estimates)));
  }
}
