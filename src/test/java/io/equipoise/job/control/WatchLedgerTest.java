package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Records on the topic {@code watch} that are none. */
class WatchLedgerTest {
  private static RawControl raw(long offset, byte... value) {
    return new RawControl("shop.watch", 0, offset, 7, null, value);
  }

  @Test
  void aRecordThatIsNoneIsSkipped() {
    WatchLedger ledger = new WatchLedger();
    assertNull(ledger.on(raw(12, (byte) 'j', (byte) 'u', (byte) 'n', (byte) 'k')));
    assertEquals(List.of(), List.copyOf(ledger.all()));
  }

  /** Without the option of the registry no registration is read, and alpha would be spent twice. */
  @Test
  void recordsOfARegistryAreNoReasonToStartAlphaAgain() {
    WatchLedger ledger = new WatchLedger();
    ledger.on(raw(3, new byte[20]));
    String why =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> ledger.nextNumber("north"))
                .getMessage());
    assertTrue(why.contains("set schema.registry.url"), why);
  }
}
