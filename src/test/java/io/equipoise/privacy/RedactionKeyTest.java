package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionKeyTest {
  private static final String SECRET =
      Base64.getEncoder()
          .encodeToString("thirty-two bytes of a dear secret".getBytes(StandardCharsets.UTF_8));

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("key"), text);
  }

  @Test
  void onlyARegularFileHoldsAKey() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    for (Path file : List.of(fifo, directory, Path.of("/dev/zero"))) {
      UnusableKeyException refused =
          assertThrows(UnusableKeyException.class, () -> RedactionKey.read(file));
      assertTrue(
          String.valueOf(refused.getMessage())
              .startsWith(file + " cannot be read (not a regular file)"),
          refused.getMessage());
    }
  }

  @Test
  void aFileIsReadWhateverItsLineEnds() throws IOException {
    String id = RedactionKey.read(file(SECRET)).id();
    assertTrue(id.matches("[0-9a-f]{8}"), id);
    assertEquals(id, RedactionKey.read(file(SECRET + "\r\n")).id());
    String parted = SECRET.substring(0, 20) + "\n" + SECRET.substring(20) + "\n";
    assertEquals(id, RedactionKey.read(file(parted)).id());
  }

  @Test
  void nothingThatIsPrintedTellsTheSecret() throws IOException {
    RedactionKey key = RedactionKey.read(file(SECRET));
    assertEquals("RedactionKey[" + key.id() + "]", key.toString());
    String refusal = refusal(file(SECRET.substring(0, 24)));
    assertFalse(refusal.contains(SECRET.substring(0, 8)), refusal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "c2hvcnQ=", "{key: c2hvcnQ=}", "c2hvcn", "-----BEGIN PRIVATE KEY-----"})
  void whatIsNoKeyIsRefusedWithTheRemedy(String text) throws IOException {
    assertTrue(refusal(file(text)).endsWith("make a key: openssl rand -base64 32 > FILE"));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path missing = directory.resolve("missing");
    assertEquals(
        missing + " cannot be read (NoSuchFileException); put the key into this file",
        refusal(missing));
    assertTrue(refusal(directory).startsWith(directory + " cannot be read"));
  }

  private static String refusal(Path file) {
    return assertThrows(UnusableKeyException.class, () -> RedactionKey.read(file)).getMessage();
  }

  @Test
  void tokensAreOneToOneWithLevelsAndTellVariablesApart() {
    RedactionKey key = TestKeys.of(1);
    assertEquals(key.token("gender", "f"), TestKeys.of(1).token("gender", "f"));
    assertNotEquals(key.token("gender", "f"), key.token("gender", "m"));
    assertNotEquals(key.token("gender", "f"), key.token("sex", "f"));
    assertNotEquals(key.token("ab", "c"), key.token("a", "bc"));
    assertNotEquals(key.token("gender", "f"), TestKeys.of(2).token("gender", "f"));
  }

  /** HKDF by its definition (RFC 5869), for one block. */
  @Test
  void theIdIsDerivedAsTheRfcHasIt() throws Exception {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 1);
    byte[] prk = hmac("equipoise sensitive values 1".getBytes(StandardCharsets.UTF_8), secret);
    byte[] first = hmac(prk, "key id\u0001".getBytes(StandardCharsets.UTF_8));
    assertEquals(HexFormat.of().formatHex(first, 0, 4), TestKeys.of(1).id());
  }

  private static byte[] hmac(byte[] key, byte[] text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text);
  }
}
