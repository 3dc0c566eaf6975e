package io.equipoise.http;

import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import java.util.Locale;
import java.util.Set;

/**
 * Decides whether a request may use its route. With tokens, the token's scope must cover the
 * route's. Without tokens the server listens on loopback only, and the header Host must name a
 * loopback address: a web page under another name that resolves to it cannot call.
 */
final class AccessRule {
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "ip6-localhost");

  private static final String BEARER = "bearer ";

  /** Where the SDKs of Azure Personalizer put their key. */
  private static final String SUBSCRIPTION_KEY = "Ocp-Apim-Subscription-Key";

  private final ApiTokens tokens;

  AccessRule(ApiTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Checks the request.
   *
   * @throws ProblemException if it is not allowed
   */
  void check(Context request) {
    if (!tokens.areRequired()) {
      checkHost(request);
      return;
    }
    TokenScope required = required(request);
    if (required != TokenScope.PUBLIC) {
      TokenScope given =
          tokens
              .scope(token(request))
              .orElseThrow(() -> new ProblemException(HttpCode.UNAUTHORIZED, null));
      if (!given.covers(required)) {
        throw new ProblemException(
            HttpCode.FORBIDDEN,
            "%s %s requires scope write; the token has scope read"
                .formatted(request.method(), request.path()));
      }
    }
  }

  private static void checkHost(Context request) {
    String host = String.valueOf(request.host()).toLowerCase(Locale.ROOT);
    String name = host.replaceFirst(":\\d+$", "");
    if (!LOOPBACK_NAMES.contains(name) && !name.startsWith("127.")) {
      throw new ProblemException(HttpCode.FORBIDDEN, "Host: " + host);
    }
  }

  /** Returns the scope of the matched route. */
  private static TokenScope required(Context request) {
    for (RouteRole role : request.routeRoles()) {
      if (role instanceof TokenScope scope) {
        return scope;
      }
    }
    throw new IllegalStateException("route without a scope: " + request.endpoint().path);
  }

  private static String token(Context request) {
    String header = String.valueOf(request.header("Authorization"));
    if (header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      return header.substring(BEARER.length()).strip();
    }
    String key = request.header(SUBSCRIPTION_KEY);
    return key == null ? "" : key.strip();
  }
}
