package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.equipoise.Tier;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.Wire;
import io.equipoise.hostile.ByteDamage;
import io.equipoise.hostile.Campaign;
import io.equipoise.hostile.TextDamage;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Feeds what reads the control topics with records that were damaged at random. */
@Isolated("measures the heap of the JVM")
class HostileControlsTest {
  private static final List<String> SPECS = specs();
  private static final CatalogLimit LIMIT = new CatalogLimit(1 << 20);

  @Test
  void aDamagedSpecIsRefusedWithItsFaultsOrIsTheSameWhenReadAgain() throws InterruptedException {
    new Campaign<>(
            "specs",
            new TextDamage(SPECS, List.of("[", "{", "- ", "? ", "a: ", "\"", "&a ", "!!a ")),
            text -> {
              CompiledSpec compiled;
              try {
                compiled = SpecParser.parse(text, CompiledSpec::of);
              } catch (SpecException e) {
                assertFalse(e.faults().isEmpty());
                return false;
              }
              assertEquals(compiled.spec().hash(), SpecParser.parse(text).hash());
              return true;
            },
            16 << 20,
            4000)
        .run(Tier.count(80, 20_000));
  }

  @Test
  void aDamagedRecordOfTheSpecsTopicIsRefusedOrIsAGoodSpec() throws InterruptedException {
    List<byte[]> samples = SPECS.stream().map(HostileControlsTest::utf8).toList();
    new Campaign<>(
            "records of specs",
            new ByteDamage(samples, samples, 0),
            bytes -> {
              try {
                new SpecText(
                        new RawControl("specs", 0, 0, 0, utf8("test/" + "0".repeat(32)), bytes))
                    .check(LIMIT);
                return true; // cannot be: a hash of zeros
              } catch (SpecException e) {
                boolean isOnlyTheKey = e.faults().get(0).toString().contains("the record's key");
                return isOnlyTheKey;
              }
            },
            16 << 20,
            4000)
        .run(Tier.count(40, 10_000));
  }

  @Test
  void aDamagedRowOfTheCausalBoundsTopicIsBadOrTheRowOfItsKey() throws InterruptedException {
    List<byte[]> samples = new ArrayList<>();
    for (CausalBound row : TestBounds.set(1, new double[] {0, 1}, new double[] {0, 1}).rows()) {
      samples.add(Wire.CAUSAL_BOUND.encode(row));
    }
    byte[] key =
        CausalBoundKey.of(TestBounds.set(1, new double[] {0, 1}, new double[] {0, 1}).rows().get(0))
            .bytes();
    new Campaign<>(
            "rows of causal bounds",
            new ByteDamage(samples, samples, 10),
            bytes -> {
              var content = new CausalBoundRecord(new RawControl("p", 0, 0, 0, key, bytes)).read();
              if (content instanceof CausalBoundRecord.BoundRow row) {
                assertArrayEquals(key, CausalBoundKey.of(row.bound()).bytes());
                return true;
              }
              assertInstanceOf(CausalBoundRecord.Bad.class, content);
              return false;
            },
            64 << 10,
            250)
        .run(Tier.count(800, 500_000));
  }

  /** Returns those of the tests, and all that are shipped, of every family of policies. */
  private static List<String> specs() {
    List<String> specs = new ArrayList<>(List.of(TestSpecs.ucb(), TestSpecs.dUcb()));
    String range = "{range: [0, 1]}";
    for (String policy : List.of("linucb, constraint: hard", "cclb", "oam, horizon: 100")) {
      specs.add(TestSpecs.text(policy, 1, "{reward-window: 60s}", range, "reject"));
    }
    String search = "csr-v2, samples: 100, control: \"A=left\"";
    specs.add(TestSpecs.experiment(search, 1, "{reward-window: 60s}", range, "reject"));
    for (SegmentSpec spec : SpecFiles.load(Path.of("flink-conf", "specs"))) {
      specs.add(spec.text());
    }
    return specs;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
