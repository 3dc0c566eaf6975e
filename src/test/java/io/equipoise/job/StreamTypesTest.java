package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.topics.Emission;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class StreamTypesTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final Origin ORIGIN = new Origin("contexts", 1, 2, 3, TRACE);

  @Test
  void whatFlowsBetweenOperatorsComesBack() throws IOException {
    ContextEvent faulty =
        new ContextEvent(
            "d1",
            "s",
            1,
            Map.of("S", "a"),
            null,
            null,
            ORIGIN,
            new byte[] {1},
            new InputFault(ErrorCode.EVENT_TIME_IN_FUTURE, "too far ahead"),
            null);
    assertComesBack(StreamTypes.INPUT, faulty);
    assertComesBack(StreamTypes.DECODED, new Decoded.Good(faulty));
    assertComesBack(StreamTypes.DECODED, new Decoded.Progress("contexts", 3, 1, 2));
    assertComesBack(
        StreamTypes.DECODED,
        new Decoded.Bad(
            DeadLetter.undecodable(ErrorCode.EMPTY, "no bytes", ORIGIN, null, new byte[0])));
    for (byte[] bytes : Arrays.asList(null, new byte[0], new byte[] {1, 2})) {
      assertComesBack(StreamTypes.RAW_CONTROL, new RawControl("specs", 0, 1, 2, bytes, bytes));
    }
    assertComesBack(StreamTypes.CONTROL, TestControls.spec("name/hash", null));
    assertComesBack(StreamTypes.CONTROL, TestControls.spec("name/hash", "text"));
    assertComesBack(
        StreamTypes.CONTROL,
        new CausalBoundRecord(new RawControl("causal-bounds", 0, 1, 2, null, null)));
    for (LogTopic output : LogTopic.OUTPUTS) {
      assertComesBack(StreamTypes.EMISSION, new Emission(output, null, new byte[] {1}));
      assertComesBack(StreamTypes.EMISSION, new Emission(output, new byte[] {2}, new byte[0]));
      byte[] value = {3};
      assertComesBack(StreamTypes.EMISSION, new Emission(output, null, () -> value, TRACE));
    }
  }

  @Test
  void noneOfThemCanBeUsedForState() {
    for (TypeInformation<?> type :
        List.of(
            StreamTypes.INPUT,
            StreamTypes.DECODED,
            StreamTypes.RAW_CONTROL,
            StreamTypes.CONTROL,
            StreamTypes.EMISSION)) {
      TypeSerializer<?> serializer = type.createSerializer(new SerializerConfigImpl());
      assertThrows(UnsupportedOperationException.class, serializer::snapshotConfiguration);
    }
  }

  private static <T> void assertComesBack(TypeInformation<T> type, T value) throws IOException {
    TypeSerializer<T> serializer = type.createSerializer(new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    assertEquals(value, serializer.deserialize(in));
    assertEquals(0, in.available());
  }
}
