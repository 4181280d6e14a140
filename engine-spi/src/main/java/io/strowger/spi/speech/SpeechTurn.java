package io.strowger.spi.speech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one speaker says, with the request's own voice and instructions filled in where the turn had
 * none. Contract: "POST /audio/speech".
 *
 * @param text the text to speak; may be empty
 * @param voice the provider's name of the voice; not empty
 * @param instructions how to speak it; null when neither turn nor request says
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
