package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.CHAT_BODY;
import static io.strowger.core.http.TestHttpApi.UNREAD_BODY;
import static io.strowger.core.http.TestHttpApi.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.wire.WireResponse;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP surface admits")
class AdmissionTest {
  private final TestHttpApi api = new TestHttpApi();

  @Proves({
    "operation.presets.errors",
    "operation.keys.errors",
    "operation.destinations.errors",
    "authentication.1",
    "authentication.3",
    "error.401",
    "resources.batch.error.401"
  })
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/chat/completions",
        "/messages",
        "/responses",
        "/embeddings",
        "/audio/speech",
        "/batches",
        "/batches/b1",
        "/keys",
        "/keys/h",
        "/key",
        "/presets",
        "/presets/p/chat/completions",
        "/observability/destinations/d",
        "/credits",
        "/models",
        "/guardrails/g/assignments/keys",
        "/no/such/path",
        "/",
        ""
      })
  @DisplayName("no request without a valid credential, and does not read its body")
  void strangers(String path) {
    for (String method : List.of("GET", "POST", "PATCH", "DELETE", "BREW")) {
      WireResponse missing = api.call(method, path).body(UNREAD_BODY).send();
      assertThat(missing.status()).isEqualTo(401);
      assertThat(message(missing)).isEqualTo("Missing Authentication header");
      WireResponse wrong = api.call(method, path).key("sk-nobody").body(UNREAD_BODY).send();
      assertThat(wrong.status()).isEqualTo(401);
      assertThat(message(wrong)).isEqualTo("Invalid credentials");
    }
  }

  @Proves("routing.fallback.never")
  @Test
  @DisplayName("or refuses with 401 or 403 before it reads the body, even if that is invalid")
  void beforeTheBody() {
    assertThat(api.call("POST", "/chat/completions").body("{nope").send().status()).isEqualTo(401);
    assertThat(api.chat("{nope").key("sk-admin").body(UNREAD_BODY).send().status()).isEqualTo(403);
  }

  @Proves({"authentication.6", "resources.operation.batches"})
  @ParameterizedTest
  @CsvSource({
    "POST,/chat/completions",
    "POST,/messages",
    "POST,/responses",
    "POST,/embeddings",
    "POST,/audio/speech",
    "POST,/batches",
    "GET,/batches",
    "GET,/batches/b",
    "DELETE,/batches/b",
  })
  @DisplayName("no management key to inference")
  void managementToInference(String method, String path) {
    WireResponse response = api.call(method, path).key("sk-admin").body(UNREAD_BODY).send();
    assertThat(response.status()).isEqualTo(403);
    assertThat(message(response)).isEqualTo("Management keys cannot perform this operation");
  }

  @Proves({"authentication.6", "resources.operation.presets.read", "resources.operation.listings"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/presets",
        "/presets/p",
        "/presets/p/versions",
        "/presets/p/versions/1",
        "/models",
        "/models/count",
        "/models/user",
        "/models/a/b/endpoints",
        "/model/a/b",
        "/providers",
        "/endpoints/zdr",
      })
  @DisplayName("every key to operations that only read")
  void reading(String path) {
    for (String key : List.of("sk-app", "sk-admin")) {
      assertThat(api.call("GET", path).key(key).send().status()).isIn(200, 404, 501, 503);
    }
  }

  @Proves({
    "operation.presets.create",
    "operation.keys.errors",
    "authentication.2",
    "authentication.6",
    "error.403",
    "resources.operation.presets.create",
    "resources.operation.keys",
    "resources.operation.destinations",
    "resources.operation.account",
    "open.19"
  })
  @ParameterizedTest
  @CsvSource({
    "POST,/keys",
    "GET,/keys",
    "GET,/keys/h",
    "GET,/observability/destinations",
    "POST,/observability/destinations",
    "PATCH,/observability/destinations/d",
    "DELETE,/observability/destinations/d",
    "POST,/presets/p/responses",
    "GET,/byok",
    "POST,/generation/feedback",
    "GET,/organization/members",
    "PATCH,/keys/h",
    "DELETE,/keys/h",
    "GET,/observability/destinations/d",
    "POST,/presets/p/chat/completions",
    "POST,/presets/p/messages",
    "GET,/credits",
    "POST,/guardrails",
    "GET,/workspaces/w"
  })
  @DisplayName("no inference key to operations on the account")
  void inferenceToManagement(String method, String path) {
    WireResponse response = api.call(method, path).key("sk-app").body(UNREAD_BODY).send();
    assertThat(response.status()).isEqualTo(403);
    assertThat(message(response)).isEqualTo("Only management keys can perform this operation");
  }

  @Proves("resources.error.messages.envelope")
  @Test
  @DisplayName("clients of /messages also by x-api-key, and no other clients")
  void apiKeyHeader() {
    assertThat(messages("x-api-key", "sk-app").send().status()).isEqualTo(200);
    assertThat(messages("x-api-key", "sk-nobody").send().status()).isEqualTo(401);
    assertThat(api.call("POST", "/responses").header("x-api-key", "sk-app").send().status())
        .isEqualTo(401);
  }

  @Test
  @DisplayName("clients of /messages that send both headers by the bearer token")
  void bothHeaders() {
    assertThat(messages("x-api-key", "sk-nobody").key("sk-app").send().status()).isEqualTo(200);
    assertThat(messages("x-api-key", "sk-app").key("sk-nobody").send().status()).isEqualTo(401);
  }

  private TestHttpApi.RequestBuilder messages(String header, String value) {
    return api.call("POST", "/messages")
        .header(header, value)
        .body("{\"model\":\"m\"," + CHAT_BODY.substring(1));
  }
}
