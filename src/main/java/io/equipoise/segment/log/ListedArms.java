package io.equipoise.segment.log;

import io.equipoise.event.ArmShare;
import io.equipoise.event.ArmShares;
import io.equipoise.segment.state.SegmentHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Lists as many arms as fit into a snapshot, whatever arms requests bring. */
final class ListedArms {
  /**
   * Maximum bytes: half of what even the smallest deployment's topics take beyond a record of its
   * inputs.
   */
  static final int MOST_BYTES = 32 << 10;

  /** Maximum bytes that Avro adds to an id: its length and the count. */
  private static final int BYTES_BESIDE_ID = 2 + 10;

  private ListedArms() {}

  static ArmShares of(SegmentHeader head) {
    int arms = head.arms.size();
    BitSet chosen = new BitSet(arms);
    long bytes = 0;
    for (int position : mostDecidedFirst(head)) {
      bytes += BYTES_BESIDE_ID + head.arms.get(position).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_BYTES) {
        break;
      }
      chosen.set(position);
    }
    List<ArmShare> listed = new ArrayList<>(chosen.cardinality());
    long decisionsLeftOut = 0;
    for (int position = 0; position < arms; position++) {
      long decisions = head.armDecisions.get(position);
      if (chosen.get(position)) {
        listed.add(new ArmShare(head.arms.get(position), decisions));
      } else {
        decisionsLeftOut += decisions;
      }
    }
    return new ArmShares(listed, arms - listed.size(), decisionsLeftOut);
  }

  /** Returns the positions of all arms; the sort is stable, so the first of equals comes first. */
  private static List<Integer> mostDecidedFirst(SegmentHeader head) {
    return IntStream.range(0, head.arms.size())
        .boxed()
        .sorted(Comparator.comparing(head.armDecisions::get, Comparator.reverseOrder()))
        .toList();
  }
}
