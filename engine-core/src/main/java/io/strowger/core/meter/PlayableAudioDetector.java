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

  private final boolean frames;
  private final int least; // bytes that are enough, for a format without frames
  private final byte[] head = new byte[TAG_BYTES];
  private int held; // bytes in head
  private long left; // bytes of a frame or tag that are still to come
  private boolean inFrame; // the remaining bytes belong to a frame
  private boolean begun; // a tag can no longer come
  private long seen;

  private PlayableAudioDetector(boolean frames, int least) {
    this.frames = frames;
    this.least = least;
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
  boolean isUsableWith(Event.AudioDelta piece) {
    seen += piece.size();
    if (!frames) {
      return seen >= least;
    }
    int at = 0;
    while (at < piece.size()) {
      if (left > 0) {
        long skipped = Math.min(left, piece.size() - at);
        left -= skipped;
        at += (int) skipped;
        if (left == 0 && inFrame) {
          return true;
        }
      } else {
        head[held++] = (byte) piece.octet(at++);
        look();
      }
    }
    return false;
  }

  /** Consumes a complete tag or header from the held bytes; drops bytes that are neither. */
  private void look() {
    if (!begun && isTag()) {
      if (held == TAG_BYTES) {
        left =
            (long) (head[6] & 0x7f) << 21
                | (head[7] & 0x7f) << 14
                | (head[8] & 0x7f) << 7
                | head[9] & 0x7f;
        held = 0;
        begun = true;
      }
      return;
    }
    begun = true;
    while (held >= HEADER_BYTES) {
      int length = frameLength();
      if (length > HEADER_BYTES) {
        left = (long) length - held;
        inFrame = true;
        held = 0;
        return;
      }
      System.arraycopy(head, 1, head, 0, --held);
    }
  }

  /** Returns whether the held bytes begin like a tag: {@code ID3}. */
  private boolean isTag() {
    byte[] mark = {'I', 'D', '3'};
    int compared = Math.min(held, mark.length);
    return Arrays.equals(head, 0, compared, mark, 0, compared);
  }

  /**
   * Returns the length in bytes of the frame whose header is held, header included; 0 if it is not
   * a header.
   */
  private int frameLength() {
    int second = head[1] & 0xff;
    int third = head[2] & 0xff;
    int version = second >> 3 & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    int layer = 4 - (second >> 1 & 3);
    int rate = third >> 4;
    int hertz = third >> 2 & 3;
    if ((head[0] & 0xff) != 0xff || second >> 5 != 7 || version == 1 || layer == 4) {
      return 0;
    }
    if (rate == 0 || rate == 15 || hertz == 3) {
      return 0; // the length does not follow from the header
    }
    boolean first = version == 3;
    int bits = kilobits(first, layer)[rate] * 1000;
    int samples = HERTZ[hertz] >> (first ? 0 : version == 2 ? 1 : 2);
    int padding = third >> 1 & 1;
    if (layer == 1) {
      return (12 * bits / samples + padding) * 4;
    }
    int factor = layer == 3 && !first ? 72 : 144;
    return factor * bits / samples + padding;
  }

  private static int[] kilobits(boolean first, int layer) {
    if (!first) {
      return layer == 1 ? KBITS_V2_L1 : KBITS_V2_L23;
    }
    return layer == 1 ? KBITS_V1_L1 : layer == 2 ? KBITS_V1_L2 : KBITS_V1_L3;
  }
}
