package io.equipoise.state;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

class WrittenStateSerializerTest extends SerializerContract<WrittenState> {
  WrittenStateSerializerTest() {
    super(new WrittenStateSerializer(), Golden.written());
  }

  @Override
  WrittenState random(SplittableRandom random) {
    List<WrittenState.SeqRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      ranges.add(
          new WrittenState.SeqRange("s" + random.nextInt(), random.nextLong(), random.nextLong()));
    }
    List<WrittenState.Topic> inputs = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      inputs.add(new WrittenState.Topic("t" + random.nextInt(), "id" + random.nextInt()));
    }
    return new WrittenState(
        "d" + random.nextInt(), inputs, offsets(random), offsets(random), ranges);
  }

  private static List<WrittenState.Offset> offsets(SplittableRandom random) {
    List<WrittenState.Offset> offsets = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      offsets.add(
          new WrittenState.Offset("t" + random.nextInt(), random.nextInt(), random.nextLong()));
    }
    return offsets;
  }

  @Override
  Object parts(WrittenState state) {
    return state;
  }

  @Override
  void change(WrittenState state) {}
}
