package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.equipoise.Tier;
import io.equipoise.hostile.ByteDamage;
import io.equipoise.hostile.Campaign;
import io.equipoise.policy.StateBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Feeds every state layout with values that were damaged at random. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class HostileLayoutsTest {
  private static final long SEED = 42L;
  private static final long FIXED_BYTES = 512 << 10;
  private static final long BYTES_PER_BYTE = 250;

  /** A layout and the bytes of sound values. */
  record Kind<T>(TypeSerializer<T> serializer, List<byte[]> samples) {
    @Override
    public String toString() {
      return serializer.getClass().getSimpleName();
    }
  }

  static Stream<Kind<?>> kinds() throws IOException {
    List<StateBlock> blocks = new ArrayList<>(Golden.blocks());
    blocks.addAll(Golden.logisticBlocks());
    blocks.addAll(Golden.oamBlocks());
    blocks.addAll(Golden.linearBlocks());
    blocks.addAll(Golden.experimentBlocks());
    Kind<?> heads = new Kind<>(new HeadSerializer(), of(new HeadSerializer(), Golden.heads()));
    heads.samples().addAll(golden("head-v1.bin"));
    Kind<?> entries =
        new Kind<>(new EntrySerializer(), random(new EntrySerializer(), RandomValues::entry));
    entries.samples().addAll(of(new EntrySerializer(), Golden.entries()));
    return Stream.of(
        heads,
        entries,
        new Kind<>(new BlockSerializer(), of(new BlockSerializer(), blocks)),
        new Kind<>(new InputSerializer(), random(new InputSerializer(), RandomValues::input)),
        new Kind<>(new ChunkSerializer(), of(new ChunkSerializer(), Golden.chunks())),
        new Kind<>(new DueKeySerializer(), of(new DueKeySerializer(), Golden.dueKeys())),
        new Kind<>(new IdHashSerializer(), of(new IdHashSerializer(), Golden.ids())));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void aDamagedValueIsRefusedByAnIoExceptionOrComesBack(Kind<T> kind)
      throws InterruptedException {
    new Campaign<>(
            "layouts of " + kind,
            new ByteDamage(kind.samples(), kind.samples(), 0),
            bytes -> {
              T value;
              try {
                value = kind.serializer().deserialize(new DataInputDeserializer(bytes));
              } catch (IOException e) {
                return false;
              }
              byte[] ours = Bytes.of(kind.serializer(), value);
              assertArrayEquals(
                  ours, Bytes.of(kind.serializer(), Bytes.read(kind.serializer(), ours)));
              return true;
            },
            FIXED_BYTES,
            BYTES_PER_BYTE)
        .run(Tier.count(120, 400_000));
  }

  private static <T> List<byte[]> random(
      TypeSerializer<T> serializer, Function<RandomValues, T> value) {
    RandomValues values = new RandomValues(new SplittableRandom(SEED));
    return of(serializer, Stream.generate(() -> value.apply(values)).limit(200).toList());
  }

  private static <T> List<byte[]> of(TypeSerializer<T> serializer, List<T> values) {
    List<byte[]> bytes = new ArrayList<>();
    values.forEach(value -> bytes.add(Bytes.of(serializer, value)));
    return bytes;
  }

  /** Returns the values of a golden file, each with its length, as they are read. */
  private static List<byte[]> golden(String file) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(GoldenBytes.resource(file));
    List<byte[]> values = new ArrayList<>();
    while (in.available() > 0) {
      int length = in.readInt();
      byte[] value = new byte[Integer.BYTES + length];
      for (int i = 0; i < Integer.BYTES; i++) {
        value[i] = (byte) (length >>> (24 - 8 * i));
      }
      in.readFully(value, Integer.BYTES, length);
      values.add(value);
    }
    return values;
  }
}
