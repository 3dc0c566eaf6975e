package io.equipoise.job.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.Certificates;
import io.equipoise.job.options.JobOptions;
import io.equipoise.registry.SchemaRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaRegistryTest {
  private static final String SUBJECT = "shop.contexts-value";
  private static final String NOBODY = "http://127.0.0.1:1";

  @TempDir private Path directory;

  @Test
  void aSchemaIsRegisteredOnceAndFoundByItsId() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      SchemaRegistry client = client(registry.url(), Map.of());
      assertEquals(Map.of(), client.versions(SUBJECT));
      int id = client.register(SUBJECT, Wire.CONTEXT.schema());
      assertEquals(id, client.register(SUBJECT, Wire.CONTEXT.schema()));
      assertNotEquals(id, client.register(SUBJECT, Wire.REWARD.schema()));
      assertEquals(id, client.find(SUBJECT, Wire.CONTEXT.schema()));
      assertEquals(Wire.CONTEXT.schema(), client.schema(id));
      assertEquals(2, client.versions(SUBJECT).size());
      assertNull(client.schema(99));
    }
  }

  @Test
  void refusalsHaveTheWordsOfTheRegistry() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      SchemaRegistry client = client(registry.url(), Map.of());
      Schema schema = Wire.CONTEXT.schema();
      var refused =
          assertThrows(
              SchemaRegistry.RefusedException.class,
              () -> client.register("incompatible-value", schema));
      assertTrue(refused.getMessage().contains("READER_FIELD_MISSING_DEFAULT_VALUE"));
      assertThrows(SchemaRegistry.RefusedException.class, () -> client.find(SUBJECT, schema));
    }
  }

  @Test
  void theNextUrlAnswersForOneThatDoesNot() throws IOException {
    try (TestRegistry registry = new TestRegistry();
        TestRegistry failing = new TestRegistry()) {
      failing.failures.set(1);
      SchemaRegistry client =
          client(NOBODY + "," + failing.url() + "/, " + registry.url(), Map.of());
      int id = client.register(SUBJECT, Wire.CONTEXT.schema());
      assertEquals(Map.of(id, Wire.CONTEXT.schema().toString()), registryOf(registry));
      IOException none =
          assertThrows(IOException.class, () -> client(NOBODY, Map.of()).versions(SUBJECT));
      assertTrue(none.getMessage().startsWith(NOBODY + " cannot be reached"), none.getMessage());
    }
  }

  /** Its records would name a schema that nobody finds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[[[1]]]]",
        "{\"id\":\"12\",\"schema\":5}",
        "{\"id\":-5,\"schema\":\"{\"}",
        "{\"id\":99999999999999999999}",
        "{\"id\":1.5}",
        "{}",
        "<html>",
        "{\"id\": NaN}",
        ""
      })
  void whatIsNoIdIsRefused(String answer) throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      registry.canned = answer;
      SchemaRegistry client = client(registry.url(), Map.of());
      Schema schema = Wire.CONTEXT.schema();
      for (Executable asked :
          List.<Executable>of(
              () -> client.register(SUBJECT, schema), () -> client.find(SUBJECT, schema))) {
        String why = String.valueOf(assertThrows(IOException.class, asked).getMessage());
        assertTrue(why.contains("schema registry") && !why.contains("Exception"), why);
      }
    }
  }

  @Test
  void anAnswerWithoutEndIsRefused() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      registry.canned = "x".repeat(17 << 20);
      SchemaRegistry client = client(registry.url(), Map.of());
      String why =
          String.valueOf(
              assertThrows(IOException.class, () -> client.versions(SUBJECT)).getMessage());
      assertTrue(why.endsWith("the answer is longer than 16 MiB"), why);
    }
  }

  private static Map<Integer, String> registryOf(TestRegistry registry) throws IOException {
    return client(registry.url(), Map.of()).versions(SUBJECT);
  }

  @Test
  void aCommandWaitsForItsTimeoutOnly() {
    WriterSchemas schemas =
        Frames.schemas(
            Map.of(JobOptions.REGISTRY_URL.key(), NOBODY),
            Duration.ofMillis(1),
            InconclusiveException::new);
    byte[] value = {0, 0, 0, 0, 7, 1};
    String why =
        String.valueOf(
            assertThrows(
                    InconclusiveException.class, () -> schemas.decode(Wire.CAUSAL_BOUND, value))
                .getMessage());
    assertTrue(why.contains("schema.registry.url did not return the schema of id 7"), why);
  }

  @Test
  void whoForgetsTheRegistryReadsItsName() {
    byte[] value = new byte[20];
    String why =
        String.valueOf(
            assertThrows(WireException.class, () -> Wire.DECISION.decode(value)).getMessage());
    assertTrue(why.endsWith("may be in Confluent's format: set schema.registry.url"), why);
  }

  @Test
  void anUnknownIdWaitsUntilTheRegistryAnswers() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      int id = registry.register(SUBJECT, Wire.CONTEXT.schema());
      registry.failures.set(2);
      assertEquals(Wire.CONTEXT.schema(), client(registry.url(), Map.of()).schema(id));
      assertEquals(3, registry.requests.get());
    }
  }

  @Test
  void aSchemaOfTheSettingsNeedsNoRegistry() {
    Map<String, String> known = Map.of("schema.registry.schema.5", Wire.REWARD.schema().toString());
    assertEquals(Wire.REWARD.schema(), client(NOBODY, known).schema(5));
  }

  @Test
  void anInterruptedThreadDoesNotWait() {
    SchemaRegistry client = client(NOBODY, Map.of()); // an interrupt would fail what it loads
    Thread.currentThread().interrupt();
    assertThrows(IllegalStateException.class, () -> client.schema(5));
    assertTrue(Thread.interrupted());
  }

  @Test
  void credentialsAreSent() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      client(registry.url(), Map.of("schema.registry.basic.auth.user.info", "ann:secret"))
          .versions(SUBJECT);
      assertEquals("Basic YW5uOnNlY3JldA==", registry.authorization());
      client(registry.url(), Map.of("schema.registry.bearer.auth.token", "abc")).versions(SUBJECT);
      assertEquals("Bearer abc", registry.authorization());
    }
  }

  @Test
  void aCertificateIsTrustedBySettingsOfAKafkaClient() throws Exception {
    Certificates certificates = new Certificates(directory);
    Path store = certificates.keyStore("registry");
    char[] password = Certificates.PASSWORD.toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(keys, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(factory.getKeyManagers(), null, null);
    Map<String, String> trust =
        Map.of(
            "schema.registry.ssl.truststore.type",
            "PEM",
            "schema.registry.ssl.truststore.location",
            certificates.trustStore().toString());
    try (TestRegistry registry = TestRegistry.withTls(tls)) {
      assertEquals(Map.of(), client(registry.url(), trust).versions(SUBJECT));
      assertThrows(IOException.class, () -> client(registry.url(), Map.of()).versions(SUBJECT));
    }
  }

  private static SchemaRegistry client(String url, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("schema.registry.url", url);
    return Frames.registry(settings);
  }
}
