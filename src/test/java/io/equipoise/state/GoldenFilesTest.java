package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds that no layout of state is without its committed bytes. */
@Tag("slow")
class GoldenFilesTest {
  private static final List<JavaClass> CONCRETE =
      new ClassFileImporter()
              .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
              .importPackages("io.equipoise")
              .stream()
              .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
              .toList();

  @Test
  void everySerializerOfStateHasGoldenBytesOfEachVersion() throws Exception {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ofState()) {
      Class<?> serializer = Class.forName(type.getName());
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
            .filter(type -> type.isAssignableTo(TypeSerializerSnapshot.class))
            .map(JavaClass::reflect)
            .collect(Collectors.toSet());
    assertEquals(ofState().size(), snapshots.size(), "one snapshot a serializer of state");
    for (Class<?> snapshot : snapshots) {
      assertTrue(java.lang.reflect.Modifier.isPublic(snapshot.getModifiers()), snapshot.getName());
      assertEquals(null, snapshot.getEnclosingClass(), snapshot.getName());
      assertTrue(snapshot.getConstructor().canAccess(null), snapshot.getName());
    }
  }

  private static List<JavaClass> ofState() {
    return CONCRETE.stream()
        .filter(type -> type.isAssignableTo(TypeSerializer.class))
        .filter(type -> !type.isAssignableTo(StreamSerializer.class))
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
