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

@DisplayName("A gateway with limits of what is in flight")
class OverloadTest {
  private static final String ONE_PLACE = ",'overload': {'in_flight': 1, 'queue': 0}";
  private static final String ONE_EACH = ",'overload': {'per_endpoint': 1}";

  @Test
  @DisplayName("shows what is in flight and what it refused")
  void shown() {
    try (var edge = new EdgeGateway(ONE_PLACE)) {
      edge.always(text("hello"), usage(1, 1), finished());
      WireResponse open = edge.saysStreaming("hi").open();
      EdgeGateway.Heard refused = edge.says("hi").send();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.at("error", "metadata").text("overload")).isEqualTo("queue_full");
      AdmissionSnapshot now = edge.gateway.admission();
      assertThat(now.inFlight()).isEqualTo(1);
      assertThat(now.refusals())
          .containsEntry(RefusalReason.QUEUE_FULL, 1L)
          .containsEntry(RefusalReason.MEMORY, 0L);
      assertThat(now.endpoints().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(1, Integer.MAX_VALUE, 0));
      open.body().close();
      AdmissionSnapshot after = edge.gateway.admission();
      assertThat(after.inFlight()).isZero();
      assertThat(after.endpoints().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(0, Integer.MAX_VALUE, 0));
    }
  }

  @Test
  @DisplayName("puts others in force by a reload, for requests that are in flight, too")
  void reloaded() {
    try (var edge = new EdgeGateway("")) {
      edge.always(text("hello"), usage(1, 1), finished());
      WireResponse open = edge.saysStreaming("hi").open();
      edge.gateway.reload(EdgeGateway.config(ONE_PLACE));
      assertThat(edge.says("hi").send().status()).isEqualTo(503);
      edge.gateway.reload(EdgeGateway.config(ONE_EACH));
      EdgeGateway.Heard full = edge.says("hi").send();
      assertThat(full.status()).isEqualTo(503);
      assertThat(full.at("error", "metadata").text("overload")).isEqualTo("endpoint");
      edge.gateway.reload(EdgeGateway.config(""));
      assertThat(edge.says("hi").send().status()).isEqualTo(200);
      open.body().close();
    }
  }
}
