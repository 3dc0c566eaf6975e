package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.LayoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

/** What every serializer of state keeps, run once for each of them. */
abstract class SerializerContract<T> {
  private static final long SEED = 20_240_607;
  private static final int RANDOM_VALUES = 200;

  private final TypeSerializer<T> serializer;
  private final List<T> goldenValues;

  SerializerContract(TypeSerializer<T> serializer, List<T> goldenValues) {
    this.serializer = serializer;
    this.goldenValues = goldenValues;
  }

  /** Makes any value. */
  abstract T random(SplittableRandom random);

  /** Lists all that a value is made of, for comparison. */
  abstract Object parts(T value);

  /** Changes all that can be changed in a value; does nothing to an immutable one. */
  abstract void change(T value);

  @Test
  void valuesComeBackAsTheyWere() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < RANDOM_VALUES; i++) {
      T value = random(random);
      byte[] bytes = Bytes.of(serializer, value);
      T read = Bytes.read(serializer, bytes);
      assertEquals(parts(value), parts(read), "seed " + SEED + ", value " + i);
      assertArrayEquals(bytes, Bytes.of(serializer, read), "seed " + SEED + ", value " + i);
    }
  }

  @Test
  void goldenBytesAreReadForEver() throws IOException {
    int version = GoldenBytes.version(serializer);
    byte[] golden = GoldenBytes.resource(GoldenBytes.fileName(serializer.getClass(), version));
    DataInputDeserializer in = new DataInputDeserializer(golden);
    DataOutputSerializer again = new DataOutputSerializer(golden.length);
    for (T expected : goldenValues) {
      T read = serializer.deserialize(in);
      assertEquals(parts(expected), parts(read));
      serializer.serialize(read, again);
    }
    assertEquals(0, in.available(), "bytes left over");
    assertArrayEquals(golden, again.getCopyOfBuffer());
  }

  @Test
  void truncatedValuesAreRefused() {
    values().forEach(value -> Bytes.assertNoTruncationIsRead(serializer, value));
  }

  @Test
  void aFlippedBitIsRefusedOrIsAnotherValue() {
    values().forEach(value -> Bytes.assertNoFlipIsMisread(serializer, value));
  }

  @Test
  void hostileLengthsAreRefusedBeforeTheyAreAllocated() {
    values().forEach(value -> Bytes.assertNoLengthIsBelieved(serializer, value));
  }

  @Test
  void versionsThatAreNotKnownAreRefused() {
    if (serializer.getLength() > 0) {
      return; // the snapshot's version stands for it
    }
    byte next = (byte) (GoldenBytes.version(serializer) + 1);
    for (byte version : new byte[] {0, next, (byte) (next + 1), Byte.MAX_VALUE, -1}) {
      byte[] bytes = Bytes.of(serializer, goldenValues.get(0));
      bytes[Integer.BYTES] = version;
      LayoutException refused =
          assertThrows(LayoutException.class, () -> Bytes.read(serializer, bytes));
      assertTrue(refused.getMessage().contains("version " + version), refused.getMessage());
    }
  }

  @Test
  void aCopySharesNothingThatChanges() throws IOException {
    for (T value : goldenValues) {
      byte[] before = Bytes.of(serializer, value);
      T copy = serializer.copy(value);
      assertEquals(parts(value), parts(copy));
      if (serializer.isImmutableType()) {
        assertSame(value, copy);
        continue;
      }
      assertNotSame(value, copy);
      change(copy);
      assertArrayEquals(before, Bytes.of(serializer, value));
      T original = Bytes.read(serializer, before);
      T second = serializer.copy(original, serializer.createInstance());
      change(original);
      assertArrayEquals(before, Bytes.of(serializer, second));
    }
  }

  @Test
  void copyingBytesTakesOneValueAndNoMore() throws IOException {
    DataOutputSerializer all = new DataOutputSerializer(64);
    for (T value : goldenValues) {
      serializer.serialize(value, all);
    }
    LongSerializer.INSTANCE.serialize(42L, all);
    DataInputDeserializer in = new DataInputDeserializer(all.getCopyOfBuffer());
    for (T value : goldenValues) {
      DataOutputSerializer one = new DataOutputSerializer(64);
      serializer.copy(in, one);
      assertArrayEquals(Bytes.of(serializer, value), one.getCopyOfBuffer());
    }
    assertEquals(42L, LongSerializer.INSTANCE.deserialize(in));
  }

  @Test
  void theSnapshotRestoresTheSerializer() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    TypeSerializerSnapshot<T> restored =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), getClass().getClassLoader());
    assertEquals(serializer, restored.restoreSerializer());
    assertTrue(
        serializer.snapshotConfiguration().resolveSchemaCompatibility(restored).isCompatibleAsIs());
  }

  @Test
  void aSnapshotOfALaterVersionOrAnotherTypeIsRefused() {
    TypeSerializerSnapshot<T> snapshot = serializer.snapshotConfiguration();
    assertThrows(
        LayoutException.class,
        () ->
            snapshot.readSnapshot(
                2, new DataInputDeserializer(new byte[0]), getClass().getClassLoader()));
    assertTrue(snapshot.resolveSchemaCompatibility(new OtherSnapshot<T>()).isIncompatible());
  }

  @Test
  void serializersOfAClassAreEqualAndMakeInstances() {
    assertEquals(serializer, serializer.duplicate());
    assertEquals(serializer.hashCode(), serializer.duplicate().hashCode());
    assertFalse(serializer.equals(null));
    assertFalse(serializer.equals(LongSerializer.INSTANCE));
    Object instance = serializer.createInstance();
    assertInstanceOf(Object.class, instance);
  }

  /** Returns the bytes of the golden and of some random values. */
  private List<byte[]> values() {
    List<byte[]> values = new ArrayList<>();
    goldenValues.forEach(value -> values.add(Bytes.of(serializer, value)));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 3; i++) {
      values.add(Bytes.of(serializer, random(random)));
    }
    return values;
  }

  /** A snapshot of something else. */
  private static final class OtherSnapshot<T> extends LayoutSnapshot<T> {
    @Override
    public TypeSerializer<T> restoreSerializer() {
      throw new AssertionError("nobody restores this");
    }
  }
}
