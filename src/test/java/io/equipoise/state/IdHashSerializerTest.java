package io.equipoise.state;

import io.equipoise.event.IdHash;
import java.util.SplittableRandom;

class IdHashSerializerTest extends SerializerContract<IdHash> {
  IdHashSerializerTest() {
    super(new IdHashSerializer(), Golden.ids());
  }

  @Override
  IdHash random(SplittableRandom random) {
    return new IdHash(random.nextLong(), random.nextLong());
  }

  @Override
  Object parts(IdHash id) {
    return id;
  }

  @Override
  void change(IdHash id) {}
}
