package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Audio is playable")
class PlayableAudioDetectorTest {
  private static final String MPEG = "audio/mpeg";

  private static byte[] frame(int second, int third, int length) {
    var frame = new byte[length];
    frame[0] = (byte) 0xff;
    frame[1] = (byte) second;
    frame[2] = (byte) third;
    return frame;
  }

  /**
   * Returns the number of bytes after which the audio is playable when they come one at a time; -1
   * when it is not playable with all of them.
   */
  private static int playableAfter(String type, byte[] bytes) {
    PlayableAudioDetector detector = PlayableAudioDetector.of(type);
    for (int i = 0; i < bytes.length; i++) {
      if (detector.appendAndCheck(Event.AudioDelta.of(type, new byte[] {bytes[i]}, 1))) {
        return i + 1;
      }
    }
    return -1;
  }

  @Proves("resources.insurance.speech")
  @Test
  @DisplayName("after one sample of PCM, and after one byte of an unknown format")
  void samples() {
    assertThat(playableAfter("audio/pcm", new byte[9])).isEqualTo(2);
    assertThat(playableAfter("audio/pcm", new byte[1])).isEqualTo(-1);
    assertThat(playableAfter("audio/opus", new byte[9])).isEqualTo(1);
  }

  /** The lengths of the frames follow from their headers. */
  @ParameterizedTest
  @CsvSource({
    "0xfb, 0x90, 417", // MPEG 1 layer III, 128 kbit/s at 44.1 kHz
    "0xfb, 0x92, 418", // the same, padded
    "0xfb, 0x18, 144", // 32 kbit/s at 32 kHz
    "0xfd, 0x84, 384", // MPEG 1 layer II, 128 kbit/s at 48 kHz
    "0xff, 0x10, 32", // MPEG 1 layer I, 32 kbit/s at 44.1 kHz
    "0xf3, 0x80, 208", // MPEG 2 layer III, 64 kbit/s at 22.05 kHz
    "0xe3, 0x48, 288", // MPEG 2.5 layer III, 32 kbit/s at 8 kHz
  })
  @DisplayName("after one whole frame of MPEG audio, whatever its version and layer")
  void frames(String second, String third, int length) {
    byte[] bytes = frame(Integer.decode(second), Integer.decode(third), length + 50);
    assertThat(playableAfter(MPEG, bytes)).isEqualTo(length);
    assertThat(playableAfter(MPEG, Arrays.copyOf(bytes, length - 1))).isEqualTo(-1);
  }

  @Test
  @DisplayName("after a frame that follows a tag and bytes outside of any frame")
  void afterOtherBytes() {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {'I', 'D', '3', 4, 0, 0, 0, 0, 1, 2});
    byte[] tag = new byte[130];
    Arrays.fill(tag, (byte) 0xff); // nothing in a tag is a frame
    bytes.writeBytes(tag);
    bytes.writeBytes(new byte[] {1, (byte) 0xff, 2});
    bytes.writeBytes(frame(0xfb, 0x18, 144));
    assertThat(playableAfter(MPEG, bytes.toByteArray())).isEqualTo(10 + 130 + 3 + 144);
    assertThat(playableAfter(MPEG, "IDLE".getBytes(StandardCharsets.US_ASCII))).isEqualTo(-1);
  }

  @Property
  @DisplayName("after the piece with the same byte, however the bytes are split")
  void anyPieces(
      @ForAll @Size(max = 60) byte[] prefix, @ForAll @IntRange(min = 1, max = 200) int piece) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(prefix);
    bytes.writeBytes(frame(0xfb, 0x18, 144));
    bytes.writeBytes(new byte[300]);
    byte[] all = bytes.toByteArray();
    int expected = playableAfter(MPEG, all);
    PlayableAudioDetector detector = PlayableAudioDetector.of(MPEG);
    int playableAt = -1;
    for (int at = 0; at < all.length && playableAt < 0; at += piece) {
      byte[] next = Arrays.copyOfRange(all, at, Math.min(all.length, at + piece));
      if (detector.appendAndCheck(Event.AudioDelta.of(MPEG, next, next.length))) {
        playableAt = at + next.length;
      }
    }
    assertThat(playableAt < 0).isEqualTo(expected < 0);
    if (expected > 0) {
      assertThat(playableAt).isBetween(expected, expected + piece - 1);
    }
  }
}
