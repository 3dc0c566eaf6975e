package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.http.ApiTokens;
import io.equipoise.http.TokenScope;
import io.equipoise.job.options.OptionTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayOptionsTest {
  @TempDir private Path directory;

  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void theReferenceHasTheTableOfTheOptions() throws Exception {
    Docs.assertGenerated(
        "docs/reference/options.md",
        GatewayOptionsTest.class,
        page -> OptionTable.replaceIn(page, "gateway", GatewayConfig.options()));
  }

  @Test
  void theDefaultsListenOnLoopbackOnly() {
    GatewayConfig config = config(Map.of());
    assertEquals("http://127.0.0.1:8080", config.http().toString());
  }

  @Test
  void anotherAddressNeedsTokensAndTls() throws Exception {
    Map<String, String> open = new TreeMap<>(Map.of("gateway.address", "0.0.0.0"));
    var refused = assertThrows(InvalidOptionsException.class, () -> config(open));
    assertTrue(refused.getMessage().contains("gateway.tokens-file"), refused::getMessage);
    assertTrue(refused.getMessage().contains("gateway.tls.keystore"), refused::getMessage);
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, ApiTokens.generate("web", TokenScope.WRITE).line());
    open.put("gateway.tokens-file", tokens.toString());
    var plain = assertThrows(InvalidOptionsException.class, () -> config(open));
    assertEquals(1, plain.faults().size(), plain::getMessage);
    open.put("gateway.allow-plain-http", "true");
    assertEquals("http://0.0.0.0:8080", config(open).http().toString());
  }

  @Test
  void mistakesAreReportedTogetherWithWhatIsAllowed() throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "web write secret");
    var refused =
        assertThrows(
            InvalidOptionsException.class,
            () ->
                config(
                    Map.of(
                        "gateway.port", "70000",
                        "gateway.tokens-file", tokens.toString(),
                        "gateway.tokens-fil", "red",
                        "gateway.deadline", "1 min")));
    assertEquals(4, refused.faults().size(), refused::getMessage);
    assertTrue(refused.getMessage().contains("line 1"), refused::getMessage);
    assertTrue(!refused.getMessage().contains("secret"), refused::getMessage);
    assertTrue(
        refused
            .getMessage()
            .contains(
                "gateway.tokens-fil: given an unknown option;"
                    + " allowed: the options of docs/reference/options.md; did you mean gateway.tokens-file?"),
        refused::getMessage);
  }

  @Test
  void aTokensFileErrorSaysOnceWhatIsAllowedAndNamesTheLine() throws Exception {
    Path tokens = directory.resolve("tokens");
    String hash = "a".repeat(64);
    Files.writeString(tokens, "web read x");
    assertEquals(
        "gateway.tokens-file: given '%s'; allowed: lines of NAME read|write HASH, the hash as 64 hexadecimal digits; not so: %s, line 1"
            .formatted(tokens, tokens),
        fault(Map.of("gateway.tokens-file", tokens.toString())));
    Files.writeString(tokens, "web read %s\n\nshop write %s\n".formatted(hash, hash));
    assertEquals(
        "gateway.tokens-file: given '%s'; allowed: each hash once; again: %s, line 3"
            .formatted(tokens, tokens),
        fault(Map.of("gateway.tokens-file", tokens.toString())));
  }

  private static String fault(Map<String, String> given) {
    var refused = assertThrows(InvalidOptionsException.class, () -> config(given));
    assertEquals(1, refused.faults().size(), refused::getMessage);
    return refused.faults().get(0);
  }

  private static GatewayConfig config(Map<String, String> given) {
    Configuration all = Configuration.fromMap(given);
    all.setString("equipoise.deployment", "shop");
    all.setString("kafka.bootstrap.servers", "localhost:9092");
    return GatewayConfig.from(all);
  }
}
