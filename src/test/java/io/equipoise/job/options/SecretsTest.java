package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka.sasl.jaas.config",
        "kafka.ssl.key.password",
        "kafka.ssl.keystore.key",
        "kafka.ssl.keystore.certificate.chain",
        "kafka.ssl.truststore.certificates",
        "kafka.basic.auth.user.info",
        "kafka.sasl.oauthbearer.client.credentials.client.secret",
        "s3.access-key",
        "s3.secret-key",
        "SSL.KEYSTORE.PASSWORD",
        "some.api.token"
      })
  void valuesOfSecretSettingsAreMasked(String name) {
    assertEquals(Map.of(name, Secrets.MASK), Secrets.mask(Map.of(name, "hunter2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Module required username=\"me\" password=\"hunter2\";",
        "Module required password = \"hunter2\";",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----"
      })
  void valuesThatHoldASecretAreMaskedUnderAnyName(String value) {
    assertEquals(Map.of("harmless", Secrets.MASK), Secrets.mask(Map.of("harmless", value)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka.bootstrap.servers",
        "kafka.security.protocol",
        "kafka.sasl.mechanism",
        "kafka.ssl.keystore.location",
        "equipoise.deployment"
      })
  void otherValuesAreShown(String name) {
    assertEquals(Map.of(name, "plain"), Secrets.mask(Map.of(name, "plain")));
  }

  @Test
  void settingsComeSorted() {
    assertEquals("{a=1, b=2, c=3}", Secrets.mask(Map.of("c", "3", "a", "1", "b", "2")).toString());
  }
}
