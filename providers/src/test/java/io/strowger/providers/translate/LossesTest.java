package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.routing.Loss;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The losses of a translation")
class LossesTest {
  private final List<Loss> reported = new ArrayList<>();
  private final Losses losses = new Losses(reported::add);

  @Test
  @DisplayName("are each reported once, however often they occur")
  void once() {
    losses.dropped("seed", "no such parameter");
    losses.dropped("seed", "no such parameter");
    losses.changed("seed", "no such parameter");
    assertThat(reported)
        .containsExactly(
            new Loss("seed", Loss.Kind.DROPPED, "no such parameter"),
            new Loss("seed", Loss.Kind.CHANGED, "no such parameter"));
  }

  @Test
  @DisplayName("are bounded in number and length, with a last entry that stands for the rest")
  void bounded() {
    for (int i = 0; i < 10_000; i++) {
      losses.dropped(i + "x".repeat(10_000), "no form");
    }
    assertThat(reported).hasSize(101);
    assertThat(reported).allMatch(loss -> loss.subject().length() <= 103);
    assertThat(reported.getLast().subject()).isEqualTo("more");
  }
}
