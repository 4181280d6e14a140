package io.strowger.core.routing;

import java.util.Objects;

/**
 * What a request for speech needs of an endpoint, without a word of its text.
 *
 * @param characters Unicode characters that are spoken; at least 0
 * @param multiSpeaker the text came as turns
 * @param format the format of the sound, such as {@code mp3}
 */
public record SpeechNeeds(long characters, boolean multiSpeaker, String format) {
  public SpeechNeeds {
    Objects.requireNonNull(format, "format");
  }
}
