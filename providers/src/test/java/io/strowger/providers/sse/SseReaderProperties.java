package io.strowger.providers.sse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests that the reader gives the same events, however a stream is cut into reads. */
class SseReaderProperties {
  private static final String RECORDED =
      ": PROCESSING\n\n"
          + "data: {\"id\":\"c\",\"choices\":[{\"delta\":{\"content\":\"Gr\u00fc\u00dfe \"}}]}\n\n"
          + "event: message\r\ndata: {\"text\":\"\ud83e\udd8a\u2603\"}\r\n\r\n"
          + "data:first\rdata: second\revent: late\rdata: third\r\r"
          + ": ping\n"
          + "data: [DONE]\n\n"
          + "data: cut off";

  /** A stream with reads of random size, which available() sometimes announces. */
  private static final class RandomReads extends InputStream {
    private final byte[] bytes;
    private final Random random;
    private int at;
    private int announced;

    RandomReads(byte[] bytes, long seed) {
      this.bytes = bytes;
      this.random = new Random(seed);
    }

    @Override
    public int available() {
      announced = random.nextBoolean() ? Math.min(random.nextInt(12), bytes.length - at) : 0;
      return announced;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (at == bytes.length) {
        return -1;
      }
      int limit = Math.max(announced, 1 + random.nextInt(16));
      int read = Math.min(Math.min(length, limit), bytes.length - at);
      System.arraycopy(bytes, at, into, offset, read);
      at += read;
      return read;
    }
  }

  private static List<String> read(byte[] bytes, long seed, boolean callsReady) throws IOException {
    var reader = new SseReader(new RandomReads(bytes, seed));
    var random = new Random(~seed);
    var events = new ArrayList<String>();
    while (true) {
      while (callsReady && random.nextBoolean()) {
        reader.ready();
      }
      if (!reader.next()) {
        return events;
      }
      events.add(reader.name() + "|" + SseReaderTest.data(reader));
    }
  }

  @Property
  void anySplitGivesTheSameEvents(@ForAll long seed, @ForAll boolean callsReady)
      throws IOException {
    assertThat(read(RECORDED.getBytes(StandardCharsets.UTF_8), seed, callsReady))
        .containsExactly(
            "|{\"id\":\"c\",\"choices\":[{\"delta\":{\"content\":\"Gr\u00fc\u00dfe \"}}]}",
            "message|{\"text\":\"\ud83e\udd8a\u2603\"}",
            "late|first\nsecond\nthird",
            "|[DONE]");
  }

  @Property
  void anyDataIsReadUnchanged(
      @ForAll("texts") List<String> texts, @ForAll long seed, @ForAll("endings") String end)
      throws IOException {
    var stream = new StringBuilder();
    for (String text : texts) {
      for (String line : text.split("\n", -1)) {
        stream.append("data: ").append(line).append(end);
      }
      stream.append(end);
    }
    assertThat(read(stream.toString().getBytes(StandardCharsets.UTF_8), seed, true))
        .isEqualTo(texts.stream().map(text -> "|" + text).toList());
  }

  @Property
  void arbitraryBytesNeverThrow(@ForAll byte[] bytes, @ForAll long seed) throws IOException {
    assertThat(read(bytes, seed, true)).isEqualTo(read(bytes, 1, false));
  }

  @Property
  void theFastSearchFindsWhatTheSlowOneFinds(@ForAll("lineBytes") byte[] bytes) {
    int slow = 0;
    while (slow < bytes.length && bytes[slow] != '\n' && bytes[slow] != '\r') {
      slow++;
    }
    assertThat(SseReader.LineScanner.end(bytes, 0, bytes.length)).isEqualTo(slow);
  }

  @Provide
  Arbitrary<byte[]> lineBytes() {
    return Arbitraries.bytes()
        .array(byte[].class)
        .ofMaxSize(64)
        .map(
            bytes -> {
              byte[] rarer = Arrays.copyOf(bytes, bytes.length);
              for (int i = 0; i < rarer.length - 3; i++) {
                rarer[i] = rarer[i] == '\n' || rarer[i] == '\r' ? (byte) '\t' : rarer[i];
              }
              return rarer;
            });
  }

  @Provide
  Arbitrary<List<String>> texts() {
    return Arbitraries.strings()
        .withChars('a', ' ', ':', '\n', '\t', '\u00e4', '\u2603')
        .ofMaxLength(40)
        .list()
        .ofMaxSize(8);
  }

  @Provide
  Arbitrary<String> endings() {
    return Arbitraries.of("\n", "\r\n", "\r");
  }
}
