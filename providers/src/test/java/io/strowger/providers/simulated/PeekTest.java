package io.strowger.providers.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A simulated model")
class PeekTest {
  private static Peek peek(String body) {
    return Objects.requireNonNull(Peek.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @DisplayName("sees the model, streaming and the wish for usage wherever they stand")
  void sees() {
    Peek peek =
        peek(
            " { \"messages\" : [{\"model\":\"no\",\"content\":\"a \\\"model\\\": } ] \\\\\"}],"
                + "\"n\":1 , \"stream\" : true,\"stream_options\": { \"include_usage\" : true },"
                + "\"model\":\"yes\"}");
    assertThat(peek.model()).isEqualTo("yes");
    assertThat(peek.streaming()).isTrue();
    assertThat(peek.usageWanted()).isTrue();
  }

  @Test
  @DisplayName("takes what is absent or false for no")
  void absent() {
    Peek peek = peek("{\"stream\":false,\"x\":{\"stream\":true},\"y\":\"\"}");
    assertThat(peek.model()).isNull();
    assertThat(peek.streaming()).isFalse();
    assertThat(peek.usageWanted()).isFalse();
    assertThat(peek("{}").model()).isNull();
  }

  @Test
  @DisplayName("does not take other bodies for requests")
  void other() {
    for (String body : new String[] {"", "[]", "nonsense", "{\"model\":", "{\"model\":\"", "{"}) {
      assertThat(Peek.of(body.getBytes(StandardCharsets.UTF_8))).as(body).isNull();
    }
  }
}
