package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds that no layout of state is without its committed bytes. */
@Tag("slow")
class GoldenFilesTest {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final List<Class<?>> CONCRETE = concrete();

  private static List<Class<?>> concrete() {
    try (Stream<Path> files = Files.walk(CLASSES.resolve("io"))) {
      return files
          .map(file -> CLASSES.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.replace(".class", "").replace(File.separatorChar, '.'))
          .<Class<?>>map(GoldenFilesTest::load)
          .filter(type -> !Modifier.isAbstract(type.getModifiers()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, GoldenFilesTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everySerializerOfStateHasGoldenBytesOfEachVersion() throws Exception {
    Set<String> found = new TreeSet<>();
    for (Class<?> serializer : ofState()) {
      for (int version = newest(serializer); version > 0; version--) {
        assertTrue(GoldenBytes.resource(GoldenBytes.fileName(serializer, version)).length > 0);
      }
      found.add(serializer.getSimpleName());
    }
    assertTrue(
        found.containsAll(
            Set.of(
                "HeadSerializer",
                "EntrySerializer",
                "ChunkSerializer",
                "BlockSerializer",
                "IdHashSerializer",
                "DueKeySerializer")),
        "found only " + found);
  }

  @Test
  void everySnapshotIsPublicTopLevelAndHasAnEmptyConstructor() throws Exception {
    Set<Class<?>> snapshots =
        CONCRETE.stream()
            .filter(TypeSerializerSnapshot.class::isAssignableFrom)
            .collect(Collectors.toSet());
    assertEquals(ofState().size(), snapshots.size(), "one snapshot a serializer of state");
    for (Class<?> snapshot : snapshots) {
      assertTrue(Modifier.isPublic(snapshot.getModifiers()), snapshot.getName());
      assertEquals(null, snapshot.getEnclosingClass(), snapshot.getName());
      assertTrue(snapshot.getConstructor().canAccess(null), snapshot.getName());
    }
  }

  private static List<Class<?>> ofState() {
    return CONCRETE.stream()
        .filter(TypeSerializer.class::isAssignableFrom)
        .filter(type -> !StreamSerializer.class.isAssignableFrom(type))
        .toList();
  }

  private static int newest(Class<?> serializer) throws ReflectiveOperationException {
    return GoldenBytes.version(
        (TypeSerializer<?>) serializer.getDeclaredConstructor().newInstance());
  }

  @Test
  void fileNamesAreTheWordsOfTheSerializer() throws IOException {
    assertEquals("due-key-v2.bin", GoldenBytes.fileName(DueKeySerializer.class, 2));
  }
}
