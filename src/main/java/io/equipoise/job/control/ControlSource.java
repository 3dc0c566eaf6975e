package io.equipoise.job.control;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the specs and causal bounds in force are found before the first element comes. */
public interface ControlSource extends Serializable {

  /** Returns the good records of the control topics and the retirements, in order. May block. */
  List<Control> read();

  /** Returns the keys of both topics, also of bad records and retirements, after {@link #read}. */
  default Keys keys() {
    return new Keys(null, null);
  }

  /**
   * Keys that are on the control topics. The state may have other keys. Their records were retired,
   * and compaction removed the retirements.
   *
   * @param specs null where the keys are not known, or nobody has ever written to the topic: a
   *     topic that was lost and made again retires nothing
   * @param causalBounds null likewise
   */
  record Keys(@Nullable Set<String> specs, @Nullable Set<String> causalBounds) {}
}
