package io.equipoise.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** Reads a PKCS12 file with the key and the certificates of a server, before the server listens. */
final class KeystoreFile {
  private final Path file;
  private final KeyStore content;

  private KeystoreFile(Path file, KeyStore content) {
    this.file = file;
    this.content = content;
  }

  /**
   * Reads a file and its keys.
   *
   * @return empty if it is no PKCS12 file with a key
   * @throws UnrecoverableKeyException if the password is not that of the file and its keys
   */
  static Optional<KeystoreFile> read(Path file, String password) throws UnrecoverableKeyException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore content = KeyStore.getInstance("PKCS12");
      content.load(in, password.toCharArray());
      boolean hasKey = false;
      for (String alias : Collections.list(content.aliases())) {
        Key key = content.getKey(alias, password.toCharArray());
        hasKey |= key != null;
      }
      return hasKey ? Optional.of(new KeystoreFile(file, content)) : Optional.empty();
    } catch (UnrecoverableKeyException e) {
      throw e;
    } catch (IOException e) {
      if (e.getCause() instanceof UnrecoverableKeyException wrong) {
        throw wrong;
      }
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  /** Returns a warning with the day for each certificate of a key that is not valid today. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    try {
      for (String alias : Collections.list(content.aliases())) {
        if (content.isKeyEntry(alias)
            && content.getCertificate(alias) instanceof X509Certificate certificate) {
          String warning = warning(certificate);
          if (!warning.isEmpty()) {
            warnings.add(file + ": " + warning);
          }
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key store that was loaded", e);
    }
    return warnings;
  }

  private static String warning(X509Certificate certificate) {
    try {
      certificate.checkValidity();
      return "";
    } catch (CertificateNotYetValidException e) {
      return "the certificate is valid only from %s on; callers refuse it until then"
          .formatted(day(certificate.getNotBefore()));
    } catch (CertificateException e) {
      return "the certificate expired on %s; callers refuse it, renew it"
          .formatted(day(certificate.getNotAfter()));
    }
  }

  private static String day(Date date) {
    return date.toInstant().atOffset(ZoneOffset.UTC).toLocalDate().toString();
  }
}
