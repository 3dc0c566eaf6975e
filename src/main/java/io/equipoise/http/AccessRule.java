package io.equipoise.http;

import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may use its route. With tokens, the token's scope must cover the
 * route's. Without tokens the server listens on loopback only, and the header Host must be a
 * loopback address in its usual form, or the configured name: a web page under another name that
 * resolves to it cannot call. No header may change the method that proxies see.
 */
final class AccessRule {
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "[::1]", "ip6-localhost");

  private static final Pattern LOOPBACK_ADDRESS =
      Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

  private static final Pattern PORT = Pattern.compile(":\\d+$");

  private static final String METHOD_OVERRIDE = "X-HTTP-Method-Override";

  private static final String BEARER = "bearer ";

  /** The header in which the SDKs of Azure Personalizer send their key. */
  private static final String SUBSCRIPTION_KEY = "Ocp-Apim-Subscription-Key";

  private final ApiTokens tokens;
  private final String ownName;

  AccessRule(HttpSettings settings) {
    tokens = settings.tokens();
    ownName = settings.address().toLowerCase(Locale.ROOT);
  }

  /**
   * Checks the request.
   *
   * @throws ProblemException if it is not allowed
   */
  void check(Context request) {
    if (request.header(METHOD_OVERRIDE) != null) {
      throw new ProblemException(
          HttpCode.INVALID_REQUEST, METHOD_OVERRIDE + ": not allowed; send the method itself");
    }
    if (!allowsHost(request.host())) {
      throw new ProblemException(HttpCode.FORBIDDEN, "Host: " + request.host());
    }
    if (!tokens.areRequired()) {
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

  /** Returns whether requests may name this host; with tokens they may name any. */
  boolean allowsHost(@Nullable String host) {
    if (tokens.areRequired()) {
      return true;
    }
    String name = PORT.matcher(String.valueOf(host).toLowerCase(Locale.ROOT)).replaceFirst("");
    return LOOPBACK_NAMES.contains(name)
        || name.equals(ownName)
        || LOOPBACK_ADDRESS.matcher(name).matches();
  }

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
