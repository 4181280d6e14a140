package io.strowger.core;

import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.overload.AdmissionSnapshot;
import io.strowger.core.overload.AdmissionSnapshot.EndpointLoad;
import io.strowger.core.overload.RefusalReason;
import io.strowger.core.wire.WireResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway with overload limits")
class OverloadTest {
  private static final String ONE_IN_FLIGHT = ",'overload': {'in_flight': 1, 'queue': 0}";
  private static final String ONE_PER_ENDPOINT = ",'overload': {'per_endpoint': 1}";

  @Test
  @DisplayName("reports its requests in flight and its refusals")
  void shown() {
    try (var server = new ScriptedServer(ONE_IN_FLIGHT)) {
      server.always(text("hello"), usage(1, 1), finished());
      WireResponse open = server.streamingPrompt("hi").open();
      ScriptedServer.TestResponse refused = server.prompt("hi").send();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.at("error", "metadata").text("overload")).isEqualTo("queue_full");
      AdmissionSnapshot now = server.gateway.admission();
      assertThat(now.inFlight()).isEqualTo(1);
      assertThat(now.refusals())
          .containsEntry(RefusalReason.QUEUE_FULL, 1L)
          .containsEntry(RefusalReason.MEMORY, 0L);
      assertThat(now.endpoints().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(1, Integer.MAX_VALUE, 0));
      open.body().close();
      AdmissionSnapshot after = server.gateway.admission();
      assertThat(after.inFlight()).isZero();
      assertThat(after.endpoints().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(0, Integer.MAX_VALUE, 0));
    }
  }

  @Test
  @DisplayName("applies new limits after a reload, and counts the requests already in flight")
  void reloaded() {
    try (var server = new ScriptedServer("")) {
      server.always(text("hello"), usage(1, 1), finished());
      WireResponse open = server.streamingPrompt("hi").open();
      server.gateway.reload(ScriptedServer.config(ONE_IN_FLIGHT));
      assertThat(server.prompt("hi").send().status()).isEqualTo(503);
      server.gateway.reload(ScriptedServer.config(ONE_PER_ENDPOINT));
      ScriptedServer.TestResponse full = server.prompt("hi").send();
      assertThat(full.status()).isEqualTo(503);
      assertThat(full.at("error", "metadata").text("overload")).isEqualTo("endpoint");
      server.gateway.reload(ScriptedServer.config(""));
      assertThat(server.prompt("hi").send().status()).isEqualTo(200);
      open.body().close();
    }
  }
}
