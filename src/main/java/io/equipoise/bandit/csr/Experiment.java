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
  private final ExperimentSteps steps;
  private final Answers answers;

  /**
   * Makes an experiment ready; an experiment at work needs a state from {@link #begin}.
   *
   * @throws IllegalArgumentException if it could not be run as asked
   */
  public Experiment(Design design, Conduct conduct) {
    this(new ExperimentSteps(design, conduct));
  }

  Experiment(Design design, Conduct conduct, boolean keepsBins) {
    this(new ExperimentSteps(design, conduct, keepsBins));
  }

  private Experiment(ExperimentSteps steps) {
    this.steps = steps;
    answers = new Answers(steps.design().model());
  }

  public Design design() {
    return steps.design();
  }

  /**
   * Returns a SHA-256 of everything that an answer depends on but the samples, in hex. State of one
   * experiment means nothing to another.
   */
  public String configHash() {
    return steps.configHash();
  }

  /** Returns the state before the first event: the first phase is open. */
  public ExperimentState begin() {
    return new ExperimentState(steps.begin(), steps.emptySums());
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
    TerminalRecord end = steps.abort(state.progress, abort.reason());
    out.add(
        end == null
            ? new Refused(steps.conduct().key(), "the experiment is over and cannot be aborted")
            : new Ended(end));
  }

  private void decide(
      ContextArrived context, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull known = pending.get(context.id());
    if (known != null) {
      OpenPhase open = state.progress.open;
      open.count(open.counters().plusDuplicate());
      out.add(decided(known, true));
      return;
    }
    if (state.isOver()) {
      out.add(new Decided(context.id(), Role.RECOMMENDED, state.served(), -1, -1, false));
      return;
    }
    closePhases(state, out);
    Pull pull = draw(context, state, out);
    pending.put(pull);
    out.add(decided(pull, false));
  }

  private static Decided decided(Pull pull, boolean isRepeat) {
    return new Decided(pull.id(), pull.role(), pull.arm(), pull.phase(), pull.type(), isRepeat);
  }

  private Pull draw(ContextArrived context, ExperimentState state, List<Output> out) {
    Progress progress = state.progress;
    int arms = design().model().arms();
    long number = progress.decisions;
    int usable = isInModel(context, out) ? context.cell() : -1;
    int drawn = steps.draw(progress, context.group(), usable, uniform(context.id()));
    boolean isHeld = drawn == Urn.NOT_SAMPLED;
    return new Pull(
        context.id(),
        number,
        context.time() + steps.conduct().windowMillis(),
        isHeld ? Role.NOT_SAMPLED : Role.SAMPLE,
        isHeld ? steps.conduct().control() : drawn % arms,
        isHeld ? -1 : progress.open.phase().place(),
        isHeld ? -1 : drawn / arms,
        context.group(),
        context.cell(),
        -1,
        Double.NaN,
        false);
  }

  private boolean isInModel(ContextArrived context, List<Output> out) {
    boolean isGroup = context.group() >= CsrModel.UNKNOWN_GROUP && context.group() <= 1;
    if (!isGroup || context.cell() >= design().model().cells()) {
      out.add(
          new Refused(
              context.id(), "no group " + context.group() + " or no cell " + context.cell()));
      return false;
    }
    return true;
  }

  private double uniform(String id) {
    Conduct conduct = steps.conduct();
    String key = conduct.key() + "/" + conduct.version();
    return new Draw(conduct.seed(), key, id).uniform(Draw.Purpose.URN);
  }

  private void outcome(
      OutcomeArrived outcome, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull pull = answers.expected(outcome.id(), state.progress.open, pending, out);
    if (pull == null) {
      return;
    }
    if (outcome.time() > pull.deadline()) {
      OpenPhase open = state.progress.open;
      open.count(open.counters().plusDropped());
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
    if (steps.conduct().isGraceful()) {
      pending.put(answered);
    } else {
      pending.put(answered.settled());
      settle(answered, state, out);
    }
  }

  private void observe(
      LevelObserved observed, ExperimentState state, PendingPulls pending, List<Output> out) {
    Pull pull = answers.expected(observed.id(), state.progress.open, pending, out);
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
            isAnswered ? pull : pull.withReward(steps.conduct().defaultReward().orElse(Double.NaN)),
            state,
            out);
        closePhases(state, out);
      }
    }
  }

  private void settle(Pull pull, ExperimentState state, List<Output> out) {
    boolean isMissing = Double.isNaN(pull.reward()) || pull.level() < 0;
    Settlement how =
        isMissing
            ? steps.miss(state.progress, pull.phase())
            : steps.count(state.progress, state.sums, pull.phase(), sample(pull));
    out.add(new Settled(pull.id(), pull.phase(), how));
  }

  private static ExperimentSteps.Sample sample(Pull pull) {
    return new ExperimentSteps.Sample(
        pull.type(), pull.group(), pull.arm(), pull.cell(), pull.level(), pull.reward());
  }

  /** Closes the open phase if it is done, and those after it that have no pulls. */
  private void closePhases(ExperimentState state, List<Output> out) {
    while (steps.isDone(state.progress)) {
      PhaseEnd end = steps.close(state.progress, state.sums);
      out.add(new PhaseClosed(end.phase()));
      if (end.end() != null) {
        out.add(new Ended(end.end()));
      }
    }
  }
}
