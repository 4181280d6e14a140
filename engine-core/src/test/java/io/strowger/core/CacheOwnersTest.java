package io.strowger.core;

import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ScriptedServer.TestResponse;
import io.strowger.core.authentication.Authenticator;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The response cache")
class CacheOwnersTest {
  private final ScriptedServer server = new ScriptedServer("");

  @AfterEach
  void close() {
    server.close();
  }

  @Proves("resources.record.cache.key")
  @Test
  @DisplayName("returns an answer only to the key that asked for it first")
  void keys() {
    server.always(text("Noon."), finished());
    server.prompt("hi").cached().send();
    TestResponse other = server.prompt("hi").cached().key("sk-two").send();
    assertThat(other.cacheStatus()).isEqualTo("MISS");
    assertThat(server.prompt("hi").cached().key("sk-two").send().header("X-Router-Cache-Source-Id"))
        .isEqualTo(other.header("X-Generation-Id"));
    assertThat(server.calls()).hasSize(2);
  }

  @Test
  @DisplayName("returns no answer of a model that a guardrail has forbidden to the key since")
  void allowed() {
    server.always(text("Noon."), finished());
    server.prompt("hi").cached().send();
    TestResponse created =
        server
            .post("/guardrails", "{'name':'g','ignored_models':['acme/large']}")
            .key("sk-admin")
            .send();
    String hash = Authenticator.id(new Credential("sk-one")).hex();
    String assignments = "/guardrails/" + created.at("data").text("id") + "/assignments/keys";
    TestResponse bound =
        server.post(assignments, "{'key_hashes':['" + hash + "']}").key("sk-admin").send();
    assertThat(bound.status()).as(bound.text()).isEqualTo(200);
    TestResponse refused = server.prompt("hi").cached().send();
    assertThat(refused.cacheStatus()).isNotEqualTo("HIT");
    assertThat(refused.status()).isEqualTo(404);
  }
}
