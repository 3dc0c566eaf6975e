package io.equipoise.job.options;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Masks secrets in everything that is printed. Masks too much rather than too little. */
public final class Secrets {
  public static final String MASK = "******";

  /** Parts of setting names whose values are or contain secrets. */
  private static final List<String> SECRET_NAMES =
      List.of(
          "password",
          "passwd",
          "passphrase",
          "secret",
          "token",
          "credential",
          "jaas",
          "auth.user.info",
          "api-key",
          "api.key",
          "apikey",
          "access-key",
          "access.key",
          "private-key",
          "private.key",
          "account-key",
          "account.key",
          "sas-key",
          "keystore.key",
          "keystore.certificate",
          "truststore.certificates");

  /** Parts of values that indicate a secret under any name. */
  private static final List<String> SECRET_VALUES =
      List.of("password=", "password:", "secret=", "token=", "private key-----");

  private Secrets() {}

  /** Returns the settings sorted by name, with values that look secret masked. */
  public static SortedMap<String, String> mask(Map<String, String> settings) {
    var masked = new TreeMap<String, String>();
    settings.forEach((name, value) -> masked.put(name, isSecret(name, value) ? MASK : value));
    return masked;
  }

  /** Returns whether a setting looks like a secret, by its name or its value. */
  public static boolean isSecret(String name, String value) {
    return containsAny(name, SECRET_NAMES)
        || containsAny(value.replace(" ", ""), SECRET_VALUES)
        || containsAny(value, SECRET_VALUES);
  }

  private static boolean containsAny(String text, List<String> parts) {
    var lower = text.toLowerCase(Locale.ROOT);
    for (var part : parts) {
      if (lower.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
