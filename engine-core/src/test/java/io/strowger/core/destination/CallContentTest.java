package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was said in a call")
class CallContentTest {
  private static final CallTrace.Content SAID =
      new CallTrace.Content(Json.array(Json.of("a question")), Json.array(Json.of("an answer")));

  @Test
  @DisplayName("is put together when it is first looked at, once for all destinations")
  void late() {
    var made = new AtomicInteger();
    CallContent content =
        CallContent.of(
            300,
            () -> {
              made.incrementAndGet();
              return SAID;
            });
    assertThat(made).hasValue(0);
    assertThat(content.bytes()).isEqualTo(300);
    assertThat(content.get()).isSameAs(SAID);
    assertThat(content.get()).isSameAs(SAID);
    assertThat(made).hasValue(1);
  }

  @Test
  @DisplayName("is known from the start where it was put together before")
  void there() {
    CallContent content = CallContent.of(SAID);
    assertThat(content.get()).isSameAs(SAID);
    assertThat(content.bytes()).isEqualTo(TracedCall.bytes(SAID)).isPositive();
  }
}
