package io.strowger.spi.speech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The text that one speaker says, which the contract calls a turn: a part of the input, not a turn
 * of a call. Voice and instructions are those of the request where the turn has none of its own.
 * Contract: "POST /audio/speech".
 *
 * @param text the text to speak; may be empty
 * @param voice the provider's name of the voice; not empty
 * @param instructions how to speak the text; null when neither the turn nor the request has
 *     instructions
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
