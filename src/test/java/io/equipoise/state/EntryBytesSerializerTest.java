package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.segment.state.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntryBytesSerializerTest extends SerializerContract<byte[]> {
  private static final EntrySerializer LAYOUT = new EntrySerializer();

  EntryBytesSerializerTest() throws IOException {
    super(new EntryBytesSerializer(), Golden.entryBytes());
  }

  @Override
  byte[] random(SplittableRandom random) {
    try {
      return LAYOUT.toBytes(new RandomValues(random).entry());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Object parts(byte[] bytes) {
    try {
      return LAYOUT.fromBytes(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void change(byte[] bytes) {}

  @Test
  void theStoredBytesOfAnEntryAreThoseOfItsSerializer() throws IOException {
    for (Entry entry : Golden.entries()) {
      byte[] stored = Bytes.of(new EntryBytesSerializer(), LAYOUT.toBytes(entry));
      assertArrayEquals(Bytes.of(LAYOUT, entry), stored);
      assertEquals(entry, LAYOUT.fromBytes(Bytes.read(new EntryBytesSerializer(), stored)));
    }
  }
}
