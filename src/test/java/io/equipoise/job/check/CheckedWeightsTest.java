package io.equipoise.job.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.refutation.AssumptionPlan;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What {@code check} says that a checkpoint takes. */
class CheckedWeightsTest extends CheckedSpecs {
  /** Of 36 arms; 13 bytes besides: three runs of 12, or 8 for each. */
  @Test
  void aPendingDecisionWeighsItsPropensitiesWhereTheyAreNoSureOnes() throws Exception {
    int sure = pendingBytes("linucb");
    assertEquals(sure, pendingBytes("linucb, constraint: hard"));
    assertEquals(sure + 13 + 3 * 12, pendingBytes("epsilon-greedy, epsilon: 0.1"));
    assertEquals(sure + 13 + 3 * 12, pendingBytes("linucb, explore: {share: 0.1, over: all}"));
    assertEquals(sure + 13 + 36 * 8, pendingBytes("lin-ts"));
    String fair = "linucb, constraint: hard, explore: {share: 0.1, over: fair-set}";
    assertEquals(sure + 13 + 36 * 8, pendingBytes(fair));
  }

  private int pendingBytes(String policy) throws Exception {
    return json(linear(policy).toString()).get("specs").get(0).get("pendingBytes").asInt();
  }

  /**
   * An arm that has learned has a vector of d and a matrix of d(d+1)/2 numbers twice, and the
   * contrast of its two levels.
   */
  @Test
  void aLinearModelWeighsWhatItDoesOnceAllArmsHaveLearned() throws Exception {
    Path file = linear("linucb");
    JsonNode spec = json(file.toString(), "--rate", "1e-9").get("specs").get(0);
    int d = spec.get("features").asInt();
    int ridge = 8 + 66 + 16 * (d + d * (d + 1) / 2);
    int contrast = 200 + 2 * 12 + 8 * d; // its numbers, two levels, a vector of d
    int counts = 24; // of the rewards of all rows, for the width of the index
    int arm = 2 * ridge + counts + 8 + 33 + contrast; // of all rows and of complete ones
    SegmentSpec parsed = SpecParser.parse(SpecFiles.selfContained(file));
    double evidence = AssumptionPlan.of(parsed, CompiledSpec.of(parsed).policy()).bytes();
    assertTrue(evidence > 0);
    double model = 36 * arm + DeltaShares.KEYED_BYTES + evidence;
    assertEquals(model, spec.get("modelBytes").asInt());
    assertEquals(model, spec.get("checkpointBytes").asInt());
    assertEquals(arm, spec.get("ownArmBytes").asInt());
    assertEquals(0, run(file.toString()));
    String own = "earlier spec had, adds up to %.1f kB".formatted(arm / 1e3);
    assertTrue(out.toString().contains(own), out.toString());
    out.getBuffer().setLength(0);
    assertEquals(0, run(file("f-ucb")));
    assertFalse(out.toString().contains("earlier spec had"), out.toString());
  }
}
