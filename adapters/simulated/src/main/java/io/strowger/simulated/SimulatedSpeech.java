package io.strowger.simulated;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.AudioStream;
import io.strowger.spi.provider.SpeechCall;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.speech.SpeechTurn;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates audio that depends only on the text and the voices. A simulated upstream, which answers
 * {@code POST .../audio/speech}, generates it from the script's text.
 */
final class SimulatedSpeech implements SpeechProvider {
  private static final int SAMPLES_PER_CHARACTER = 64;

  /** A frame of MPEG audio: 32 kbit/s at 32 kHz, one channel, 36 ms of silence. */
  private static final int FRAME_BYTES = 144;

  private static final byte[] FRAME_HEADER = {(byte) 0xff, (byte) 0xfb, 0x18, (byte) 0xc4};

  @Override
  public AudioStream open(SpeechCall call) throws UpstreamException {
    if (call.cancellation().isCancelled()) {
      throw new UpstreamException(Failure.of(FailureKind.CANCELLED, "simulated"));
    }
    var audio = new ByteArrayOutputStream();
    for (SpeechTurn turn : call.request().turns()) {
      audio.writeBytes(audio(call.format(), turn.text(), turn.voice().hashCode()));
    }
    return new InMemoryAudio(mediaType(call.format()), audio.toByteArray());
  }

  /** Returns the audio format that a request asks an upstream for. */
  static String format(Json.Obj body) {
    return Objects.requireNonNullElse(body.text("response_format"), "mp3");
  }

  /** An upstream's answer: always a stream of audio, in as many pieces as the script has. */
  record ScriptedSpeech(Script script, UpstreamProtocol.ParsedRequest parsedRequest)
      implements UpstreamProtocol.AnswerFrames {
    @Override
    public String contentType() {
      return mediaType(parsedRequest.parameter());
    }

    @Override
    public Json.Obj document() {
      throw new IllegalStateException("audio cannot be answered as one document");
    }

    @Override
    public List<byte[]> opening() {
      return List.of();
    }

    @Override
    public List<byte[]> text() {
      return SimulatedChatFrames.pieces(script.text(), script.chunks()).stream()
          .map(piece -> audio(parsedRequest.parameter(), piece, 0))
          .toList();
    }
  }

  private static String mediaType(String format) {
    return format.equals("mp3") ? "audio/mpeg" : "audio/" + format.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns one sound per character of the text, or one for a blank when it is empty: MPEG audio
   * for {@code mp3}, PCM samples otherwise.
   */
  static byte[] audio(String format, String text, int seed) {
    int length = Math.max(1, text.length());
    if (format.equals("mp3")) {
      var frames = new byte[FRAME_BYTES * length];
      for (int i = 0; i < length; i++) {
        System.arraycopy(FRAME_HEADER, 0, frames, FRAME_BYTES * i, FRAME_HEADER.length);
      }
      return frames;
    }
    var samples = new byte[Short.BYTES * SAMPLES_PER_CHARACTER * length];
    for (int i = 0; i < samples.length / Short.BYTES; i++) {
      int letter = text.isEmpty() ? ' ' : text.charAt(i / SAMPLES_PER_CHARACTER);
      int pitch = 8 + (letter + seed & 0x1f);
      int sample = i % SAMPLES_PER_CHARACTER * pitch << 6; // a sawtooth
      samples[Short.BYTES * i] = (byte) sample;
      samples[Short.BYTES * i + 1] = (byte) (sample >> 8);
    }
    return samples;
  }

  @Override
  public void close() {
    // nothing to release
  }

  /** Audio that is held in memory. */
  private static final class InMemoryAudio implements AudioStream {
    private final String mediaType;
    private final byte[] audio;
    private int position;
    private volatile boolean closed;

    InMemoryAudio(String mediaType, byte[] audio) {
      this.mediaType = mediaType;
      this.audio = audio;
    }

    @Override
    public String mediaType() {
      return mediaType;
    }

    @Override
    public int read(byte[] buffer) throws UpstreamException {
      if (closed) {
        throw new UpstreamException(Failure.of(FailureKind.CANCELLED, "simulated"));
      }
      int length = Math.min(buffer.length, audio.length - position);
      System.arraycopy(audio, position, buffer, 0, length);
      position += length;
      return length == 0 ? -1 : length;
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public @Nullable Usage usage() {
      return null;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
