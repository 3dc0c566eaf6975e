package io.equipoise.cli.causal.cases;

/** Dispatches tasks by name. */
final class Tasks {
  private Tasks() {}

  static CaseResult answer(Case asked) {
    return switch (asked.task()) {
      case "identify" -> EffectTasks.identify(asked);
      case "identify_q" -> EffectTasks.identifyQ(asked);
      case "recover" -> EffectTasks.recover(asked);
      case "c_components" -> SeparationTasks.components(asked);
      case "m_separation" -> SeparationTasks.separation(asked);
      case "minimal_separators" -> SeparationTasks.minimalSeparators(asked);
      case "adjustment_set" -> AdjustmentTasks.check(asked);
      case "minimal_adjustment_sets" -> AdjustmentTasks.minimal(asked);
      case "selection_adjustment" -> AdjustmentTasks.selection(asked);
      case "cbi_plan" -> BoundTasks.plans(asked);
      case "find_rsi" -> BoundTasks.surrogates(asked);
      case "rsi_soundness" -> BoundTasks.soundness(asked);
      default -> throw new CaseException("unknown task \"" + asked.task() + "\"");
    };
  }
}
