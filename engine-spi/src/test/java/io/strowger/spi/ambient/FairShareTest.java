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
  private final List<Integer> yields = new ArrayList<>(); // how much was done before each

  private FairShare of(int share) {
    return new FairShare(share, () -> yields.add(done));
  }

  @Test
  @DisplayName("lets others run whenever it is full, and not before")
  void full() {
    FairShare turn = of(16);
    for (done = 1; done <= 50; done++) {
      turn.advance(1);
    }
    assertThat(yields).containsExactly(16, 32, 48);
  }

  @Test
  @DisplayName("counts amounts, however large one is")
  void amounts() {
    FairShare turn = of(100);
    turn.advance(99);
    assertThat(yields).isEmpty();
    turn.advance(Integer.MAX_VALUE);
    assertThat(yields).hasSize(1);
    turn.advance(99);
    turn.advance(0);
    assertThat(yields).as("begins anew afterwards").hasSize(1);
    turn.advance(1);
    assertThat(yields).hasSize(2);
  }

  @Test
  @DisplayName("is taken of the bytes that are read, one by one or many at once")
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
  @DisplayName("is never nothing")
  void nothing() {
    assertThatThrownBy(() -> of(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
