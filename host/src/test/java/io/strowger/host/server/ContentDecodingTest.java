package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.strowger.spi.ambient.FairShare;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A decoded body")
@Timeout(60)
class ContentDecodingTest {
  private static final byte[] TEXT =
      ("{\"text\":\"" + "abc ".repeat(5000) + "\"}").getBytes(StandardCharsets.UTF_8);

  private static byte[] encode(String encoding, byte[] plain) throws IOException {
    if (encoding.equals("zstd")) {
      return Zstd.compress(plain);
    }
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static InputStream decoder(String encoding, InputStream encoded) {
    return Objects.requireNonNull(ContentDecoding.of(encoding, encoded));
  }

  private static byte[] decode(String encoding, byte[] encoded) throws IOException {
    try (InputStream in = decoder(encoding, new ByteArrayInputStream(encoded))) {
      return in.readAllBytes();
    }
  }

  private static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** An input that gives one byte at a time, and counts the locks that its reader holds. */
  private static final class SlowInput extends InputStream {
    private final InputStream in;
    private final int before = locksHeld(); // held by the pool that runs the test
    private int mostLocks;

    SlowInput(byte[] bytes) {
      in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() throws IOException {
      mostLocks = Math.max(mostLocks, locksHeld() - before);
      return in.read();
    }

    private static int locksHeld() {
      ThreadInfo reader =
          ManagementFactory.getThreadMXBean()
              .getThreadInfo(new long[] {Thread.currentThread().threadId()}, true, true)[0];
      return reader.getLockedMonitors().length + reader.getLockedSynchronizers().length;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int one = read();
      if (one < 0) {
        return -1;
      }
      into[from] = (byte) one;
      return 1;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @DisplayName("is waited for without a lock, so that a slow client blocks no other client")
  void noLock(String encoding) throws IOException {
    var slow = new SlowInput(encode(encoding, TEXT));
    try (InputStream in = decoder(encoding, slow)) {
      assertThat(in.readAllBytes()).isEqualTo(TEXT);
    }
    assertThat(slow.mostLocks).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @DisplayName(
      "lets other threads run after each share of decoded bytes, however small the encoded body is")
  void fair(String encoding) throws IOException {
    var yields = new AtomicInteger();
    byte[] bomb = encode(encoding, new byte[4 << 20]);
    var fairShare = new FairShare(FairShare.READ_BYTES, yields::incrementAndGet);
    try (InputStream in =
        Objects.requireNonNull(
            ContentDecoding.of(encoding, new ByteArrayInputStream(bomb), fairShare))) {
      byte[] room = new byte[8 << 20];
      assertThat(in.read(room, 0, room.length)).isBetween(1, FairShare.READ_BYTES);
      assertThat(in.readAllBytes().length).isGreaterThan(4_000_000);
    }
    assertThat(yields.get()).isBetween((4 << 20) / FairShare.READ_BYTES / 2, 2000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @DisplayName("may be empty, and may have several parts, each empty or not")
  void parts(String encoding) throws IOException {
    assertThat(decode(encoding, new byte[0])).isEmpty();
    byte[] none = encode(encoding, new byte[0]);
    byte[] one = encode(encoding, TEXT);
    assertThat(decode(encoding, none)).isEmpty();
    assertThat(decode(encoding, join(one, none, one))).isEqualTo(join(TEXT, TEXT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @DisplayName("that is truncated anywhere, or continues after its end, cannot be read")
  void cut(String encoding) throws IOException {
    byte[] one = encode(encoding, "some words".getBytes(StandardCharsets.UTF_8));
    byte[] two = join(one, one);
    for (int length = 1; length < two.length; length++) {
      if (length != one.length) {
        byte[] part = Arrays.copyOf(two, length);
        assertThatThrownBy(() -> decode(encoding, part))
            .as("%d of %d", length, two.length)
            .isInstanceOf(IOException.class);
      }
    }
    for (byte[] rest :
        new byte[][] {{0}, {'x'}, new byte[8], "garbage".getBytes(StandardCharsets.UTF_8)}) {
      assertThatThrownBy(() -> decode(encoding, join(one, rest))).isInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("of gzip may have every optional field in its header")
  void header() throws IOException {
    byte[] plain = encode("gzip", TEXT);
    byte[] head = {
      0x1f, (byte) 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7, 'n', 0, 'c', 0
    };
    var checksum = new CRC32();
    checksum.update(head);
    long sum = checksum.getValue();
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    byte[] good = {(byte) sum, (byte) (sum >> 8)};
    assertThat(decode("gzip", join(head, good, rest))).isEqualTo(TEXT);
    byte[] bad = {(byte) (sum + 1), (byte) (sum >> 8)};
    assertThatThrownBy(() -> decode("gzip", join(head, bad, rest))).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 5, 4, 1})
  @DisplayName("of gzip whose checksum or length is wrong cannot be read")
  void trailer(int fromEnd) throws IOException {
    byte[] body = encode("gzip", TEXT);
    body[body.length - fromEnd]++;
    assertThatThrownBy(() -> decode("gzip", body)).isInstanceOf(IOException.class);
  }
}
