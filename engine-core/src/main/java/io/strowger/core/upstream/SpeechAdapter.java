package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.speech.SpeechDecoder;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.AudioStream;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.SpeechCall;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import io.strowger.spi.speech.SpeechFormat;
import io.strowger.spi.speech.SpeechRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Presents an adapter for speech to the attempt loop, as a stream whose content is audio. The audio
 * is checked here for all adapters: it must have the requested format, must not be empty, and must
 * not be longer than the speech of the text can be. Safe on any thread. Speech fact sheet.
 */
final class SpeechAdapter implements ChatProvider {
  private static final String FORMAT = "response_format";

  /** The maximum audio for one character of the text: a third of a second at 192 kB/s. */
  private static final long MAX_BYTES_PER_CHARACTER = 64 << 10;

  /** Further bytes for texts of few characters: a pause, a laugh, a header. */
  private static final long SPARE_BYTES = 8 << 20;

  private static final BigDecimal MIN_SPEED = new BigDecimal("0.1");

  private final SpeechProvider provider;
  private final SpeechDecoder decoder = new SpeechDecoder();

  SpeechAdapter(SpeechProvider provider) {
    this.provider = provider;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    SpeechCall speechCall = speechCall(call);
    AudioStream audio;
    try {
      audio = provider.open(speechCall);
    } catch (GatewayException e) {
      return EventStream.of(List.of(new Event.Failed(e.error(), null)));
    }
    EventStream events = null;
    try {
      events =
          new AudioEventStream(
              audio,
              contentType(audio.mediaType(), speechCall.format()),
              maxBytes(call, speechCall));
      return events;
    } finally {
      if (events == null) {
        audio.close();
      }
    }
  }

  /** Returns the request as it is now: a content filter may have changed its text. */
  private SpeechCall speechCall(Call call) throws UpstreamException {
    Json.Obj members = call.request().members();
    SpeechRequest request =
        decoder.decode(members.without(ProviderOptions.PROVIDER), new Problems());
    if (request == null) {
      throw new UpstreamException(
          Failure.of(
              FailureKind.INVALID_REQUEST, "the input cannot be spoken after content filters"));
    }
    Json.Obj options = ProviderOptions.of(call);
    String format = options.text(FORMAT);
    if (format != null && !call.endpoint().audioFormats().contains(format)) {
      call.losses()
          .accept(
              new Loss(
                  "provider.options." + FORMAT,
                  Loss.Kind.DROPPED,
                  "the endpoint does not declare this format"));
      format = null;
    }
    return new SpeechCall(
        call.endpoint(),
        call.credential(),
        request,
        format == null ? request.format().wireName() : format,
        options.without(FORMAT),
        call.losses(),
        call.readTimeout(),
        call.cancellation(),
        call.traceparent());
  }

  /** Returns the maximum number of bytes that the audio of a text can have. */
  private static long maxBytes(Call call, SpeechCall speechCall) {
    long characters = PromptSize.of(call.request()).characters();
    return SPARE_BYTES
        + slowness(speechCall.request().speed())
            .multiply(BigDecimal.valueOf(characters * MAX_BYTES_PER_CHARACTER))
            .longValue();
  }

  /**
   * Returns the inverse of a speed below 1, at most 10; 1 for any other speed. Other speeds are not
   * inverted, since a huge exponent would make the division expensive.
   */
  private static BigDecimal slowness(BigDecimal speed) {
    return speed.compareTo(BigDecimal.ONE) >= 0
        ? BigDecimal.ONE
        : BigDecimal.ONE.divide(speed.max(MIN_SPEED), 2, RoundingMode.UP);
  }

  /**
   * Returns the media type of an answer as the caller gets it.
   *
   * @param mediaType the upstream's media type; null or a generic one is accepted
   * @throws UpstreamException when the answer is of another format than the requested one
   */
  private static String contentType(@Nullable String mediaType, String format)
      throws UpstreamException {
    String type = withoutParameters(mediaType);
    boolean isRequestedFormat =
        switch (type) {
          case "", "application/octet-stream", "binary/octet-stream" -> true;
          default -> formatOf(type).equals(format);
        };
    if (!isRequestedFormat) {
      throw new UpstreamException(
          Failure.of(
              FailureKind.PROTOCOL,
              "an answer that is not in the format " + format + ", which was requested"));
    }
    return SpeechFormat.ofWireName(format)
        .map(SpeechFormat::contentType)
        .orElseGet(() -> "audio/" + format);
  }

  /** Returns a media type without parameters, in lower case; empty for null. */
  private static String withoutParameters(@Nullable String mediaType) {
    if (mediaType == null) {
      return "";
    }
    int parameters = mediaType.indexOf(';');
    return (parameters < 0 ? mediaType : mediaType.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the format of a media type; empty when it is not audio. */
  private static String formatOf(String type) {
    return switch (type) {
      case "audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mpeg", "audio/x-mp3" -> "mp3";
      case "audio/pcm", "audio/l16", "audio/x-pcm", "audio/x-l16", "audio/raw", "audio/x-raw" ->
          "pcm";
      case "audio/x-wav", "audio/wave", "audio/vnd.wave" -> "wav";
      default -> type.startsWith("audio/") ? type.substring("audio/".length()) : "";
    };
  }

  @Override
  public Json body(Call call) {
    return call.request().members();
  }

  @Override
  public void close() {
    provider.close();
  }

  /** Audio as events. Read by one thread, closed by any. */
  private static final class AudioEventStream implements EventStream {
    private static final int BUFFER_BYTES = 16 << 10;

    private final AudioStream audio;
    private final String contentType;
    private final long maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long passedBytes;
    private @Nullable Event finalEvent; // returned after the usage report
    private boolean isEnded;

    AudioEventStream(AudioStream audio, String contentType, long maxBytes) {
      this.audio = audio;
      this.contentType = contentType;
      this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable Event next() {
      if (isEnded) {
        return null;
      }
      Event event = finalEvent == null ? pull() : finalEvent;
      isEnded = event.isTerminal();
      return event;
    }

    private Event pull() {
      try {
        int count = audio.read(buffer);
        if (count < 0) {
          return finish();
        }
        passedBytes += count;
        if (passedBytes > maxBytes) {
          audio.close();
          return failure(FailureKind.PROTOCOL, "more audio than the text can produce");
        }
        return Event.AudioDelta.of(contentType, buffer, count);
      } catch (UpstreamException e) {
        return Event.Failed.upstream(e.failure());
      } catch (GatewayException e) {
        return new Event.Failed(e.error(), null);
      }
    }

    private Event finish() {
      if (passedBytes == 0) {
        return failure(FailureKind.PROTOCOL, "an answer without audio");
      }
      var finished = new Event.Finished(StopReason.END, null, null);
      Usage usage = audio.usage();
      if (usage == null) {
        return finished;
      }
      finalEvent = finished;
      return new Event.UsageReport(usage, null);
    }

    private static Event failure(FailureKind kind, String message) {
      return Event.Failed.upstream(Failure.of(kind, message));
    }

    @Override
    public boolean ready() {
      return isEnded || finalEvent != null || audio.ready();
    }

    @Override
    public void close() {
      audio.close();
    }
  }
}
