package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.tools.RunCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a start says that does not get through TLS or SASL. */
class SecureStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path directory = Path.of("");
  private static SecureBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = new SecureBroker(directory);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void aWrongPasswordNamesTheOptionWithTheUserAndNotThePassword() {
    assertRefused("kafka.sasl.jaas.config: ", broker.options("wrong-hunter2"), Map.of());
  }

  @Test
  void plainTextToATlsPortNamesTheProtocol() {
    assertRefused(
        "kafka.security.protocol: PLAINTEXT, but " + broker.secureAddress() + " uses TLS",
        Map.of("kafka.bootstrap.servers", broker.secureAddress()),
        Map.of());
  }

  @Test
  void tlsToAPlainPortNamesTheProtocol() {
    String address = broker.broker().bootstrapServers();
    assertRefused(
        "kafka.security.protocol: SASL_SSL, but " + address + " does not use TLS",
        broker.options(SecureBroker.PASSWORD),
        Map.of("kafka.bootstrap.servers", address));
  }

  @Test
  void anExpiredCertificateIsToldWithTheStoreThatMayHoldIt() {
    assertRefused(
        "kafka.ssl.truststore.location: the brokers' certificate is expired or not yet valid",
        broker.options(SecureBroker.PASSWORD),
        Map.of("kafka.bootstrap.servers", broker.expiredAddress()));
  }

  @Test
  void aTrustStoreThatIsNotThereOrForOthersIsNamed() throws Exception {
    Path absent = directory.resolve("absent.pem");
    assertRefused(
        "kafka.ssl.truststore.location: " + absent,
        broker.options(SecureBroker.PASSWORD),
        Map.of("kafka.ssl.truststore.location", absent.toString()));
    Path others = directory.resolve("others");
    Files.createDirectory(others);
    Path strange = new Certificates(others).trustStore();
    assertRefused(
        "kafka.ssl.truststore.location: no certificate in " + strange,
        broker.options(SecureBroker.PASSWORD),
        Map.of("kafka.ssl.truststore.location", strange.toString()));
  }

  @Test
  void aMechanismThatTheBrokersLackAndAnAddressOfNobodyAreNamed() {
    assertRefused(
        "kafka.sasl.mechanism: the brokers do not accept SCRAM-SHA-256",
        broker.options(SecureBroker.PASSWORD),
        Map.of("kafka.sasl.mechanism", "SCRAM-SHA-256"));
    assertRefused(
        "kafka.bootstrap.servers: nothing listens at 127.0.0.1:1",
        Map.of("kafka.bootstrap.servers", "127.0.0.1:1"),
        Map.of());
  }

  @Test
  void theVerbRunTellsItOnOneLineWithoutAStackTrace() {
    StringWriter told = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("--local", "-Dequipoise.deployment=refused"));
    broker
        .options("wrong-hunter2")
        .forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    int exit =
        new CommandLine(new RunCommand())
            .setErr(new PrintWriter(told, true))
            .execute(arguments.toArray(String[]::new));
    assertEquals(1, exit);
    assertTrue(told.toString().contains("kafka.sasl.jaas.config: "), told::toString);
    assertEquals(2, told.toString().lines().count(), told::toString);
    assertFalse(told.toString().contains("hunter2"), told::toString);
  }

  private static void assertRefused(
      String beginning, Map<String, String> options, Map<String, String> changes) {
    Map<String, String> given = new HashMap<>(options);
    given.putAll(changes);
    given.put("equipoise.deployment", "refused");
    given.put("kafka.default.api.timeout.ms", "4000");
    given.put("kafka.request.timeout.ms", "4000");
    JobConfig config = JobConfig.from(Configuration.fromMap(given));
    long start = System.nanoTime();
    StartRefusedException refusal =
        assertThrows(
            StartRefusedException.class,
            () ->
                EquipoiseJob.prepare(config, StreamExecutionEnvironment.createLocalEnvironment(1)));
    assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), "it took long");
    assertEquals(1, refusal.faults().size());
    String fault = refusal.faults().get(0);
    assertTrue(fault.startsWith(beginning), fault);
    for (String told : new String[] {fault, config.toString()}) {
      assertFalse(told.contains("hunter2"), told);
    }
  }
}
