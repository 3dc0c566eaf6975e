package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Origin;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PendingPropensities;
import java.io.IOException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntrySerializerTest extends SerializerContract<Entry> {
  EntrySerializerTest() {
    super(new EntrySerializer(), Golden.entries());
  }

  @Override
  Entry random(SplittableRandom random) {
    return new RandomValues(random).entry();
  }

  @Override
  Object parts(Entry entry) {
    return entry;
  }

  @Override
  void change(Entry entry) {}

  private static Entry.PendingDecision awaiting(
      PendingPropensities propensities, double... inputs) {
    return new Entry.PendingDecision(
        1, 2, 3, 4, 5, 6, 6, 7, 0.5, propensities, new int[] {8}, inputs, List.of(), null);
  }

  /** What the Javadoc of {@link EntrySerializer} promises and budgets are made from. */
  @Test
  void anAwaitingDecisionOnThreeVariablesTakes79BytesBehindItsLength() {
    Entry entry =
        new Entry.PendingDecision(
            1,
            2,
            3,
            4,
            5,
            6,
            6,
            7,
            0.5,
            PendingPropensities.SURE,
            new int[] {0, 1, 2},
            new double[0],
            List.of(),
            null);
    assertEquals(Integer.BYTES + 79, Bytes.of(new EntrySerializer(), entry).length);
  }

  @Test
  void aSureChoiceListsNoPropensities() throws IOException {
    String front =
        "00000000000000010000000000000002" // due, bucket
            + "000000000000000300000000000000040000000000000005" // digest, time, seq
            + "0000000600000007" // arm, epoch
            + "3fe0000000000000" // propensity
            + "0000000100000008"; // levels
    String end = "0000000000"; // nothing seen or collected
    assertBytes("00000047" + "0101" + front + end, awaiting(PendingPropensities.SURE));
    assertBytes(
        "0000005b" + "0102" + front + "0000000280000000000000003ff0000000000000" + end,
        awaiting(PendingPropensities.SURE, -0.0, 1));
  }

  @Test
  void propensitiesAreWrittenEachOrInRuns() throws IOException {
    String front =
        "0103" // version, kind
            + "00000000000000010000000000000002" // due, bucket
            + "000000000000000300000000000000040000000000000005" // digest, time, seq
            + "0000000600000007" // arm, epoch
            + "3fe0000000000000" // propensity
            + "0000000100000008" // levels
            + "00000000"; // no inputs
    double[] two = {0.25, 0.75};
    assertBytes(
        "00000068"
            + front
            + "0100000064" // estimated by 100 draws
            + "000000023fd00000000000003fe8000000000000" // values
            + "00000000" // no runs
            + "0000000000", // nothing seen or collected
        awaiting(new PendingPropensities(PropensityKind.ESTIMATED, 100, two, new int[0])));
    assertBytes(
        "00000070"
            + front
            + "0000000000" // exact
            + "000000023fd00000000000003fe8000000000000" // values
            + "000000020000000300000001" // runs
            + "0000000000", // nothing seen or collected
        awaiting(new PendingPropensities(PropensityKind.EXACT, 0, two, new int[] {3, 1})));
  }

  private static void assertBytes(String expected, Entry entry) throws IOException {
    byte[] bytes = Bytes.of(new EntrySerializer(), entry);
    assertEquals(expected, HexFormat.of().formatHex(bytes));
    assertEquals(entry, Bytes.read(new EntrySerializer(), bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "'00000003 00000000', a run without a candidate",
    "'00000003 7fffffff', more than there may be",
    "'7fffffff 7fffffff', a sum beyond an int",
    "'00000003 ffffffff', less than none",
  })
  void runsThatCannotBeAreRefused(String runs) {
    PendingPropensities sound =
        new PendingPropensities(
            PropensityKind.EXACT, 0, new double[] {0.25, 0.75}, new int[] {3, 1});
    byte[] bytes = Bytes.of(new EntrySerializer(), awaiting(sound));
    byte[] hostile = HexFormat.of().parseHex(runs.replace(" ", ""));
    System.arraycopy(hostile, 0, bytes, bytes.length - 5 - hostile.length, hostile.length);
    assertThrows(LayoutException.class, () -> Bytes.read(new EntrySerializer(), bytes));
  }

  @Test
  void aTombstoneOfOneRewardTakes47BytesBehindItsLength() {
    Entry entry =
        new Entry.DedupEntry(
            1, 2, Entry.Resolution.SETTLED, 3, 5, List.of(new Entry.RewardFingerprint(0, 4)));
    assertEquals(Integer.BYTES + 51, Bytes.of(new EntrySerializer(), entry).length);
  }

  @Test
  void aContextAmongHeldRewardsIsRefused() throws IOException {
    LayoutWriter writer = LayoutWriter.take();
    writer.writeInt(0);
    writer.writeByte(1);
    writer.writeByte(0);
    writer.writeLong(1);
    writer.writeLong(2);
    writer.writeInt(1);
    InputLayout.write(
        new ContextEvent(
            "d1", "s", 1, Map.of(), null, null, new Origin("contexts", 0, 0, 0), new byte[0]),
        writer);
    DataOutputSerializer framed = new DataOutputSerializer(64);
    writer.endPart(0);
    framed.write(writer.bytes());
    assertThrows(
        LayoutException.class,
        () ->
            new EntrySerializer().deserialize(new DataInputDeserializer(framed.getCopyOfBuffer())));
  }

  /**
   * Rewards held early keep their original bytes, so an entry may grow to hundreds of megabytes.
   */
  @Test
  @EnabledIfSystemProperty(named = "equipoise.tier", matches = "full")
  void whatCanBeWrittenCanBeRead() throws IOException {
    byte[] large = new byte[1 << 20];
    RewardEvent reward =
        new RewardEvent(
            "d1", null, "s", 1, 0.5, Map.of(), null, new Origin("rewards", 0, 0, 0), large);
    Entry entry = new Entry.EarlyRewards(1, 2, Collections.nCopies(256, reward));
    byte[] bytes = Bytes.of(new EntrySerializer(), entry);
    Entry.EarlyRewards read = (Entry.EarlyRewards) Bytes.read(new EntrySerializer(), bytes);
    assertEquals(256, read.held().size());
  }
}
