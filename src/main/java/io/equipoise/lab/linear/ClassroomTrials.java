package io.equipoise.lab.linear;

import io.equipoise.lab.Parallel;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.linear.FeatureMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Runs settings over trials, several at once. A trial depends on its classroom alone, and results
 * are kept by setting and trial.
 */
final class ClassroomTrials {
  private final Map<FairLinUcbSetting, List<RunMeasures>> measures = new LinkedHashMap<>();

  private ClassroomTrials() {}

  /** Runs all; {@code onDone} is called after each run, from several threads. */
  static ClassroomTrials run(
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
    ClassroomTrials done = new ClassroomTrials();
    for (int place = 0; place < all.size(); place++) {
      done.measures.put(all.get(place), measured.subList(place * each, (place + 1) * each));
    }
    return done;
  }

  boolean has(FairLinUcbSetting fairLinUcbSetting) {
    return measures.containsKey(fairLinUcbSetting);
  }

  List<RunMeasures> of(FairLinUcbSetting fairLinUcbSetting) {
    List<RunMeasures> trials = measures.get(fairLinUcbSetting);
    if (trials == null) {
      throw new IllegalArgumentException("not run: " + fairLinUcbSetting);
    }
    return trials;
  }

  Sample sample(FairLinUcbSetting fairLinUcbSetting, ToDoubleFunction<RunMeasures> metric) {
    return Sample.of(of(fairLinUcbSetting).stream().map(metric::applyAsDouble).toList());
  }

  /** Returns one setting's metric minus another's, trial by trial. */
  Sample difference(
      FairLinUcbSetting one, FairLinUcbSetting other, ToDoubleFunction<RunMeasures> metric) {
    List<Double> differences = new ArrayList<>();
    for (int trial = 0; trial < of(one).size(); trial++) {
      differences.add(
          metric.applyAsDouble(of(one).get(trial)) - metric.applyAsDouble(of(other).get(trial)));
    }
    return Sample.of(differences);
  }
}
