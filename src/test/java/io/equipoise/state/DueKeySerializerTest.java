package io.equipoise.state;

import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.SegmentState.DueKey;
import java.util.SplittableRandom;

class DueKeySerializerTest extends SerializerContract<DueKey> {
  DueKeySerializerTest() {
    super(new DueKeySerializer(), Golden.dueKeys());
  }

  @Override
  DueKey random(SplittableRandom random) {
    return new DueKey(
        new RandomValues(random).pick(DueIndex.Queue.values()),
        random.nextLong(),
        random.nextInt());
  }

  @Override
  Object parts(DueKey key) {
    return key;
  }

  @Override
  void change(DueKey key) {}
}
