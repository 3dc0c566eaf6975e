package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedSpecsTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void copiesDifferInHowOftenTheyWriteMetricsOnly() {
    Path shipped = Path.of("flink-conf/specs");
    WatchedSpecs.write(shipped, directory);
    List<SegmentSpec> before = SpecFiles.load(shipped);
    List<SegmentSpec> copies = SpecFiles.load(directory);
    assertEquals(before.size(), copies.size());
    for (int i = 0; i < copies.size(); i++) {
      assertEquals(20, copies.get(i).metricsEvery());
      assertEquals(before.get(i).name(), copies.get(i).name());
      assertEquals(before.get(i).match(), copies.get(i).match());
      assertEquals(before.get(i).policy(), copies.get(i).policy());
      assertEquals(before.get(i).join(), copies.get(i).join());
    }
  }
}
