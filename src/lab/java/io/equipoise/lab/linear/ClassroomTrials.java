package io.equipoise.lab.linear;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.policy.linear.FeatureMask;
import io.equipoise.simulation.Parallel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The trials of settings. The result of a trial depends on its setting and classroom alone. */
final class ClassroomTrials {
  private final Map<FairLinUcbSetting, List<RunMeasures>> measures = new LinkedHashMap<>();

  /** Runs all settings, several trials at once; calls {@code onDone} after each run. */
  ClassroomTrials(
      List<Classroom> classrooms,
      Set<FairLinUcbSetting> settings,
      FeatureMask naive,
      Runnable onDone) {
    List<FairLinUcbSetting> all = List.copyOf(settings);
    int each = classrooms.size();
    List<RunMeasures> measured =
        Parallel.trials(
            all.size() * each,
            trial -> ClassroomRun.run(classrooms.get(trial % each), all.get(trial / each), naive),
            onDone);
    for (int place = 0; place < all.size(); place++) {
      measures.put(all.get(place), measured.subList(place * each, (place + 1) * each));
    }
  }

  boolean has(FairLinUcbSetting setting) {
    return measures.containsKey(setting);
  }

  List<RunMeasures> of(FairLinUcbSetting setting) {
    return Objects.requireNonNull(measures.get(setting), () -> "not run: " + setting);
  }

  Sample sample(FairLinUcbSetting setting, ToDoubleFunction<RunMeasures> metric) {
    return Sample.of(of(setting), metric);
  }

  /** Returns one setting's metric minus another's, trial by trial. */
  Sample difference(
      FairLinUcbSetting one, FairLinUcbSetting other, ToDoubleFunction<RunMeasures> metric) {
    return Sample.ofDifference(of(one), 1, of(other), metric);
  }
}
