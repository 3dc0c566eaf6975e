package io.equipoise.bandit.csr;

import io.equipoise.bandit.csr.Output.Ignored;
import io.equipoise.bandit.csr.Output.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which pull an outcome answers and whether it can be an answer. */
final class Answers {
  private final CsrModel model;

  Answers(CsrModel model) {
    this.model = model;
  }

  /** Returns the pull that awaits an outcome, or says why there is none. */
  @Nullable Pull expected(String id, OpenPhase open, PendingPulls pending, List<Output> out) {
    Pull pull = pending.get(id);
    if (pull == null) {
      open.count(open.counters().plusDropped());
      out.add(new Ignored(id, Reason.UNKNOWN));
      return null;
    }
    if (!pull.isCounted()) {
      out.add(new Ignored(id, Reason.NOT_COUNTED));
      return null;
    }
    if (pull.isSettled() || !Double.isNaN(pull.reward())) {
      open.count(open.counters().plusDuplicate());
      out.add(new Ignored(id, Reason.DUPLICATE));
      return null;
    }
    return pull;
  }

  /** Returns what is wrong with an answer, or null. */
  @Nullable String fault(Pull pull, int level, double reward) {
    boolean isLevel = level >= 0 && level < model.levels();
    if (isLevel && pull.level() >= 0 && pull.level() != level) {
      return "V was observed at level " + pull.level() + " before, now at " + level;
    }
    return fault(pull.arm(), pull.cell(), level, reward);
  }

  /** Returns what is wrong with an answer of an arm in a cell, or null. */
  @Nullable String fault(int arm, int cell, int level, double reward) {
    if (level < 0 || level >= model.levels()) {
      return level < 0 ? "the level of V was not observed" : "V has no level number " + level;
    }
    if (model.probability(arm, cell, level) == 0) {
      return "arm " + arm + " never yields level " + level + " of V in its cell";
    }
    return Conduct.isReward(reward) ? null : "the reward must be in [0, 1], not " + reward;
  }
}
