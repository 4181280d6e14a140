package io.strowger.spi.ambient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fair share")
class FairShareTest {
  private int done;
  private final List<Integer> yields = new ArrayList<>(); // the work done before each yield

  private FairShare of(int size) {
    return new FairShare(size, () -> yields.add(done));
  }

  @Test
  @DisplayName("yields whenever it is used up, and not before")
  void full() {
    FairShare share = of(16);
    for (done = 1; done <= 50; done++) {
      share.advance(1);
    }
    assertThat(yields).containsExactly(16, 32, 48);
  }

  @Test
  @DisplayName("counts amounts of any size")
  void amounts() {
    FairShare share = of(100);
    share.advance(99);
    assertThat(yields).isEmpty();
    share.advance(Integer.MAX_VALUE);
    assertThat(yields).hasSize(1);
    share.advance(99);
    share.advance(0);
    assertThat(yields).as("after the share has started again").hasSize(1);
    share.advance(1);
    assertThat(yields).hasSize(2);
  }

  @Test
  @DisplayName("is used up by the bytes that are read, one by one or many at once")
  void bytes() throws IOException {
    var in = FairShare.reading(new ByteArrayInputStream(new byte[250]), of(100));
    assertThat(in.readNBytes(99)).hasSize(99);
    assertThat(yields).isEmpty();
    assertThat(in.read()).isZero();
    assertThat(yields).hasSize(1);
    assertThat(in.readAllBytes()).hasSize(150);
    assertThat(yields).hasSize(2);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  @DisplayName("must be positive")
  void nothing() {
    assertThatThrownBy(() -> of(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
