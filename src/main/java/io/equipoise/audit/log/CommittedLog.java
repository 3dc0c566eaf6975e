package io.equipoise.audit.log;

import java.util.List;

/** The committed records of a deployment; what is read twice is the same twice. */
public interface CommittedLog {

  /** Returns the slices of a topic, one a partition, in the order of partitions. */
  List<Slice> slices(LogTopic topic);

  /**
   * Reads slices to their reach.
   *
   * @throws CannotJudgeException if they cannot be read to their end
   */
  LogReader read(List<Slice> slices);
}
