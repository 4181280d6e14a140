package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.CHAT_BODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.wire.WireResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A quarter of a megabyte")
class LongHeadersTest {
  private static final int LONG = 256 << 10;
  private static final int MAX_ANSWER = 1_000;

  private final TestHttpApi api = TestHttpApi.withLargeBodies();

  @ParameterizedTest(name = "{0}: {1}{1}{1}...")
  @DisplayName("in a header is refused and shortened in the error, or is ignored")
  @CsvSource({
    "x-anthropic-beta,a,400",
    "x-anthropic-beta,'a,',400",
    "x-session-id,s,400",
    "X-Router-Categories,'a,',200",
    "HTTP-Referer,https://a.example/,200",
    "User-Agent,a ,200",
    "X-Router-Metadata,enabled,200",
    "X-Router-Cache,true,200",
  })
  void headers(String name, String unit, int status) {
    String value = unit.repeat(LONG / unit.length());
    WireResponse response = api.chat(CHAT_BODY).header(name, value).send();
    assertThat(TestHttpApi.text(response)).hasSizeLessThan(MAX_ANSWER);
    assertThat(response.status()).isEqualTo(status);
  }

  @ParameterizedTest
  @DisplayName("in a path is not found, and is not repeated in the error")
  @ValueSource(strings = {"a", "a/", "%61", "/", ":free"})
  void paths(String unit) {
    for (String start : new String[] {"/", "/models/acme/", "/generation/", "/presets/"}) {
      String path = start + unit.repeat(LONG / unit.length());
      WireResponse response = api.call("GET", path).key("sk-app").send();
      assertThat(TestHttpApi.text(response)).hasSizeLessThan(MAX_ANSWER);
      assertThat(response.status()).isEqualTo(404);
    }
  }
}
