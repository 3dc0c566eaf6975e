package io.equipoise.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.job.options.OptionReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeystoreFileTest {
  private static final HttpOptions OPTIONS = new HttpOptions("gateway", 8080);

  @TempDir private Path directory;

  @Test
  void aKeystoreThatCannotBeUsedIsRefusedWithItsOptionAndFix() throws Exception {
    Path good = keystore("good.p12", "-1d");
    byte[] bytes = Files.readAllBytes(good);
    Path cut = Files.write(directory.resolve("cut.p12"), Arrays.copyOf(bytes, bytes.length / 2));
    Path junk = Files.writeString(directory.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----");
    assertEquals(
        "gateway.tls.keystore: given 'none.p12'; allowed: a file that exists",
        fault(keystore(Path.of("none.p12"), "secret")));
    for (Path file : List.of(cut, junk, directory)) {
      assertEquals(
          "gateway.tls.keystore: given '%s'; allowed: a whole PKCS12 file with a key; make one from PEM files with openssl pkcs12 -export"
              .formatted(file),
          fault(keystore(file, "secret")));
    }
    assertEquals(
        "gateway.tls.keystore-password: given another password; allowed: the password of %s and its key"
            .formatted(good),
        fault(keystore(good, "wrong")));
    assertEquals(
        "gateway.tls.keystore-password: given nothing; allowed: the password of %s and its key"
            .formatted(good),
        fault(Map.of("gateway.tls.keystore", good.toString())));
    assertEquals(
        "gateway.tls.keystore: given nothing; allowed: a keystore, because gateway.tls.keystore-password is set; or neither",
        fault(Map.of("gateway.tls.keystore-password", "secret")));
    OptionReader sound = reader(keystore(good, "secret"));
    assertEquals("https://127.0.0.1:8080", OPTIONS.read(sound).toString());
    sound.refuseFaults();
  }

  @Test
  void aCertificateThatIsNotValidTodayIsWarnedOf() throws Exception {
    Path old = keystore("old.p12", "2020/01/01");
    Path early = keystore("early.p12", "2120/01/01");
    assertEquals(
        List.of(old + ": the certificate expired on 2020-03-31; callers refuse it, renew it"),
        KeystoreFile.read(old, "secret").orElseThrow().warnings());
    assertEquals(
        List.of(
            early
                + ": the certificate is valid only from 2120-01-01 on; callers refuse it until then"),
        KeystoreFile.read(early, "secret").orElseThrow().warnings());
  }

  private static Map<String, String> keystore(Path file, String password) {
    return Map.of(
        "gateway.tls.keystore", file.toString(), "gateway.tls.keystore-password", password);
  }

  /** Makes a keystore whose certificate is valid for 90 days. */
  private Path keystore(String name, String start) throws Exception {
    Path file = directory.resolve(name);
    Process keytool =
        new ProcessBuilder(
                (Path.of(System.getProperty("java.home"), "bin", "keytool")
                        + " -J-Duser.timezone=UTC -genkeypair -alias server -keyalg EC"
                        + " -dname CN=localhost -startdate "
                        + start
                        + " -storetype PKCS12 -storepass secret -keystore "
                        + file)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, keytool.waitFor(), said);
    return file;
  }

  private static OptionReader reader(Map<String, String> given) {
    return new OptionReader(Configuration.fromMap(given));
  }

  private static String fault(Map<String, String> given) {
    OptionReader reader = reader(given);
    OPTIONS.read(reader);
    var refused = assertThrows(InvalidOptionsException.class, reader::refuseFaults);
    assertEquals(1, refused.faults().size(), refused::getMessage);
    return refused.faults().get(0);
  }
}
