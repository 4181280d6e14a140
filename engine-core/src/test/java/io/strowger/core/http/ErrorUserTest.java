package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.UNREAD_BODY;
import static io.strowger.core.http.TestHttpApi.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The envelope of an error")
class ErrorUserTest {
  private final TestHttpApi api = TestHttpApi.withLargeBodies();

  private String keyFor(String user) {
    WireResponse created =
        api.call("POST", "/keys")
            .key("sk-admin")
            .body("{\"name\":\"n\",\"creator_user_id\":\"" + user + "\"}")
            .send();
    return Objects.requireNonNull(json(created).text("key"));
  }

  @Proves({"error.envelope", "open.84"})
  @ParameterizedTest
  @CsvSource({"GET,/presets/none", "POST,/models", "GET,/nowhere", "POST,/responses"})
  @DisplayName("names the user for whom the caller's key was created")
  void named(String method, String path) {
    WireResponse refused = api.call(method, path).key(keyFor("eve")).body("{nope").send();
    assertThat(refused.status()).isGreaterThanOrEqualTo(400);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
  }

  @Test
  @DisplayName("names the user also when the engine refuses or fails")
  void ofTheEngine() {
    String key = keyFor("eve");
    api.reply = () -> Replies.refused(GatewayError.of(ErrorCode.NO_ENDPOINTS));
    WireResponse refused = api.chat(TestHttpApi.CHAT_BODY).key(key).send();
    assertThat(refused.status()).isEqualTo(404);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
    api.reply =
        () -> {
          throw new IllegalStateException("a bug");
        };
    WireResponse broken = api.chat(TestHttpApi.CHAT_BODY).key(key).send();
    assertThat(broken.status()).isEqualTo(500);
    assertThat(json(broken).text("user_id")).isEqualTo("eve");
  }

  @Proves("open.84")
  @Test
  @DisplayName("names no user before the caller is known")
  void unknown() {
    WireResponse response = api.call("GET", "/key").body(UNREAD_BODY).send();
    assertThat(response.status()).isEqualTo(401);
    assertThat(json(response).get("user_id")).isEqualTo(Json.NULL);
  }

  @Test
  @DisplayName("names the user of a key of the wrong kind")
  void wrongKind() {
    WireResponse refused = api.call("GET", "/keys").key(keyFor("eve")).body(UNREAD_BODY).send();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/messages", "/batches"})
  @DisplayName("names no user in the formats of messages and batches")
  void others(String path) {
    WireResponse refused = api.call("POST", path).key("sk-app").body("{nope").send();
    assertThat(refused.status()).isEqualTo(400);
    assertThat(json(refused).has("user_id")).isFalse();
  }
}
