package io.equipoise.job;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LoopbackPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker with three doors: plain text for its owner, who may do anything, and SASL over TLS for
 * the user {@value #USER}, who may do what was allowed, behind a good certificate and an expired
 * one.
 */
final class SecureBroker implements AutoCloseable {
  static final String USER = "job";
  static final String PASSWORD = "sasl-hunter2";

  private final EmbeddedBroker broker;
  private final int securePort = LoopbackPorts.next();
  private final int expiredPort = LoopbackPorts.next();
  private final Path trust;
  private final Admin owner;

  SecureBroker(Path directory) throws Exception {
    Certificates certificates = new Certificates(directory);
    Path good = certificates.keyStore("good", "-validity", "10");
    Path expired = certificates.keyStore("expired", "-startdate", "-10d", "-validity", "1");
    trust = certificates.trustStore();
    broker = EmbeddedBroker.start(properties -> secured(properties, good, expired));
    owner = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    owner
        .alterUserScramCredentials(
            List.of(
                new UserScramCredentialUpsertion(
                    USER, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), PASSWORD)))
        .all()
        .get();
  }

  private Map<String, String> secured(Map<String, String> properties, Path good, Path expired) {
    for (String name : List.of("SECURE", "REWARD_TIMEOUT")) {
      boolean isGood = name.equals("SECURE");
      String address = "," + name + "://127.0.0.1:" + (isGood ? securePort : expiredPort);
      properties.merge("listeners", address, String::concat);
      properties.merge("advertised.listeners", address, String::concat);
      properties.merge("listener.security.protocol.map", "," + name + ":SASL_SSL", String::concat);
      String prefix = "listener.name." + name.toLowerCase(Locale.ROOT) + ".";
      properties.put(prefix + "ssl.keystore.type", "PKCS12");
      properties.put(prefix + "ssl.keystore.location", (isGood ? good : expired).toString());
      properties.put(prefix + "ssl.keystore.password", Certificates.PASSWORD);
      properties.put(prefix + "ssl.key.password", Certificates.PASSWORD);
      properties.put(prefix + "sasl.enabled.mechanisms", "SCRAM-SHA-512");
      properties.put(
          prefix + "scram-sha-512.sasl.jaas.config",
          "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    }
    properties.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
    properties.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    properties.put("super.users", "User:ANONYMOUS");
    return properties;
  }

  EmbeddedBroker broker() {
    return broker;
  }

  String secureAddress() {
    return "127.0.0.1:" + securePort;
  }

  String expiredAddress() {
    return "127.0.0.1:" + expiredPort;
  }

  /** Returns what a client of the secure door needs, as options of the job. */
  Map<String, String> options(String password) {
    return Map.of(
        "kafka.bootstrap.servers",
        secureAddress(),
        "kafka.security.protocol",
        "SASL_SSL",
        "kafka.ssl.truststore.type",
        "PEM",
        "kafka.ssl.truststore.location",
        trust.toString(),
        "kafka.sasl.mechanism",
        "SCRAM-SHA-512",
        "kafka.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(USER, password));
  }

  /** One line of what a user may do. */
  record Grant(ResourceType type, String name, PatternType pattern, AclOperation operation) {
    AclBinding binding() {
      return new AclBinding(
          new ResourcePattern(type, name, pattern),
          new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
    }
  }

  /** Lets the user do this and nothing else. */
  void allowOnly(Collection<Grant> grants) throws ExecutionException, InterruptedException {
    owner.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
    List<AclBinding> bindings = new ArrayList<>();
    grants.forEach(grant -> bindings.add(grant.binding()));
    owner.createAcls(bindings).all().get();
  }

  @Override
  public void close() {
    owner.close();
    broker.close();
  }
}
