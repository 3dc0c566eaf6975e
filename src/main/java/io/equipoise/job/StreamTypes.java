package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.topics.Emission;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.state.InputSerializer;
import io.equipoise.state.StreamSerializer;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** Defines the types between the job's operators, each with its own serializer. */
final class StreamTypes {
  static final TypeInformation<Decoded> DECODED =
      new SerializedType<>(Decoded.class, new DecodedSerializer());
  static final TypeInformation<Input> INPUT =
      new SerializedType<>(Input.class, new InputSerializer());
  static final TypeInformation<RawControl> RAW_CONTROL =
      new SerializedType<>(RawControl.class, new RawControlSerializer());
  static final TypeInformation<Control> CONTROL =
      new SerializedType<>(Control.class, new ControlSerializer());
  static final TypeInformation<Emission> EMISSION =
      new SerializedType<>(Emission.class, new EmissionSerializer());

  private StreamTypes() {}

  private static final class DecodedSerializer extends StreamSerializer<Decoded> {
    private static final long serialVersionUID = 1L;
    private static final InputSerializer INPUTS = new InputSerializer();

    @Override
    protected void write(Decoded decoded, LayoutWriter out) throws IOException {
      if (decoded instanceof Decoded.Good good) {
        out.writeByte(1);
        INPUTS.writePart(good.input(), out);
      } else if (decoded instanceof Decoded.Bad bad) {
        out.writeByte(0);
        out.writeBytes(Wire.DEAD_LETTER.encode(bad.letter()));
      } else {
        Decoded.Progress progress = (Decoded.Progress) decoded;
        out.writeByte(2);
        out.writeString(progress.topic());
        out.writeInt(progress.partition());
        out.writeLong(progress.newestAppendTime());
        out.writeLong(progress.askedAt());
      }
    }

    @Override
    protected Decoded read(byte version, LayoutReader in) throws IOException {
      byte kind = in.readByte();
      return switch (kind) {
        case 0 -> new Decoded.Bad(Wire.DEAD_LETTER.decode(in.readBytes()));
        case 1 -> new Decoded.Good(INPUTS.readPart(in));
        case 2 -> new Decoded.Progress(in.readString(), in.readInt(), in.readLong(), in.readLong());
        default -> throw new IOException("unknown kind of a decoded input: " + kind);
      };
    }
  }

  private static final class RawControlSerializer extends StreamSerializer<RawControl> {
    private static final long serialVersionUID = 1L;

    @Override
    protected void write(RawControl record, LayoutWriter out) throws IOException {
      writePart(record, out);
    }

    @Override
    protected RawControl read(byte version, LayoutReader in) throws IOException {
      return readPart(in);
    }

    static void writePart(RawControl record, LayoutWriter out) throws IOException {
      out.writeString(record.topic());
      out.writeInt(record.partition());
      out.writeLong(record.offset());
      out.writeLong(record.appendTime());
      out.writeBytes(record.key());
      out.writeBytes(record.value());
    }

    static RawControl readPart(LayoutReader in) throws IOException {
      return new RawControl(
          in.readString(),
          in.readInt(),
          in.readLong(),
          in.readLong(),
          in.readNullableBytes(),
          in.readNullableBytes());
    }
  }

  private static final class ControlSerializer extends StreamSerializer<Control> {
    private static final long serialVersionUID = 1L;

    @Override
    protected void write(Control control, LayoutWriter out) throws IOException {
      out.writeByte(control instanceof SpecText ? 1 : 0);
      RawControlSerializer.writePart(control.raw(), out);
    }

    @Override
    protected Control read(byte version, LayoutReader in) throws IOException {
      return in.readByte() == 1
          ? new SpecText(RawControlSerializer.readPart(in))
          : new CausalBoundRecord(RawControlSerializer.readPart(in));
    }
  }

  @SuppressWarnings("EnumOrdinal") // a code between two operators of one job
  private static final class EmissionSerializer extends StreamSerializer<Emission> {
    private static final long serialVersionUID = 1L;
    private static final LogTopic[] TOPICS = LogTopic.values();

    @Override
    protected void write(Emission emission, LayoutWriter out) throws IOException {
      out.writeByte(emission.output().ordinal());
      out.writeBytes(emission.key());
      out.writeBytes(emission.value());
      out.writeString(emission.traceParent());
    }

    @Override
    protected Emission read(byte version, LayoutReader in) throws IOException {
      LogTopic output = in.readEnum(TOPICS);
      byte @Nullable [] key = in.readNullableBytes();
      byte[] value = in.readBytes();
      return new Emission(output, key, () -> value, in.readNullableString());
    }
  }

  /** Describes a type to Flink only by its serializer: no key, no tuple, no fields. */
  private static final class SerializedType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final TypeSerializer<T> serializer;

    SerializedType(Class<T> type, TypeSerializer<T> serializer) {
      this.type = type;
      this.serializer = serializer;
    }

    @Override
    public boolean isBasicType() {
      return false;
    }

    @Override
    public boolean isTupleType() {
      return false;
    }

    @Override
    public int getArity() {
      return 1;
    }

    @Override
    public int getTotalFields() {
      return 1;
    }

    @Override
    public Class<T> getTypeClass() {
      return type;
    }

    @Override
    public boolean isKeyType() {
      return false;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
      return serializer;
    }

    @Override
    public boolean canEqual(Object other) {
      return other instanceof SerializedType;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SerializedType<?> that
          && type.equals(that.type)
          && serializer.equals(that.serializer);
    }

    @Override
    public int hashCode() {
      return Objects.hash(type, serializer);
    }

    @Override
    public String toString() {
      return type.getSimpleName();
    }
  }
}
