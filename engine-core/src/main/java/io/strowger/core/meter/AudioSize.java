package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Computes an upper bound and an estimate of a recording's length from its size, without decoding
 * it. Embeddings fact sheet, {@code /audio/transcriptions}.
 */
public final class AudioSize {
  /** The lowest bit rate of speech: 4 kbit/s. Used when the file does not state a rate. */
  private static final long MIN_BYTES_PER_SECOND = 500;

  /** The usual bit rate of compressed speech: 64 kbit/s. */
  private static final long USUAL_BYTES_PER_SECOND = 8_000;

  /** An upper bound of the tokens that any model counts for a second. */
  private static final long MAX_TOKENS_PER_SECOND = 32;

  private static final int WAVE_HEADER_BYTES = 44;

  private AudioSize() {}

  /**
   * Returns the size of a request.
   *
   * @param members the members of a valid body
   * @param audio the uploaded file; null when there is none
   */
  static PromptSize of(Json.Obj members, @Nullable UploadedFile audio) {
    long seconds = audio == null ? 0 : maxSeconds(audio);
    long bytes = members.get("prompt") instanceof Json.Str prompt ? prompt.utf8Bound() : 0;
    return new PromptSize(
        PromptSize.PER_MESSAGE + bytes + seconds * MAX_TOKENS_PER_SECOND,
        bytes,
        Modality.TEXT.bit(),
        0,
        seconds,
        bytes);
  }

  /**
   * Returns the usage of a transcription. Seconds are at most those that the hold covers. Seconds
   * and the tokens of the text are estimated when they have a price and the upstream reports none.
   *
   * @param reportedUsage the upstream's own count; null when it gave none
   * @param text the transcript
   */
  public static Usage used(
      @Nullable Usage reportedUsage, UploadedFile audio, Json.Str text, Pricing pricing) {
    Usage usage = reportedUsage == null ? Usage.NONE : reportedUsage;
    long seconds = Math.min(usage.seconds(), maxSeconds(audio));
    boolean lacksSeconds = seconds == 0 && pricing.isGiven(Price.SECONDS);
    usage =
        usage.toBuilder()
            .seconds(lacksSeconds ? usualSeconds(audio) : seconds)
            .estimated(usage.isEstimated() || lacksSeconds)
            .build();
    boolean lacksTokens = usage.completionTokens() == 0 && pricing.picos(Price.COMPLETION) > 0;
    return lacksTokens ? usage.withMinimumOutput(DeliveredOutput.tokens(text.utf8Bound())) : usage;
  }

  private static long maxSeconds(UploadedFile audio) {
    long rate = sampleBytesPerSecond(audio);
    return audio.size() / (rate > 0 ? rate : MIN_BYTES_PER_SECOND) + 1;
  }

  private static long usualSeconds(UploadedFile audio) {
    long rate = sampleBytesPerSecond(audio);
    return audio.size() / (rate > 0 ? rate : USUAL_BYTES_PER_SECOND) + 1;
  }

  /**
   * Returns the bytes per second of uncompressed samples whose header fields agree; 0 for every
   * other file, which may be of any length.
   */
  private static long sampleBytesPerSecond(UploadedFile audio) {
    if (audio.size() < WAVE_HEADER_BYTES
        || !isAt(audio, 0, "RIFF")
        || !isAt(audio, 8, "WAVEfmt ")) {
      return 0;
    }
    long channels = number(audio, 22, 2);
    long samples = number(audio, 24, 4);
    long bytes = number(audio, 28, 4);
    long block = number(audio, 32, 2);
    long bits = number(audio, 34, 2);
    boolean isPcm = number(audio, 20, 2) == 1 && bits > 0 && bits % 8 == 0;
    return isPcm && block == channels * bits / 8 && bytes == samples * block ? bytes : 0;
  }

  private static boolean isAt(UploadedFile audio, int offset, String tag) {
    for (int i = 0; i < tag.length(); i++) {
      if (audio.octet(offset + i) != tag.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Reads a little-endian number of this many bytes. */
  private static long number(UploadedFile audio, int offset, int bytes) {
    long number = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      number = number << 8 | audio.octet(offset + i);
    }
    return number;
  }
}
