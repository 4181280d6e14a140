package io.strowger.destinations;

import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the config of a destination. The message of an exception begins with the name of the member
 * and never shows its value, which may be secret.
 *
 * @param config its members are texts, except the object {@code headers}
 */
record ConfigValues(Json.Obj config) {
  /** The header of every test of a connection. */
  private static final String TEST_HEADER = "X-Test-Connection";

  /** A host name, an IPv4 address or an IPv6 address in brackets, then an optional port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");

  private static final int MAX_PORT = 65_535;

  /**
   * Returns a member's text without white space around it.
   *
   * @throws IllegalArgumentException when the member is absent or blank
   */
  String text(String name) {
    String text = config.text(name);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is required");
    }
    return text.strip();
  }

  /** Returns a member's text; the fallback when the member is absent or blank. */
  String text(String name, String fallback) {
    String text = config.text(name);
    return text == null || text.isBlank() ? fallback : text.strip();
  }

  /** Returns a member's text as it is; an empty text when the member is absent. */
  String textOrEmpty(String name) {
    String text = config.text(name);
    return text == null ? "" : text;
  }

  /** Returns a member's text; null when the member is absent or blank. */
  @Nullable String textOrNull(String name) {
    String text = config.text(name);
    return text == null || text.isBlank() ? null : text.strip();
  }

  /**
   * Returns a member's text of a given form.
   *
   * @param expected describes the form, after "must be"
   * @throws IllegalArgumentException when the member is absent or has another form
   */
  String matching(String name, Pattern form, String expected) {
    String text = text(name);
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(name + " must be " + expected);
    }
    return text;
  }

  /**
   * Returns the address a member holds.
   *
   * @throws IllegalArgumentException as {@link #uri(String, String)}
   */
  URI uri(String name) {
    return uri(name, text(name));
  }

  /**
   * Returns an address whose authority is {@code host} or {@code host:port}.
   *
   * @param name of the member, for the message
   * @throws IllegalArgumentException when the text is not an absolute http or https address, names
   *     a user or a password, or has a host that TLS cannot verify
   */
  static URI uri(String name, String text) {
    URI uri = httpUri(text);
    if (uri == null) {
      throw new IllegalArgumentException(
          name + " must be an absolute http or https address without a user or a password");
    }
    if ("https".equalsIgnoreCase(uri.getScheme()) && uri.getRawAuthority().indexOf('_') >= 0) {
      // SNIHostName refuses such a name, so the certificate check would fail at every call
      throw new IllegalArgumentException(
          name + " must be an https address whose host has no underscore");
    }
    return uri;
  }

  private static @Nullable URI httpUri(String text) {
    try {
      var uri = new URI(text);
      String scheme = uri.getScheme();
      boolean http = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
      return http && isHostAndPort(uri.getRawAuthority()) ? uri : null;
    } catch (URISyntaxException malformed) {
      return null; // the caller reports it without the address
    }
  }

  /**
   * Returns whether an authority is a host with an optional port; {@link URI} accepts any, such as
   * {@code h:9000:8443}.
   */
  private static boolean isHostAndPort(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    Matcher parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      return false;
    }
    String port = parts.group(1);
    return port == null || Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= MAX_PORT;
  }

  /** Returns the address, with the given port added when it has none. */
  static URI withDefaultPort(URI uri, int port) {
    String authority = uri.getRawAuthority();
    if (authority.matches(".*:[0-9]+")) {
      return uri;
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return URI.create(uri.getScheme() + "://" + authority + ":" + port + path + query);
  }

  /** Returns an address with a path appended to its own path; its query is kept. */
  static URI appendPath(URI base, String path) {
    String basePath = base.getRawPath() == null ? "" : base.getRawPath();
    while (basePath.endsWith("/")) {
      basePath = basePath.substring(0, basePath.length() - 1);
    }
    String query = base.getRawQuery();
    return URI.create(
        base.getScheme()
            + "://"
            + base.getRawAuthority()
            + basePath
            + path
            + (query == null ? "" : "?" + query));
  }

  /**
   * Returns the given headers and the headers of the config. A header of the config replaces a
   * given one of the same name.
   */
  Map<String, String> headers(Map<String, String> defaults) {
    var merged = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    merged.putAll(defaults);
    Json.Obj configured = config.object("headers");
    for (int i = 0; configured != null && i < configured.size(); i++) {
      if (configured.value(i) instanceof Json.Str value) {
        merged.put(configured.name(i), value.text());
      }
    }
    return Collections.unmodifiableMap(merged);
  }

  /** Returns these headers and the one that marks a test of the connection. */
  static Map<String, String> testHeaders(Map<String, String> headers) {
    var result = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    result.putAll(headers);
    result.put(TEST_HEADER, "true");
    return result;
  }

  /** Returns a fixed text, because a config holds secrets. */
  @Override
  public String toString() {
    return "config of a destination";
  }
}
