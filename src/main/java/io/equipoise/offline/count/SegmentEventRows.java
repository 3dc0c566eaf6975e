package io.equipoise.offline.count;

import io.equipoise.event.SegmentEvent;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecVariable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the levels of a row from a segment event of the streaming job: features by level index, the
 * arm by the catalog, mediators by name, and the learned reward.
 *
 * <p>Skips segment events of other segments, and events that the model did not learn from.
 *
 * <p>State: the levels of the last segment event, valid while {@link #isRow} returns true. Not
 * thread-safe.
 */
final class SegmentEventRows {
  private static final String UNKNOWN =
      "whose text is not known: --config must name a deployment whose specs topic has it";

  private final SegmentSpec spec;
  private final @Nullable String segment;
  private final Map<String, String> versions;
  private final CountLayout countLayout;
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, Arm> arms = new HashMap<>();
  private final int[] levels;
  private final Unredactor unredactor;
  private boolean isRow;

  /**
   * Prepares to read segment events of a spec.
   *
   * @throws io.equipoise.privacy.UnusableKeyException if a file contains no key
   */
  SegmentEventRows(CountLayout countLayout, SegmentLog log) {
    this.countLayout = countLayout;
    unredactor = new Unredactor(KeyRing.read(log.keyFiles().stream().map(Path::of).toList()));
    spec = SpecParser.parse(log.specText());
    segment = log.segment();
    versions = log.versions();
    List<CountedVariable> variables = countLayout.variables();
    for (int place = 0; place < variables.size(); place++) {
      places.put(variables.get(place).name(), place);
    }
    spec.arms().list().forEach(arm -> arms.put(arm.id(), arm));
    levels = new int[variables.size()];
  }

  /** Returns whether the last segment event is a row. */
  boolean isRow() {
    return isRow;
  }

  /** Returns the levels of that row, in the order of the layout; the next row overwrites them. */
  int[] levels() {
    return levels;
  }

  /** Reads a segment event; returns the error, or null. */
  @Nullable String read(SegmentEvent segmentEvent) {
    isRow = false;
    Double reward = segmentEvent.learnedReward();
    String name = segmentEvent.segment();
    boolean isSelected = segment == null ? spec.match().matches(name) : segment.equals(name);
    if (!segmentEvent.learned() || reward == null || !isSelected) {
      return null;
    }
    String hash = String.valueOf(segmentEvent.specHash());
    String version = spec.hash().equals(hash) ? "" : versions.get(hash);
    if (version == null || !version.isEmpty()) {
      return (version == null ? "is of spec " + hash + ", " + UNKNOWN : version)
          + "; give the file of that version in --spec, or read from a later offset (--topic,"
          + " --from)"
          + (segment == null ? ", or one segment (--segment)" : "");
    }
    Arm arm = arms.get(Objects.requireNonNullElse(segmentEvent.arm(), ""));
    if (arm == null) {
      return "has the arm " + segmentEvent.arm() + ", which the spec does not define";
    }
    String fault = hidden(segmentEvent);
    if (fault == null) {
      actions(arm);
      fault = mediators(segmentEvent.mediators());
    }
    if (fault == null) {
      fault = reward(reward);
    }
    isRow = fault == null;
    return fault;
  }

  /** Decrypts the features if the bounds need a redacted one. */
  private @Nullable String hidden(SegmentEvent segmentEvent) {
    if (segmentEvent.redaction() == null || !needsSensitive()) {
      return features(segmentEvent.features());
    }
    try {
      return features(unredactor.reveal(segmentEvent).features());
    } catch (CiphertextException e) {
      return "redacts a value that this command needs: " + e.getMessage();
    }
  }

  private boolean needsSensitive() {
    List<SpecVariable> features = spec.variables().features();
    return spec.variables().sensitive().stream()
        .anyMatch(place -> places.containsKey(features.get(place).name()));
  }

  private @Nullable String features(@Nullable List<Double> given) {
    List<SpecVariable> features = spec.variables().features();
    if (given == null || given.size() < features.size()) { // the numbers of the levels follow
      int size = given == null ? 0 : given.size();
      return "has " + size + " features, not the indices of " + features.size() + " levels";
    }
    for (int i = 0; i < features.size(); i++) {
      Integer place = places.get(features.get(i).name());
      if (place == null) {
        continue;
      }
      double index = given.get(i);
      if (!(index >= 0 && index < countLayout.variables().get(place).size())) {
        return "no value of " + features.get(i).name() + "; its level's index is " + index;
      }
      levels[place] = (int) index;
    }
    return null;
  }

  private void actions(Arm arm) {
    List<SpecVariable> actions = spec.variables().actions();
    for (int action = 0; action < actions.size(); action++) {
      Integer place = places.get(actions.get(action).name());
      if (place != null) {
        levels[place] = arm.level(action);
      }
    }
  }

  private @Nullable String mediators(Map<String, String> observed) {
    for (SpecVariable mediator : spec.variables().mediators()) {
      Integer place = places.get(mediator.name());
      boolean isFlag = mediator.name().equals(countLayout.flag());
      if (place == null && !isFlag) {
        continue;
      }
      String text = observed.get(mediator.name());
      if (isFlag && text != null && !text.equals("1")) {
        return mediator.name() + " is " + text + ", but a log of selected rows contains only 1";
      }
      if (place != null) {
        CountedVariable variable = countLayout.variables().get(place);
        int level = text == null ? variable.missing() : variable.level(text);
        if (level < 0) {
          return "no level of " + mediator.name() + "; " + variable.allowed();
        }
        levels[place] = level;
      }
    }
    return null;
  }

  private @Nullable String reward(double reward) {
    String name = spec.variables().reward().name();
    Integer place = places.get(name);
    if (place != null) {
      CountedVariable variable = countLayout.variables().get(place);
      int level =
          place == countLayout.mean() ? variable.share(reward) : variable.rewardLevel(reward);
      if (level < 0) {
        String allowed = place == countLayout.mean() ? variable.allowedMean() : variable.allowed();
        return name + " is " + reward + "; " + allowed;
      }
      levels[place] = level;
    }
    return null;
  }
}
