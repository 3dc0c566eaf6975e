package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecPublisherTest {
  @TempDir private Path directory;

  /** A file that was edited by hand kept a cluster from starting, without a way on. */
  @Test
  void anEditedFileIsNamedWithBothWaysOn() throws Exception {
    Path file = directory.resolve("a.yaml");
    Files.writeString(
        file,
        TestSpecs.text(
            "epsilon-greedy, epsilon: 0.1",
            2,
            "{reward-window: 60s}",
            "{range: [0, 1]}",
            "reject"));
    SegmentSpec published = SpecFiles.load(file).get(0);
    byte[] key = published.key().getBytes(StandardCharsets.UTF_8);
    byte[] text = published.text().getBytes(StandardCharsets.UTF_8);
    SpecHistory history =
        SpecHistory.of(
            List.of(new RawControl("specs", 0, 0, 0, key, text)), new CatalogLimit(1 << 20));
    Files.writeString(file, published.text() + "# edited\n");
    Configuration settings = new Configuration();
    settings.setString("equipoise.deployment", "site");
    settings.setString("kafka.bootstrap.servers", "localhost:1");
    StartRefusedException refused =
        assertThrows(
            StartRefusedException.class,
            () ->
                new SpecPublisher(JobConfig.from(settings))
                    .refuseOutdated(SpecFiles.load(directory), history, List.of(directory)));
    String name = published.name();
    assertEquals(
        List.of(
            (file + ": spec %s version 2: the topic site.specs has another text under version 2;")
                    .formatted(name)
                + " give yours version 3 or higher to publish it, or keep the topic's with"
                + " `equipoise specs show %s > %s`".formatted(name, file)),
        refused.faults());
    Files.writeString(file, published.text().replace("version: 2", "version: 1"));
    StartRefusedException behind =
        assertThrows(
            StartRefusedException.class,
            () ->
                new SpecPublisher(JobConfig.from(settings))
                    .refuseOutdated(SpecFiles.load(directory), history, List.of(directory)));
    assertTrue(
        behind
            .faults()
            .get(0)
            .contains("version 1: the topic site.specs has gone on to version 2; give yours"),
        behind.getMessage());
  }
}
