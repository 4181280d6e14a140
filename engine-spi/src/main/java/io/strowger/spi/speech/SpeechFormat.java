package io.strowger.spi.speech;

import java.util.Optional;

/** The audio format of a speech answer. Contract: "POST /audio/speech". */
public enum SpeechFormat {
  MP3("mp3", "audio/mpeg"),
  /** Samples of 16 bits, the low byte first. */
  PCM("pcm", "audio/pcm");

  private final String wireName;
  private final String contentType;

  SpeechFormat(String wireName, String contentType) {
    this.wireName = wireName;
    this.contentType = contentType;
  }

  /** As {@code response_format} says it. */
  public String wireName() {
    return wireName;
  }

  /** The {@code Content-Type} of an answer in this format. */
  public String contentType() {
    return contentType;
  }

  /** Returns the format of this wire name; empty for every other word. */
  public static Optional<SpeechFormat> ofWireName(String wireName) {
    for (SpeechFormat format : values()) {
      if (format.wireName.equals(wireName)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }
}
