package io.strowger.spi.speech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one speaker says, with the request's own voice and instructions filled in where the turn had
 * none. Contract: "POST /audio/speech".
 *
 * @param text may be empty
 * @param voice the provider's name for who speaks; not empty
 * @param instructions how to say it; null when nobody said
 */
public record SpeechTurn(String text, String voice, @Nullable String instructions) {
  public SpeechTurn {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(voice, "voice");
    if (voice.isEmpty()) {
      throw new IllegalArgumentException("voice must not be empty");
    }
  }
}
