package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.routing.Loss;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is lost in translation")
class LossesTest {
  private final List<Loss> told = new ArrayList<>();
  private final Losses losses = new Losses(told::add);

  @Test
  @DisplayName("is told once, however often it happens")
  void once() {
    losses.dropped("seed", "no such parameter");
    losses.dropped("seed", "no such parameter");
    losses.changed("seed", "no such parameter");
    assertThat(told)
        .containsExactly(
            new Loss("seed", Loss.Kind.DROPPED, "no such parameter"),
            new Loss("seed", Loss.Kind.CHANGED, "no such parameter"));
  }

  @Test
  @DisplayName("makes no long report, whatever callers call their members, and says that it ends")
  void bounded() {
    for (int i = 0; i < 10_000; i++) {
      losses.dropped(i + "x".repeat(10_000), "no form");
    }
    assertThat(told).hasSize(101);
    assertThat(told).allMatch(loss -> loss.subject().length() <= 103);
    assertThat(told.getLast().subject()).isEqualTo("more");
  }
}
