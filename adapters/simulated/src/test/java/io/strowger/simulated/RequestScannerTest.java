package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The scanner of requests")
class RequestScannerTest {
  private static RequestScanner scan(String body) {
    return Objects.requireNonNull(RequestScanner.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @DisplayName("finds the model, the stream flag and the request for usage in any order")
  void finds() {
    RequestScanner requestScanner =
        scan(
            " { \"messages\" : [{\"model\":\"no\",\"content\":\"a \\\"model\\\": } ] \\\\\"}],"
                + "\"n\":1 , \"stream\" : true,\"stream_options\": { \"include_usage\" : true },"
                + "\"model\":\"yes\"}");
    assertThat(requestScanner.model()).isEqualTo("yes");
    assertThat(requestScanner.streaming()).isTrue();
    assertThat(requestScanner.wantsUsage()).isTrue();
  }

  @Test
  @DisplayName("takes absent members as false")
  void absent() {
    RequestScanner requestScanner = scan("{\"stream\":false,\"x\":{\"stream\":true},\"y\":\"\"}");
    assertThat(requestScanner.model()).isNull();
    assertThat(requestScanner.streaming()).isFalse();
    assertThat(requestScanner.wantsUsage()).isFalse();
    assertThat(scan("{}").model()).isNull();
  }

  @Test
  @DisplayName("accepts no other bodies")
  void other() {
    for (String body : new String[] {"", "[]", "nonsense", "{\"model\":", "{\"model\":\"", "{"}) {
      assertThat(RequestScanner.of(body.getBytes(StandardCharsets.UTF_8))).as(body).isNull();
    }
  }
}
