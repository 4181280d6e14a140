package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A simulated model")
class RequestScannerTest {
  private static RequestScanner peek(String body) {
    return Objects.requireNonNull(RequestScanner.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @DisplayName("sees the model, streaming and the wish for usage wherever they stand")
  void sees() {
    RequestScanner requestScanner =
        peek(
            " { \"messages\" : [{\"model\":\"no\",\"content\":\"a \\\"model\\\": } ] \\\\\"}],"
                + "\"n\":1 , \"stream\" : true,\"stream_options\": { \"include_usage\" : true },"
                + "\"model\":\"yes\"}");
    assertThat(requestScanner.model()).isEqualTo("yes");
    assertThat(requestScanner.streaming()).isTrue();
    assertThat(requestScanner.wantsUsage()).isTrue();
  }

  @Test
  @DisplayName("takes what is absent or false for no")
  void absent() {
    RequestScanner requestScanner = peek("{\"stream\":false,\"x\":{\"stream\":true},\"y\":\"\"}");
    assertThat(requestScanner.model()).isNull();
    assertThat(requestScanner.streaming()).isFalse();
    assertThat(requestScanner.wantsUsage()).isFalse();
    assertThat(peek("{}").model()).isNull();
  }

  @Test
  @DisplayName("does not take other bodies for requests")
  void other() {
    for (String body : new String[] {"", "[]", "nonsense", "{\"model\":", "{\"model\":\"", "{"}) {
      assertThat(RequestScanner.of(body.getBytes(StandardCharsets.UTF_8))).as(body).isNull();
    }
  }
}
