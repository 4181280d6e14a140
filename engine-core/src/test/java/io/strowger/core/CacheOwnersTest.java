package io.strowger.core;

import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.EdgeGateway.Heard;
import io.strowger.core.authentication.Authenticator;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The response cache gives an answer only")
class CacheOwnersTest {
  private final EdgeGateway edge = new EdgeGateway("");

  @AfterEach
  void close() {
    edge.close();
  }

  @Proves("resources.record.cache.key")
  @Test
  @DisplayName("to the same key")
  void keys() {
    edge.always(text("Noon."), finished());
    edge.says("hi").cached().send();
    Heard other = edge.says("hi").cached().key("sk-two").send();
    assertThat(other.cache()).isEqualTo("MISS");
    assertThat(edge.says("hi").cached().key("sk-two").send().header("X-Router-Cache-Source-Id"))
        .isEqualTo(other.header("X-Generation-Id"));
    assertThat(edge.calls()).hasSize(2);
  }

  @Test
  @DisplayName("while the key may have it: no more when a guardrail of later forbids the model")
  void allowed() {
    edge.always(text("Noon."), finished());
    edge.says("hi").cached().send();
    Heard made =
        edge.ask("/guardrails", "{'name':'g','ignored_models':['acme/large']}")
            .key("sk-admin")
            .send();
    String hash = Authenticator.id(new Credential("sk-one")).hex();
    String assignments = "/guardrails/" + made.at("data").text("id") + "/assignments/keys";
    Heard bound = edge.ask(assignments, "{'key_hashes':['" + hash + "']}").key("sk-admin").send();
    assertThat(bound.status()).as(bound.text()).isEqualTo(200);
    Heard refused = edge.says("hi").cached().send();
    assertThat(refused.cache()).isNotEqualTo("HIT");
    assertThat(refused.status()).isEqualTo(404);
  }
}
