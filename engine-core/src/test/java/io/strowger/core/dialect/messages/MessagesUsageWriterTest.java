package io.strowger.core.dialect.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The usage of a message")
class MessagesUsageWriterTest {
  @Proves({"message.usage", "messages.answer.usage"})
  @Test
  @DisplayName("has cache reads and writes beside the input, and the writes by their time to live")
  void caches() {
    Usage usage =
        Usage.builder().freshInput(1).cacheRead(2).cacheWrite5m(4).cacheWrite1h(8).build();
    Json.Obj written = MessagesUsageWriter.initialUsage(usage, null, Json.Obj.EMPTY);
    assertThat(written.get("input_tokens")).isEqualTo(Json.of(1));
    assertThat(written.get("cache_read_input_tokens")).isEqualTo(Json.of(2));
    assertThat(written.get("cache_creation_input_tokens")).isEqualTo(Json.of(12));
    assertThat(written.get("cache_creation"))
        .isEqualTo(
            Json.object()
                .put("ephemeral_5m_input_tokens", 4)
                .put("ephemeral_1h_input_tokens", 8)
                .build());
  }

  @Proves({"message.usage", "routing.tier.served"})
  @Test
  @DisplayName("names the service tier that was used, or standard when there was none")
  void tiers() {
    assertThat(
            MessagesUsageWriter.initialUsage(Usage.NONE, null, Json.Obj.EMPTY).text("service_tier"))
        .isEqualTo("standard");
    assertThat(
            MessagesUsageWriter.initialUsage(Usage.NONE, "priority", Json.Obj.EMPTY)
                .text("service_tier"))
        .isEqualTo("priority");
  }
}
