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
 * @param info what routing knows about it
 * @param protocol the dialect it speaks, such as {@code openai-chat}
 * @param baseUri where its API begins, http or https, without a slash at the end
 * @param credential sent with every request; {@link Credential#NONE} when it wants none
 * @param headers sent with every request
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
    headers = Collections.unmodifiableMap(new TreeMap<>(headers)); // a salted order would show
  }

  public String slug() {
    return info.slug();
  }

  /**
   * What its speech endpoints make where the file does not say: samples only, of generated sound.
   */
  List<String> audioFormats() {
    return protocol.equals("gemini")
        ? List.of(SpeechFormat.PCM.wireName())
        : Endpoint.DEFAULT_AUDIO_FORMATS;
  }

  /** Header values may be secrets. */
  @Override
  public String toString() {
    return info.slug() + ", " + protocol + " at " + baseUri + ", " + credential;
  }
}
