package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is written in one piece to a client")
class PiecewiseOutputTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_384, 16_385, 1_000_000})
  @DisplayName("is written in pieces that a slow client takes in a second, and is whole")
  void pieces(int length) throws IOException {
    List<Integer> sizes = new ArrayList<>();
    var written = new ByteArrayOutputStream();
    var target =
        new OutputStream() {
          @Override
          public void write(int one) {
            sizes.add(1);
            written.write(one);
          }

          @Override
          public void write(byte[] bytes, int offset, int count) {
            sizes.add(count);
            written.write(bytes, offset, count);
          }
        };
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    try (var out = new PiecewiseOutput(target)) {
      out.write(bytes);
    }
    assertThat(written.toByteArray()).isEqualTo(bytes);
    assertThat(sizes).hasSize(Math.ceilDiv(length, PiecewiseOutput.PIECE));
    assertThat(sizes).allMatch(size -> size <= PiecewiseOutput.PIECE);
  }
}
