package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Origin;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.hostile.ByteDamage;
import io.equipoise.hostile.Campaign;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.MemorySegmentState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Feeds what opens seals with seals that were damaged, and with damaged texts under good seals. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class HostileSealsTest {
  private static final int COUNT = Tier.count(1_000, 400_000);
  private static final int KEYS = Tier.count(150, 20_000);
  private static final long FIXED_BYTES = 64 << 10;
  private static final long BYTES_PER_BYTE = 250;
  private static final int HEADER_BYTES = 25;

  private final TestBook book = new TestBook().publish(TestSpecs.ucb());
  private final RedactionKey key = TestKeys.of(1);
  private final Unredactor unredactor = new Unredactor(KeyRing.of(key));
  private final Redactor redactor =
      new Redactor(
          SensitiveValues.PSEUDONYMIZE,
          key,
          1,
          hash -> Objects.requireNonNull(book.byHash(hash)).spec());
  private final Decision decision;
  private final FairnessAudit audit;
  private final DeadLetter letter;

  HostileSealsTest() {
    RecordedLog log = new RecordedLog();
    new SegmentMachine(book, () -> 0, 0)
        .onContext(TestContexts.person("d", "a"), new MemorySegmentState(), log);
    decision = redactor.of(log.decisions.get(0));
    audit = redactor.of(log.audits.get(0));
    letter =
        redactor.of(
            DeadLetter.undecodable(
                ErrorCode.MALFORMED,
                "It ends early",
                new Origin("contexts", 0, 7, 8),
                "key".getBytes(StandardCharsets.UTF_8),
                new byte[40]));
  }

  private static byte[] sealed(@Nullable Redaction redaction) {
    return Objects.requireNonNull(Objects.requireNonNull(redaction).ciphertext());
  }

  private Redaction hidden(byte[] sealed) {
    return new Redaction(RedactionMode.PSEUDONYMIZE, key.id(), sealed);
  }

  private boolean opens(Runnable reveal) {
    try {
      reveal.run();
      return true;
    } catch (CiphertextException e) {
      return false;
    }
  }

  /** Only the bytes that were written open, at their place. */
  @Test
  void aDamagedSealIsNoSeal() throws InterruptedException {
    byte[] sealed = sealed(decision.redaction());
    List<byte[]> samples = List.of(sealed, sealed(audit.redaction()), sealed(letter.redaction()));
    new Campaign<>(
            "seals",
            new ByteDamage(samples, samples, HEADER_BYTES),
            bytes -> {
              boolean isTaken = opens(() -> unredactor.reveal(with(decision, hidden(bytes))));
              assertEquals(Arrays.equals(sealed, bytes), isTaken);
              opens(() -> unredactor.reveal(with(audit, hidden(bytes))));
              opens(() -> unredactor.reveal(with(letter, hidden(bytes))));
              return isTaken;
            },
            FIXED_BYTES,
            BYTES_PER_BYTE)
        .run(COUNT);
  }

  /** What a key vouches for may still be of another version, or of a writer that errs. */
  @Test
  void aDamagedTextUnderAGoodSealIsRefusedOrReadAndNothingElse() throws InterruptedException {
    List<byte[]> texts = new ArrayList<>();
    texts.add(text("decision", decision.redaction()));
    texts.add(text("audit", audit.redaction()));
    texts.add(text("letter", letter.redaction()));
    new Campaign<>(
            "sealed texts",
            new ByteDamage(texts, texts, 0),
            bytes -> {
              boolean decisionOpens =
                  opens(() -> unredactor.reveal(with(decision, resealed("decision", bytes))));
              boolean auditOpens =
                  opens(() -> unredactor.reveal(with(audit, resealed("audit", bytes))));
              boolean letterOpens =
                  opens(() -> unredactor.reveal(with(letter, resealed("letter", bytes))));
              return decisionOpens || auditOpens || letterOpens;
            },
            FIXED_BYTES,
            BYTES_PER_BYTE)
        .run(COUNT);
  }

  private byte[] text(String of, @Nullable Redaction redaction) {
    return Objects.requireNonNull(key.open(place(of), sealed(redaction)), of);
  }

  private Redaction resealed(String of, byte[] text) {
    return hidden(key.seal(place(of), text, Padding.ofRecord(text.length)));
  }

  /** The places of the three records, as their veils have them. */
  private byte[] place(String of) {
    return switch (of) {
      case "decision" ->
          new PartWriter()
              .put("decision")
              .put(decision.segment())
              .put(decision.writerEpoch())
              .put(decision.seq())
              .put(decision.decisionId())
              .bytes();
      case "audit" ->
          new PartWriter()
              .put("audit")
              .put(audit.segment())
              .put(audit.writerEpoch())
              .put(audit.seq())
              .put(audit.decisionId())
              .put(audit.effect().attribute())
              .bytes();
      default ->
          new PartWriter()
              .put("dead letter")
              .put(letter.code())
              .put(letter.source().topic())
              .put(letter.source().partition())
              .put(letter.source().offset())
              .bytes();
    };
  }

  @Test
  void aDamagedKeyFileIsAKeyOrRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("key");
    byte[] good =
        Base64.getEncoder()
            .encode("forty bytes of a secret that nobody has..".getBytes(StandardCharsets.UTF_8));
    new Campaign<>(
            "key files",
            new ByteDamage(List.of(good), List.of(good), 0),
            bytes -> {
              Files.write(file, bytes);
              try {
                RedactionKey.read(file);
                return true;
              } catch (UnusableKeyException e) {
                return false;
              }
            },
            4 * FIXED_BYTES,
            BYTES_PER_BYTE)
        .run(KEYS);
  }

  private static Decision with(Decision decision, Redaction redaction) {
    return decision.with(decision.features(), null, decision.sample(), redaction);
  }

  private static FairnessAudit with(FairnessAudit audit, Redaction redaction) {
    return audit.with(audit.effect(), audit.excluded(), redaction);
  }

  private static DeadLetter with(DeadLetter letter, Redaction redaction) {
    return letter.with(letter.code(), letter.message(), List.of(), null, null, redaction);
  }
}
