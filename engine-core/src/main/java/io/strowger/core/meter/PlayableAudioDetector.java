package io.strowger.core.meter;

import io.strowger.spi.model.Event;
import java.util.Arrays;

/**
 * Detects whether enough audio was delivered to be played: one complete frame of MPEG audio, one
 * sample of PCM, or any byte of an unknown format. Looks at each byte once and keeps at most a
 * header. Resources fact sheet, section 13.
 *
 * <p>Confined to one thread.
 */
final class PlayableAudioDetector {
  private static final int SAMPLE_BYTES = 2;
  private static final int HEADER_BYTES = 4;
  private static final int TAG_BYTES = 10;
  private static final int[] KBITS_V1_L1 = {
    0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448
  };
  private static final int[] KBITS_V1_L2 = {
    0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384
  };
  private static final int[] KBITS_V1_L3 = {
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320
  };
  private static final int[] KBITS_V2_L1 = {
    0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256
  };
  private static final int[] KBITS_V2_L23 = {
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160
  };
  private static final int[] HERTZ = {44_100, 48_000, 32_000};

  private final boolean hasFrames;
  private final int minBytes; // bytes that are enough, for a format without frames
  private final byte[] head = new byte[TAG_BYTES];
  private int headLength; // bytes in head
  private long remaining; // bytes of a frame or tag that are still to come
  private boolean inFrame; // the remaining bytes belong to a frame
  private boolean tagPassed; // a tag can no longer come
  private long totalBytes;

  private PlayableAudioDetector(boolean hasFrames, int minBytes) {
    this.hasFrames = hasFrames;
    this.minBytes = minBytes;
  }

  /**
   * Returns a detector for one answer.
   *
   * @param contentType the media type of the answer, as the engine writes it
   */
  static PlayableAudioDetector of(String contentType) {
    return switch (contentType) {
      case "audio/mpeg" -> new PlayableAudioDetector(true, 1);
      case "audio/pcm" -> new PlayableAudioDetector(false, SAMPLE_BYTES);
      default -> new PlayableAudioDetector(false, 1);
    };
  }

  /** Adds the next piece, and returns whether the audio so far can be played. */
  boolean appendAndCheck(Event.AudioDelta piece) {
    totalBytes += piece.size();
    if (!hasFrames) {
      return totalBytes >= minBytes;
    }
    int offset = 0;
    while (offset < piece.size()) {
      if (remaining > 0) {
        long skipped = Math.min(remaining, piece.size() - offset);
        remaining -= skipped;
        offset += (int) skipped;
        if (remaining == 0 && inFrame) {
          return true;
        }
      } else {
        head[headLength++] = (byte) piece.octet(offset++);
        parseHead();
      }
    }
    return false;
  }

  /** Consumes a complete tag or header from the held bytes; drops bytes that are neither. */
  private void parseHead() {
    if (!tagPassed && isTag()) {
      if (headLength == TAG_BYTES) {
        remaining =
            (long) (head[6] & 0x7f) << 21
                | (head[7] & 0x7f) << 14
                | (head[8] & 0x7f) << 7
                | head[9] & 0x7f;
        headLength = 0;
        tagPassed = true;
      }
      return;
    }
    tagPassed = true;
    while (headLength >= HEADER_BYTES) {
      int length = frameLength();
      if (length > HEADER_BYTES) {
        remaining = (long) length - headLength;
        inFrame = true;
        headLength = 0;
        return;
      }
      System.arraycopy(head, 1, head, 0, --headLength);
    }
  }

  /** Returns whether the held bytes begin like a tag: {@code ID3}. */
  private boolean isTag() {
    byte[] id = {'I', 'D', '3'};
    int length = Math.min(headLength, id.length);
    return Arrays.equals(head, 0, length, id, 0, length);
  }

  /**
   * Returns the length in bytes of the frame whose header is held, header included; 0 if the held
   * bytes are not a header.
   */
  private int frameLength() {
    int secondByte = head[1] & 0xff;
    int thirdByte = head[2] & 0xff;
    int version = secondByte >> 3 & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    int layer = 4 - (secondByte >> 1 & 3);
    int bitRateIndex = thirdByte >> 4;
    int sampleRateIndex = thirdByte >> 2 & 3;
    if ((head[0] & 0xff) != 0xff || secondByte >> 5 != 7 || version == 1 || layer == 4) {
      return 0;
    }
    if (bitRateIndex == 0 || bitRateIndex == 15 || sampleRateIndex == 3) {
      return 0; // the length does not follow from the header
    }
    boolean isVersion1 = version == 3;
    int bits = kilobits(isVersion1, layer)[bitRateIndex] * 1000;
    int samples = HERTZ[sampleRateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2);
    int padding = thirdByte >> 1 & 1;
    if (layer == 1) {
      return (12 * bits / samples + padding) * 4;
    }
    int factor = layer == 3 && !isVersion1 ? 72 : 144;
    return factor * bits / samples + padding;
  }

  private static int[] kilobits(boolean isVersion1, int layer) {
    if (!isVersion1) {
      return layer == 1 ? KBITS_V2_L1 : KBITS_V2_L23;
    }
    return layer == 1 ? KBITS_V1_L1 : layer == 2 ? KBITS_V1_L2 : KBITS_V1_L3;
  }
}
