package io.strowger.core.config;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.speech.SpeechFormat;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The connection settings of one provider.
 *
 * @param info the provider as routing sees it
 * @param protocol the dialect it speaks, such as {@code openai-chat}
 * @param baseUri the http or https URL below which its API is, without a trailing slash
 * @param credential sent with every request; {@link Credential#NONE} when it needs none
 * @param headers further headers sent with every request; values may be secret
 */
public record ProviderConfig(
    ProviderInfo info,
    String protocol,
    URI baseUri,
    Credential credential,
    Map<String, String> headers) {
  public ProviderConfig {
    Objects.requireNonNull(info, "info");
    Objects.requireNonNull(protocol, "protocol");
    Objects.requireNonNull(baseUri, "baseUri");
    Objects.requireNonNull(credential, "credential");
    headers = Collections.unmodifiableMap(new TreeMap<>(headers)); // Map.copyOf has no stable order
  }

  public String slug() {
    return info.slug();
  }

  /** Returns the default audio formats of its speech endpoints: gemini generates raw PCM only. */
  List<String> audioFormats() {
    return protocol.equals("gemini")
        ? List.of(SpeechFormat.PCM.wireName())
        : Endpoint.DEFAULT_AUDIO_FORMATS;
  }

  /** Leaves the headers out, since their values may be secrets. */
  @Override
  public String toString() {
    return info.slug() + ", " + protocol + " at " + baseUri + ", " + credential;
  }
}
