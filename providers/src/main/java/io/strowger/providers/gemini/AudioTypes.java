package io.strowger.providers.gemini;

import java.util.Locale;

/** Converts between the callers' names of audio formats and media types. */
final class AudioTypes {
  private static final String AUDIO = "audio/";

  private AudioTypes() {}

  /** Returns the media type of a format such as {@code mp3}. */
  static String mediaType(String format) {
    String name = format.toLowerCase(Locale.ROOT);
    return switch (name) {
      case "mp3" -> AUDIO + "mpeg";
      case "pcm", "pcm16" -> AUDIO + "pcm";
      case "oga", "opus" -> AUDIO + "ogg";
      default -> name.startsWith(AUDIO) ? name : AUDIO + name;
    };
  }

  /** Returns the format of a media type, whose parameters are ignored. */
  static String format(String mediaType) {
    int parameters = mediaType.indexOf(';');
    String type = parameters < 0 ? mediaType : mediaType.substring(0, parameters);
    String format = type.substring(AUDIO.length()).strip().toLowerCase(Locale.ROOT);
    return switch (format) {
      case "mpeg" -> "mp3";
      case "l16", "pcm" -> "pcm16";
      case "x-wav", "wave" -> "wav";
      default -> format;
    };
  }
}
