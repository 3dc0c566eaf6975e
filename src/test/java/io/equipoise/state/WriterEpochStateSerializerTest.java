package io.equipoise.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

class WriterEpochStateSerializerTest extends SerializerContract<WriterEpochState> {
  WriterEpochStateSerializerTest() {
    super(new WriterEpochStateSerializer(), Golden.writerEpochs());
  }

  @Override
  WriterEpochState random(SplittableRandom random) {
    List<Long> offsets = new ArrayList<>();
    List<byte[]> answers = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      offsets.add(random.nextLong());
    }
    for (int i = random.nextInt(5); i > 0; i--) {
      byte[] answer = new byte[random.nextInt(200)];
      random.nextBytes(answer);
      answers.add(answer);
    }
    return new WriterEpochState(
        random.nextInt(), random.nextInt(), random.nextInt(), offsets, answers);
  }

  @Override
  Object parts(WriterEpochState state) {
    return List.of(
        state.writerEpoch(),
        state.firstKeyGroup(),
        state.lastKeyGroup(),
        state.offsets(),
        state.answers().stream().map(Arrays::toString).toList());
  }

  @Override
  void change(WriterEpochState state) {}
}
