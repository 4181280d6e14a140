package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Credential;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The gemini codec")
class GeminiCodecTest {
  private static final String USER = "{'role':'user','content':'hi'}";

  private static GeminiCodec codec(String base) {
    return new GeminiCodec(URI.create(base), GeminiTestRequest.CODEC);
  }

  private static Call call(String model, String... more) {
    return chat(USER, more).endpoint(endpoint -> endpoint.upstreamModel(model)).call();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "gemini-2.5-pro, models/gemini-2.5-pro",
    "models/gemini-2.5-pro, models/gemini-2.5-pro",
    "tunedModels/my-tuned, tunedModels/my-tuned",
    "publishers/google/models/x, publishers/google/models/x",
    "vendor/model:free, models/vendor%2Fmodel%3Afree",
    "models/a b?c#d, models/a%20b%3Fc%23d",
    "modèle, models/mod%C3%A8le",
    "x/../../secret, models/x%2F..%2F..%2Fsecret"
  })
  @DisplayName("names the model in the URI")
  void uri(String model, String path) {
    assertThat(codec("https://host/v1beta").uri(call(model)))
        .isEqualTo(URI.create("https://host/v1beta/" + path + ":generateContent"));
    assertThat(codec("https://host/v1beta/").uri(call(model, "'stream':true")))
        .isEqualTo(URI.create("https://host/v1beta/" + path + ":streamGenerateContent?alt=sse"));
  }

  @Test
  @DisplayName("sends the credential in a header, and no header without a credential")
  void credential() {
    Call call = call("m");
    assertThat(codec("https://host/").headers(call))
        .containsExactly(java.util.Map.entry("x-goog-api-key", "key-1"));
    Call anonymous =
        new Call(
            call.endpoint(),
            Credential.NONE,
            call.request(),
            0,
            null,
            call.readTimeout(),
            call.cancellation());
    assertThat(codec("https://host/").headers(anonymous)).isEmpty();
  }

  @Test
  @DisplayName("sends no member for the stream, the model or the gateway in the body")
  void body() {
    GeminiTestRequest body =
        chat(
            USER,
            "'stream':true,'stream_options':{'include_usage':true},'models':['a/b']",
            "'provider':{'order':['x']},'session_id':'s','user':'u','metadata':{'k':'v'}");
    assertThat(body.written().size()).isEqualTo(1);
    assertThat(body.written().has("contents")).isTrue();
    assertThat(body.losses()).isSubsetOf("DROPPED metadata");
  }
}
