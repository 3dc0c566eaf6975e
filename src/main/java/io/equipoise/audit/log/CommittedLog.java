package io.equipoise.audit.log;

import java.util.List;
import java.util.Map;

/** The committed records of a deployment; what is read twice is the same twice. */
public interface CommittedLog {

  /** Returns the slices of a topic, one a partition, in the order of partitions. */
  List<OffsetRange> slices(LogTopic topic);

  /**
   * Reads slices to their reach.
   *
   * @throws InconclusiveException if they cannot be read to their end
   */
  LogReader read(List<OffsetRange> slices);

  /**
   * Returns the offsets behind the last records that partitions have now, whatever their slices
   * reach. A slice that ends where somebody chose is left out: nobody asked what stands behind it.
   *
   * @throws InconclusiveException if nobody tells
   */
  Map<OffsetRange, Long> endsNow(List<OffsetRange> slices);
}
