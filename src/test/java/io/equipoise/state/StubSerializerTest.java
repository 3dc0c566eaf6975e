package io.equipoise.state;

import io.equipoise.join.SegmentStub;
import io.equipoise.spec.IdleStateSpec.Retain;
import java.util.SplittableRandom;

class StubSerializerTest extends SerializerContract<SegmentStub> {
  StubSerializerTest() {
    super(new StubSerializer(), Golden.stubs());
  }

  @Override
  SegmentStub random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    return random.nextBoolean()
        ? SegmentStub.largest(Math.abs(values.number() >> 1))
        : new SegmentStub(Retain.MODEL, values.bytes());
  }

  @Override
  Object parts(SegmentStub stub) {
    return stub;
  }

  @Override
  void change(SegmentStub stub) {}
}
