package io.equipoise.offline.bounds;

import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.event.BoundEvidence;
import io.equipoise.event.BoundSetHeader;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundFlag;
import io.equipoise.event.CausalBoundMode;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Converts bounds on probabilities of a binary reward to causal bounds on a spec's mean rewards.
 */
final class BoundsRows {
  private final BoundSetHeader set;
  private final NumberRange numberRange;
  private final Map<Map<String, String>, String> arms = new HashMap<>();

  BoundsRows(SegmentSpec spec) {
    set = BoundSetHeader.of(spec.graph().fingerprint());
    numberRange = spec.reward().range();
    List<SpecVariable> actions = spec.variables().actions();
    for (Arm arm : spec.arms().list()) {
      Map<String, String> levels = new LinkedHashMap<>();
      for (int action = 0; action < actions.size(); action++) {
        levels.put(actions.get(action).name(), actions.get(action).levels().get(arm.level(action)));
      }
      arms.put(levels, arm.id());
    }
  }

  /** Returns the rows of the catalog's arms; name, version and hash identify the set. */
  List<CausalBound> of(List<BoundRecord> records) {
    List<CausalBound> rows = new ArrayList<>();
    for (BoundRecord record : records) {
      String arm = arms.get(record.arm());
      if (arm != null) {
        rows.add(row(arm, record));
      }
    }
    return rows;
  }

  private CausalBound row(String arm, BoundRecord record) {
    TreeSet<String> covariates = new TreeSet<>();
    record.w().forEach(covariates::addAll);
    return new CausalBound(
        set,
        arm,
        record.context(),
        mean(record.lower()),
        mean(record.upper()),
        new BoundEvidence(
            CausalBoundMode.valueOf(record.mode().name()),
            List.copyOf(covariates),
            record.formula(),
            (long) record.rows(),
            record.delta() > 0 ? record.delta() : null,
            record.tableHash(),
            record.flags().stream().map(flag -> CausalBoundFlag.valueOf(flag.name())).toList()));
  }

  /** Returns the mean of a reward that is high with this probability, else low. */
  private double mean(double probability) {
    double mean = numberRange.low() + numberRange.width() * probability;
    return Math.min(numberRange.high(), Math.max(numberRange.low(), mean));
  }
}
