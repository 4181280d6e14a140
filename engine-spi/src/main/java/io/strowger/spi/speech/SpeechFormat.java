package io.strowger.spi.speech;

import java.util.Optional;

/** The audio format of a speech answer. Contract: "POST /audio/speech". */
public enum SpeechFormat {
  MP3("mp3", "audio/mpeg"),
  /** Raw samples of 16 bits, little-endian. */
  PCM("pcm", "audio/pcm");

  private final String wireName;
  private final String contentType;

  SpeechFormat(String wireName, String contentType) {
    this.wireName = wireName;
    this.contentType = contentType;
  }

  /** Returns the name of the format in {@code response_format}. */
  public String wireName() {
    return wireName;
  }

  /** Returns the {@code Content-Type} of an answer in this format. */
  public String contentType() {
    return contentType;
  }

  /** Returns the format with this wire name; empty when there is none. */
  public static Optional<SpeechFormat> ofWireName(String wireName) {
    for (SpeechFormat format : values()) {
      if (format.wireName.equals(wireName)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }
}
