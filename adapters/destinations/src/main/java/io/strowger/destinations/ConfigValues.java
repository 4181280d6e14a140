package io.strowger.destinations;

import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the config of a destination. What it throws names the member and nothing of its value,
 * which may be secret.
 *
 * @param config everything in it is text, but {@code headers}
 */
record ConfigValues(Json.Obj config) {
  /** The header of every test of a connection. */
  private static final String TEST = "X-Test-Connection";

  /**
   * @throws IllegalArgumentException when there is none
   */
  String text(String name) {
    String text = config.text(name);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is required");
    }
    return text.strip();
  }

  String text(String name, String fallback) {
    String text = config.text(name);
    return text == null || text.isBlank() ? fallback : text.strip();
  }

  /** May be empty. */
  String any(String name) {
    String text = config.text(name);
    return text == null ? "" : text;
  }

  @Nullable String optional(String name) {
    String text = config.text(name);
    return text == null || text.isBlank() ? null : text.strip();
  }

  /**
   * @throws IllegalArgumentException when it is not of this form
   */
  String matching(String name, Pattern form, String allowed) {
    String text = text(name);
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(name + " must be " + allowed);
    }
    return text;
  }

  /**
   * Returns an address.
   *
   * @throws IllegalArgumentException when it is no absolute address of HTTP without a password
   */
  URI uri(String name) {
    return uri(name, text(name));
  }

  static URI uri(String name, String text) {
    try {
      var uri = new URI(text);
      String scheme = uri.getScheme();
      boolean http = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
      String authority = uri.getRawAuthority();
      if (http && authority != null && authority.indexOf('@') < 0) {
        return uri;
      }
    } catch (URISyntaxException malformed) {
      // said below, without the address
    }
    throw new IllegalArgumentException(
        name + " must be an absolute http or https address without a user or a password");
  }

  /** Returns an address that leads below another. */
  static URI below(URI base, String path) {
    String before = base.getRawPath() == null ? "" : base.getRawPath();
    while (before.endsWith("/")) {
      before = before.substring(0, before.length() - 1);
    }
    String query = base.getRawQuery();
    return URI.create(
        base.getScheme()
            + "://"
            + base.getRawAuthority()
            + before
            + path
            + (query == null ? "" : "?" + query));
  }

  /** Returns these headers with those of the config, which win. */
  Map<String, String> headers(Map<String, String> own) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(own);
    Json.Obj given = config.object("headers");
    for (int i = 0; given != null && i < given.size(); i++) {
      if (given.value(i) instanceof Json.Str value) {
        all.put(given.name(i), value.text());
      }
    }
    return Collections.unmodifiableMap(all);
  }

  /** Returns headers of a test of the connection. */
  static Map<String, String> ofTest(Map<String, String> headers) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    all.put(TEST, "true");
    return all;
  }

  /** Shows nothing. */
  @Override
  public String toString() {
    return "config of a destination";
  }
}
