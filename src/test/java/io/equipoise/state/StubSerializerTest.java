package io.equipoise.state;

import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.SplittableRandom;

class StubSerializerTest extends SerializerContract<PassivatedSegment> {
  StubSerializerTest() {
    super(new StubSerializer(), Golden.stubs());
  }

  @Override
  PassivatedSegment random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    return random.nextBoolean()
        ? PassivatedSegment.largest(Math.abs(values.number() >> 1))
        : new PassivatedSegment(Retain.MODEL, values.bytes());
  }

  @Override
  Object parts(PassivatedSegment stub) {
    return stub;
  }

  @Override
  void change(PassivatedSegment stub) {}
}
