package io.strowger.core.flow;

import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.meter.PromptSize;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.Candidate;
import io.strowger.tck.TestAmbient;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A metered answer")
class MeteredAnswerTest {
  private static final EventStream UNCLOSABLE =
      new EventStream() {
        @Override
        public @Nullable Event next() {
          return null;
        }

        @Override
        public boolean ready() {
          return true;
        }

        @Override
        public void close() {
          throw new IllegalStateException("an adapter's own bug");
        }
      };

  @Test
  @DisplayName("ends, and so is paid, also when the upstream's stream fails to close")
  void unclosable() {
    var ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    var ends = new ArrayList<MeteredAnswer.End>();
    var answer =
        new MeteredAnswer(
            ambient,
            UNCLOSABLE,
            new AnswerPrice(
                Candidate.of(endpoint("alpha", "acme/large", "1")),
                new PromptSize(20, 4, 1),
                0,
                ambient.now(),
                () -> false),
            () -> false,
            ends::add);
    assertThatThrownBy(answer::close).isInstanceOf(IllegalStateException.class);
    assertThat(ends).hasSize(1);
  }
}
