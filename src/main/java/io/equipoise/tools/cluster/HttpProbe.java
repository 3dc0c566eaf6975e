package io.equipoise.tools.cluster;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/** Asks a local server whether it is ready. */
final class HttpProbe {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

  private HttpProbe() {}

  /** Returns whether a GET is answered with status 200. */
  static boolean isGood(String address) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(address).toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false; // it does not listen yet
    }
  }
}
