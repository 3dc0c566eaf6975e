package io.equipoise.state;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The committed bytes of every layout of state, one file a version. They are written once, by the
 * version that first wrote the layout, and read for ever:
 *
 * <pre>
 *   mvn test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 *   java -cp target/test-classes:target/classes:$(cat target/classpath) io.equipoise.state.GoldenBytes
 * </pre>
 */
final class GoldenBytes {
  private static final Path DIRECTORY = Path.of("src/test/resources/state");

  private GoldenBytes() {}

  /** Returns the name of a layout's file: HeadSerializer's is head-v1.bin. */
  static String fileName(Class<?> serializer, int version) {
    String words =
        serializer
            .getSimpleName()
            .replaceFirst("Serializer$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
            .toLowerCase(Locale.ROOT);
    return words + "-v" + version + ".bin";
  }

  /** Returns the version that a serializer writes. */
  static int version(TypeSerializer<?> serializer) {
    return serializer instanceof LayoutSerializer<?> layout ? layout.version() : 1;
  }

  static byte[] resource(String name) throws IOException {
    try (InputStream in = GoldenBytes.class.getResourceAsStream("/state/" + name)) {
      if (in == null) {
        throw new IOException("src/test/resources/state/" + name + " is not there");
      }
      return in.readAllBytes();
    }
  }

  /** Writes the files that are not there yet; never changes one that is. */
  public static void main(String[] none) throws IOException {
    write(new HeadSerializer(), Golden.heads());
    write(new PassivatedSegmentSerializer(), Golden.passivated());
    write(new EntrySerializer(), Golden.entries());
    write(new EntryBytesSerializer(), Golden.entryBytes());
    write(new ChunkSerializer(), Golden.chunks());
    write(new BlockSerializer(), Golden.blocks());
    write("block-logistic-v1.bin", new BlockSerializer(), Golden.logisticBlocks());
    write("block-experiment-v1.bin", new BlockSerializer(), Golden.experimentBlocks());
    write(new IdHashSerializer(), Golden.ids());
    write(new DueKeySerializer(), Golden.dueKeys());
    write("block-dual-v1.bin", new BlockSerializer(), Golden.dualBlocks());
    write("block-linear-v1.bin", new BlockSerializer(), Golden.linearBlocks());
    write("block-oam-v1.bin", new BlockSerializer(), Golden.oamBlocks());
    write(new WriterEpochStateSerializer(), Golden.writerEpochs());
    write("block-evidence-v1.bin", new BlockSerializer(), Golden.evidenceBlocks());
    write(new WrittenStateSerializer(), Golden.written());
    write("block-heritage-v1.bin", new BlockSerializer(), Golden.heritageBlocks());
  }

  private static <T> void write(TypeSerializer<T> serializer, List<T> values) throws IOException {
    write(fileName(serializer.getClass(), version(serializer)), serializer, values);
  }

  private static <T> void write(String name, TypeSerializer<T> serializer, List<T> values)
      throws IOException {
    Path file = DIRECTORY.resolve(name);
    if (Files.exists(file)) {
      return;
    }
    DataOutputSerializer out = new DataOutputSerializer(64);
    for (T value : values) {
      serializer.serialize(value, out);
    }
    Files.write(file, out.getCopyOfBuffer(), StandardOpenOption.CREATE_NEW);
  }
}
