package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.InvalidAlgorithmParameterException;
import java.security.UnrecoverableKeyException;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class KafkaErrorsTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "bootstrap.servers", "b:1",
          "security.protocol", "SASL_SSL",
          "ssl.truststore.location", "/trust.p12",
          "ssl.truststore.password", "hunter1",
          "sasl.jaas.config", "Module required username=\"u\" password=\"hunter2\";");

  private static String explain(Throwable failure) {
    return new KafkaErrors("kafka.", SETTINGS).explain(failure);
  }

  @Test
  void aFailureThatAClientCausedSaysWhatFailedAndWhichOptionToCorrect() {
    KafkaErrors errors = new KafkaErrors("kafka.", SETTINGS);
    KafkaException client = new TopicAuthorizationException("not allowed");
    String fix =
        "kafka.sasl.jaas.config: the brokers do not allow this user to do it (not allowed); add the"
            + " ACL, or name another user";
    assertEquals(fix, errors.message(client));
    assertEquals(
        "reading a failed: " + fix,
        errors.message(new RuntimeException("reading a failed", client)));
    assertEquals("no record", errors.message(new RuntimeException("no record")));
  }

  @Test
  void aMessageThatQuotesASecretIsMasked() {
    for (String quoted : SETTINGS.values()) {
      String told = explain(new SaslAuthenticationException("no entry for " + quoted));
      assertFalse(told.contains("hunter"), told);
    }
    assertTrue(explain(new KafkaException("bad hunter1 and hunter2")).contains("******"));
  }

  @Test
  void whatNoClientCanBeMadeOfNamesItsOption() {
    assertEquals(
        "kafka.ssl.truststore.location: /trust.p12 cannot be used (password was incorrect); correct"
            + " it, or kafka.ssl.truststore.password",
        explain(
            new KafkaException(
                "Failed to load SSL keystore /trust.p12 of type PKCS12",
                new IOException("password was incorrect"))));
    assertEquals(
        "kafka.security.protocol: Invalid value X for configuration security.protocol",
        explain(new ConfigException("Invalid value X for configuration security.protocol")));
    assertEquals(
        "kafka.sasl.jaas.config: No entry in the JAAS configuration",
        explain(new KafkaException("No entry in the JAAS configuration")));
  }

  @Test
  void aStoreIsNamedWithWhatItLacks() {
    String option = "kafka.ssl.truststore.location: /trust.p12 ";
    assertEquals(
        option
            + "cannot be used (there is no such file); correct it, or kafka.ssl.truststore.password",
        explain(new KafkaException("x", new NoSuchFileException("/trust.p12"))));
    assertEquals(
        option
            + "cannot be used (its password is wrong); correct it, or kafka.ssl.truststore.password",
        explain(
            new KafkaException(
                "Failed to load SSL keystore /trust.p12 of type JKS",
                new IOException("Integrity check failed", new UnrecoverableKeyException("no")))));
    assertEquals(
        option + "has no certificate that can be read without kafka.ssl.truststore.password",
        explain(
            new KafkaException(
                "Failed to create an engine",
                new InvalidAlgorithmParameterException("trustAnchors must be non-empty"))));
  }

  @Test
  void aRefusedClientCertificateAndAnotherNameAreToldApart() {
    assertTrue(
        explain(ssl("Received fatal alert: certificate_expired"))
            .startsWith("kafka.ssl.keystore.location: "));
    assertTrue(
        explain(ssl("No subject alternative names matching IP address 10.0.0.1 found"))
            .startsWith("kafka.bootstrap.servers: the brokers' certificate is for other names"));
  }

  @Test
  void aMissingAclIsNoFaultOfTheAddress() {
    assertEquals(
        "kafka.sasl.jaas.config: the brokers do not allow this user to do it (Not authorized to access topics: [a]); add the ACL, or name another user",
        explain(new TopicAuthorizationException(Set.of("a"))));
  }

  private static SslAuthenticationException ssl(String why) {
    return new SslAuthenticationException("SSL handshake failed", new SSLHandshakeException(why));
  }
}
