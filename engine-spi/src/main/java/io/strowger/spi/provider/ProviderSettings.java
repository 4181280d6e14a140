package io.strowger.spi.provider;

import io.strowger.spi.ambient.Ambient;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The settings that an adapter is constructed with: base address, headers, timeouts and helpers.
 *
 * @param slug the provider's slug, for messages
 * @param baseUri the base address of its API, such as {@code https://host/v1}
 * @param headers the headers to send with every request
 * @param connectTimeout the maximum time to connect
 * @param codec the parser for JSON
 * @param ambient the source of time, random numbers and threads
 */
public record ProviderSettings(
    String slug,
    URI baseUri,
    Map<String, String> headers,
    Duration connectTimeout,
    JsonCodec codec,
    Ambient ambient) {
  public ProviderSettings {
    Objects.requireNonNull(slug, "slug");
    Objects.requireNonNull(baseUri, "baseUri");
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers)); // keeps its order
    Objects.requireNonNull(connectTimeout, "connectTimeout");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(ambient, "ambient");
  }

  /** Returns the slug and the address only, since header values may be secrets. */
  @Override
  public String toString() {
    return slug + " at " + baseUri;
  }
}
