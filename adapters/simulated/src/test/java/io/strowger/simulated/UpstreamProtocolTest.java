package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reader of requests")
class UpstreamProtocolTest {
  private static UpstreamProtocol.@Nullable ParsedRequest parse(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    var request = new ReceivedRequest(1, "POST", "/v1/chat/completions", Map.of(), bytes);
    return UpstreamProtocol.ALL.getFirst().parseRequest(request);
  }

  private static UpstreamProtocol.ParsedRequest accepted(String body) {
    return Objects.requireNonNull(parse(body));
  }

  @Test
  @DisplayName("finds the model, the stream flag and the request for usage in any order")
  void finds() {
    UpstreamProtocol.ParsedRequest request =
        accepted(
            " { \"messages\" : [{\"model\":\"no\",\"content\":\"a \\\"model\\\": } ] \\\\\"}],"
                + "\"n\":1 , \"stream\" : true,\"stream_options\": { \"include_usage\" : true },"
                + "\"model\":\"yes\"}");
    assertThat(request.model()).isEqualTo("yes");
    assertThat(request.streaming()).isTrue();
    assertThat(request.wantsUsage()).isTrue();
  }

  @Test
  @DisplayName("takes absent members as false")
  void absent() {
    UpstreamProtocol.ParsedRequest request =
        accepted("{\"stream\":false,\"x\":{\"stream\":true},\"y\":\"\"}");
    assertThat(request.model()).isEmpty();
    assertThat(request.streaming()).isFalse();
    assertThat(request.wantsUsage()).isFalse();
    assertThat(accepted("{}").model()).isEmpty();
  }

  @Test
  @DisplayName("accepts no other bodies")
  void other() {
    for (String body : new String[] {"", "[]", "nonsense", "{\"model\":", "{\"model\":\"", "{"}) {
      assertThat(parse(body)).as(body).isNull();
    }
  }
}
