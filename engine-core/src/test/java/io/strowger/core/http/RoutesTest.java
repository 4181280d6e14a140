package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.wire.WireResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A path")
class RoutesTest {
  private static final int FOUND = 405; // for a method that no path has
  private static final int NOT_FOUND = 404;

  private final TestHttpApi api = new TestHttpApi();

  private TestHttpApi.RequestBuilder call(String path) {
    return api.call("BREW", path).key("sk-app");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/health",
        "/health/",
        "/chat/completions",
        "/chat/completions/",
        "/keys/",
        "/keys/h/",
        "/presets/a/versions/1/",
        "/presets/a%20b",
        "/presets/%C3%A9",
        "/model/acme/large%3Afree",
        "/model/acme/large:free",
        "/models/acme/large",
        "/models/acme/large/",
        "/models/acme/large:free/endpoints/",
        "/presets/a;b",
        "/presets/...",
        "/keys/a+b",
      })
  @DisplayName("is found as it is written, with or without one slash at its end")
  void found(String path) {
    assertThat(call(path).send().status()).isEqualTo(FOUND);
    assertThat(call(path).proxied().send().status()).isEqualTo(FOUND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "//health",
        "/health//",
        "/chat//completions",
        "/chat/completions//",
        "/chat%2Fcompletions",
        "/chat%2fcompletions",
        "/chat/completions%2F",
        "/%63hat/completions",
        "/c%68at/completions",
        "/CHAT/completions",
        "/Health",
        "/chat/completions;x",
        "/chat;x=1/completions",
        "/chat/./completions",
        "/./chat/completions",
        "/chat/x/../completions",
        "/../chat/completions",
        "/chat/%2e%2e/completions",
        "/chat/completions/.",
        "/chat/completions%20",
        "/chat/completions%00",
        "/chat/completions%3F",
        "/keys/%2F",
        "/keys/a%2Fb",
        "/keys/a%2fb",
        "/keys/a%5Cb",
        "/keys/..",
        "/keys/%2e%2e",
        "/keys/.",
        "/keys/%2E",
        "/keys/%00",
        "/keys/a%0d%0aX-Injected:%201",
        "/keys/%FF",
        "/keys/%C3",
        "/keys/%",
        "/keys/%z1",
        "/keys/%４１", // digits of another alphabet
        "/keys//",
        "/presets//versions",
        "/model/acme%2Flarge",
        "/models/acme/large/endpoints/x",
      })
  @DisplayName("in any other spelling is not found")
  void otherSpellings(String path) {
    assertThat(call(path).send().status()).isEqualTo(NOT_FOUND);
    assertThat(call(path).proxied().send().status())
        .as("through a trusted proxy")
        .isEqualTo(NOT_FOUND);
  }

  @Test
  @DisplayName("with a slash at its end has the same envelope as without")
  void envelope() {
    assertThat(text(api.call("POST", "/messages/").send())).startsWith("{\"type\":\"error\"");
    assertThat(text(api.call("GET", "/batches/").send()))
        .isEqualTo(text(api.call("GET", "/batches").send()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/health|GET, HEAD, OPTIONS",
        "/chat/completions|OPTIONS, POST",
        "/keys/h/|DELETE, GET, HEAD, OPTIONS, PATCH",
        "/workspaces/w/budgets/daily|DELETE, OPTIONS, PUT",
      })
  @DisplayName("names its methods to a caller with a credential")
  void options(String path, String allowed) {
    WireResponse response = api.call("OPTIONS", path).key("sk-app").send();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("Allow", allowed);
    assertThat(response.headers()).doesNotContainKey("Content-Type");
    assertThat(text(response)).isEmpty();
    assertThat(api.call("BREW", path).key("sk-app").send().headers())
        .containsEntry("Allow", allowed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chat/completions", "/keys", "/nothing", "/health"})
  @DisplayName("reveals nothing to a caller without a credential, not even whether it exists")
  void withoutCredential(String path) {
    WireResponse response = api.call("OPTIONS", path).send();
    assertThat(response.status()).isEqualTo(401);
    assertThat(response.headers()).doesNotContainKey("Allow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "Post", "POST ", "GET", "HEAD", "PATCH", ""})
  @DisplayName("has a method only in its exact spelling")
  void methods(String method) {
    assertThat(api.call(method, "/chat/completions").key("sk-app").send().status()).isEqualTo(405);
  }
}
