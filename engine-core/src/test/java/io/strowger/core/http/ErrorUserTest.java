package io.strowger.core.http;

import static io.strowger.core.http.Calls.FORBIDDEN;
import static io.strowger.core.http.Calls.json;
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
  private final Calls calls = Calls.roomy();

  private String keyFor(String user) {
    WireResponse made =
        calls
            .call("POST", "/keys")
            .key("sk-admin")
            .body("{\"name\":\"n\",\"creator_user_id\":\"" + user + "\"}")
            .send();
    return Objects.requireNonNull(json(made).text("key"));
  }

  @Proves({"error.envelope", "open.84"})
  @ParameterizedTest
  @CsvSource({"GET,/presets/none", "POST,/models", "GET,/nowhere", "POST,/responses"})
  @DisplayName("names the user the caller's key was made for")
  void named(String method, String path) {
    WireResponse refused = calls.call(method, path).key(keyFor("eve")).body("{nope").send();
    assertThat(refused.status()).isGreaterThanOrEqualTo(400);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
  }

  @Test
  @DisplayName("names the user also when the engine refuses, and when it breaks")
  void inside() {
    String key = keyFor("eve");
    calls.reply = () -> Replies.refused(GatewayError.of(ErrorCode.NO_ENDPOINTS));
    WireResponse refused = calls.chat(Calls.GOOD).key(key).send();
    assertThat(refused.status()).isEqualTo(404);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
    calls.reply =
        () -> {
          throw new IllegalStateException("a bug");
        };
    WireResponse broken = calls.chat(Calls.GOOD).key(key).send();
    assertThat(broken.status()).isEqualTo(500);
    assertThat(json(broken).text("user_id")).isEqualTo("eve");
  }

  @Proves("open.84")
  @Test
  @DisplayName("names nobody before it is known who calls")
  void unknown() {
    WireResponse stranger = calls.call("GET", "/key").body(FORBIDDEN).send();
    assertThat(stranger.status()).isEqualTo(401);
    assertThat(json(stranger).get("user_id")).isEqualTo(Json.NULL);
  }

  @Test
  @DisplayName("names the user of a key of the wrong kind")
  void wrongKind() {
    WireResponse refused = calls.call("GET", "/keys").key(keyFor("eve")).body(FORBIDDEN).send();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(json(refused).text("user_id")).isEqualTo("eve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/messages", "/batches"})
  @DisplayName("has no place for a user in the forms of messages and batches")
  void others(String path) {
    WireResponse refused = calls.call("POST", path).key("sk-app").body("{nope").send();
    assertThat(refused.status()).isEqualTo(400);
    assertThat(json(refused).has("user_id")).isFalse();
  }
}
