package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The content of a call")
class CallContentTest {
  private static final CallTrace.Content CONTENT =
      new CallTrace.Content(Json.array(Json.of("a question")), Json.array(Json.of("an answer")));

  @Test
  @DisplayName("is built when it is first read, once for all destinations")
  void lazy() {
    var builds = new AtomicInteger();
    CallContent content =
        CallContent.of(
            300,
            () -> {
              builds.incrementAndGet();
              return CONTENT;
            });
    assertThat(builds).hasValue(0);
    assertThat(content.bytes()).isEqualTo(300);
    assertThat(content.get()).isSameAs(CONTENT);
    assertThat(content.get()).isSameAs(CONTENT);
    assertThat(builds).hasValue(1);
  }

  @Test
  @DisplayName("can be given when it is already built")
  void alreadyBuilt() {
    CallContent content = CallContent.of(CONTENT);
    assertThat(content.get()).isSameAs(CONTENT);
    assertThat(content.bytes()).isEqualTo(TracedCall.bytes(CONTENT)).isPositive();
  }
}
