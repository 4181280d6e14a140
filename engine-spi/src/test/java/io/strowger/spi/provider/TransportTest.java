package io.strowger.spi.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.JsonOutput;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request to be carried")
class TransportTest {
  @Test
  @DisplayName("shows no credential in text")
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
}
