package io.equipoise.job.control;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Provides the active specs and causal bounds before the first element arrives. */
public interface ControlSource extends Serializable {

  /**
   * Returns the valid records of the control topics and the retirements, in order. May block.
   *
   * @param accepted returns the text of a spec that was found valid before, by its key, or null;
   *     such a text is not checked again
   */
  List<Control> read(Function<String, @Nullable String> accepted);

  /**
   * Returns the keys of both topics, including invalid records and retirements, after {@link
   * #read}.
   */
  default Keys keys() {
    return new Keys(null, null);
  }

  /**
   * Returns whether {@link #read} has passed a record of a control topic, valid or not. The job's
   * source delivers such a record again; applying it again would undo the records after it.
   */
  default boolean hasRead(RawControl record) {
    return false;
  }

  /**
   * Lists the keys on the control topics. Records of the state with other keys were retired, and
   * compaction removed the retirements.
   *
   * @param specs null if the keys are unknown or the topic never had a record: a topic that was
   *     lost and recreated retires nothing
   * @param causalBounds null likewise
   */
  record Keys(@Nullable Set<String> specs, @Nullable Set<String> causalBounds) {}
}
