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

  private static final BigDecimal SLOWEST = new BigDecimal("0.1");

  private final SpeechProvider provider;
  private final SpeechDecoder decoder = new SpeechDecoder();

  SpeechAdapter(SpeechProvider provider) {
    this.provider = provider;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    SpeechCall asked = asked(call);
    AudioStream audio;
    try {
      audio = provider.open(asked);
    } catch (GatewayException ours) {
      return EventStream.of(List.of(new Event.Failed(ours.error(), null)));
    }
    EventStream events = null;
    try {
      events = new Sounds(audio, contentType(audio.mediaType(), asked.format()), most(call, asked));
      return events;
    } finally {
      if (events == null) {
        audio.close();
      }
    }
  }

  /** Returns the request as it is now: a content filter may have changed its text. */
  private SpeechCall asked(Call call) throws UpstreamException {
    Json.Obj members = call.request().members();
    SpeechRequest request =
        decoder.decode(members.without(ProviderOptions.PROVIDER), new Problems());
    if (request == null) {
      throw new UpstreamException(
          Failure.of(FailureKind.INVALID_REQUEST, "what is left of the input cannot be spoken"));
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
        call.longestSilence(),
        call.cancellation(),
        call.traceparent());
  }

  /** Returns the maximum number of bytes that the audio of a text can have. */
  private static long most(Call call, SpeechCall asked) {
    long characters = PromptSize.of(call.request()).characters();
    return SPARE_BYTES
        + slowness(asked.request().speed())
            .multiply(BigDecimal.valueOf(characters * MAX_BYTES_PER_CHARACTER))
            .longValue();
  }

  /**
   * Returns the inverse of a speed below 1, at most 10; 1 for any other speed, which may have a
   * huge exponent.
   */
  private static BigDecimal slowness(BigDecimal speed) {
    return speed.compareTo(BigDecimal.ONE) >= 0
        ? BigDecimal.ONE
        : BigDecimal.ONE.divide(speed.max(SLOWEST), 2, RoundingMode.UP);
  }

  /**
   * Returns the media type of an answer as the caller gets it.
   *
   * @param given the upstream's media type; null or a generic one is accepted
   * @throws UpstreamException when it is of another format than the requested one
   */
  private static String contentType(@Nullable String given, String format)
      throws UpstreamException {
    String type = bare(given);
    boolean asked =
        switch (type) {
          case "", "application/octet-stream", "binary/octet-stream" -> true;
          default -> formatOf(type).equals(format);
        };
    if (!asked) {
      throw new UpstreamException(
          Failure.of(
              FailureKind.PROTOCOL, "an answer of another type than " + format + " was asked for"));
    }
    return SpeechFormat.ofWireName(format)
        .map(SpeechFormat::contentType)
        .orElseGet(() -> "audio/" + format);
  }

  /** Returns a media type without parameters, in lower case; empty for null. */
  private static String bare(@Nullable String given) {
    if (given == null) {
      return "";
    }
    int parameters = given.indexOf(';');
    return (parameters < 0 ? given : given.substring(0, parameters))
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
  private static final class Sounds implements EventStream {
    private static final int PIECE = 16 << 10;

    private final AudioStream audio;
    private final String contentType;
    private final long most;
    private final byte[] buffer = new byte[PIECE];
    private long passed;
    private @Nullable Event end; // returned after the usage report
    private boolean ended;

    Sounds(AudioStream audio, String contentType, long most) {
      this.audio = audio;
      this.contentType = contentType;
      this.most = most;
    }

    @Override
    public @Nullable Event next() {
      if (ended) {
        return null;
      }
      Event event = end == null ? pull() : end;
      ended = event.isTerminal();
      return event;
    }

    private Event pull() {
      try {
        int read = audio.read(buffer);
        if (read < 0) {
          return atEnd();
        }
        passed += read;
        if (passed > most) {
          audio.close();
          return failed(FailureKind.PROTOCOL, "more sound than the text can take");
        }
        return Event.AudioDelta.of(contentType, buffer, read);
      } catch (UpstreamException broken) {
        return Event.Failed.upstream(broken.failure());
      } catch (GatewayException ours) {
        return new Event.Failed(ours.error(), null);
      }
    }

    private Event atEnd() {
      if (passed == 0) {
        return failed(FailureKind.PROTOCOL, "an answer without sound");
      }
      var finished = new Event.Finished(StopReason.END, null, null);
      Usage usage = audio.usage();
      if (usage == null) {
        return finished;
      }
      end = finished;
      return new Event.UsageReport(usage, null);
    }

    private static Event failed(FailureKind kind, String message) {
      return Event.Failed.upstream(Failure.of(kind, message));
    }

    @Override
    public boolean ready() {
      return ended || end != null || audio.ready();
    }

    @Override
    public void close() {
      audio.close();
    }
  }
}
