package io.equipoise.state;

import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.SplittableRandom;

class PassivatedSegmentSerializerTest extends SerializerContract<PassivatedSegment> {
  PassivatedSegmentSerializerTest() {
    super(new PassivatedSegmentSerializer(), Golden.passivated());
  }

  @Override
  PassivatedSegment random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    return random.nextBoolean()
        ? PassivatedSegment.largest(Math.abs(values.number() >> 1))
        : new PassivatedSegment(Retain.MODEL, values.bytes());
  }

  @Override
  Object parts(PassivatedSegment passivated) {
    return passivated;
  }

  @Override
  void change(PassivatedSegment passivated) {}
}
