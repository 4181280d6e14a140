package io.strowger.spi.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.JsonOutput;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A transport request")
class TransportTest {
  @Test
  @DisplayName("shows no credential in its string form")
  void secret() {
    var request =
        new Transport.Request(
            URI.create("http://127.0.0.1:1/v1"),
            Map.of("Authorization", "Bearer sk-secret"),
            new JsonOutput(16),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            new Cancellation());
    assertThat(request).hasToString("POST http://127.0.0.1:1/v1, 0 bytes");
  }

  @Test
  @DisplayName("is a POST or a GET without a body")
  void methods() {
    var get = request(Transport.Method.GET, null);
    assertThat(get).hasToString("GET http://127.0.0.1:1/v1, 0 bytes");
    assertThat(request(Transport.Method.POST, null)).isNotEqualTo(get);
    assertThatThrownBy(() -> request(Transport.Method.GET, new JsonOutput(16)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a GET has no body");
  }

  private static Transport.Request request(Transport.Method method, @Nullable JsonOutput body) {
    Duration second = Duration.ofSeconds(1);
    return new Transport.Request(
        method,
        URI.create("http://127.0.0.1:1/v1"),
        Map.of(),
        body,
        second,
        second,
        "",
        new Cancellation());
  }
}
