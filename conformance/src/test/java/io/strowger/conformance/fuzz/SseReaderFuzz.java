package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.PiecewiseInputStream;
import io.strowger.providers.sse.SseReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

/** Fuzzes the reader with any bytes: at once, byte by byte, in random pieces, in a small buffer. */
@DisplayName("The reader of server-sent events, given any bytes,")
class SseReaderFuzz {
  private static final int MAX_CUTS = 16;
  private static final int SMALL_BUFFER = 32;

  @FuzzTest
  @DisplayName("gives the same events however the bytes are cut into pieces")
  void reads(byte[] input) throws IOException {
    var random = new Random(Arrays.hashCode(input));
    List<String> events = events(new ByteArrayInputStream(input), false);
    assertThat(events(PiecewiseInputStream.byteByByte(input), false)).isEqualTo(events);
    assertThat(events(PiecewiseInputStream.byteByByte(input), true)).isEqualTo(events);
    assertThat(
            events(PiecewiseInputStream.cutAtRandom(input, MAX_CUTS, random), random.nextBoolean()))
        .isEqualTo(events);
    assertBounded(input, events, random);
  }

  /** Asserts that an event that does not fit the buffer is refused, after all events before it. */
  private static void assertBounded(byte[] input, List<String> events, Random random)
      throws IOException {
    var reader =
        new SseReader(PiecewiseInputStream.cutAtRandom(input, MAX_CUTS, random), SMALL_BUFFER);
    var fitting = new ArrayList<String>();
    try {
      while (reader.next()) {
        fitting.add(event(reader));
      }
      assertThat(fitting).isEqualTo(events);
    } catch (SseReader.EventTooLargeException refused) {
      assertThat(events.subList(0, fitting.size())).isEqualTo(fitting);
    }
  }

  private static List<String> events(InputStream in, boolean callsReady) throws IOException {
    var reader = new SseReader(in);
    var events = new ArrayList<String>();
    while (true) {
      if (callsReady) {
        reader.ready();
      }
      boolean found = reader.next();
      if (!found) {
        assertThat(reader.next()).isFalse();
        return events;
      }
      events.add(event(reader));
    }
  }

  private static String event(SseReader reader) {
    byte[] data = Arrays.copyOfRange(reader.buffer(), reader.start(), reader.end());
    return reader.name() + "|" + new String(data, StandardCharsets.ISO_8859_1);
  }
}
