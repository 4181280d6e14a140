package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.Bodies.chat;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Credential;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The gemini dialect on the wire")
class GeminiCodecTest {
  private static final String USER = "{'role':'user','content':'hi'}";

  private static GeminiCodec wire(String base) {
    return new GeminiCodec(URI.create(base), Bodies.CODEC);
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
  @DisplayName("names the model in the address")
  void address(String model, String path) {
    assertThat(wire("https://host/v1beta").uri(call(model)))
        .isEqualTo(URI.create("https://host/v1beta/" + path + ":generateContent"));
    assertThat(wire("https://host/v1beta/").uri(call(model, "'stream':true")))
        .isEqualTo(URI.create("https://host/v1beta/" + path + ":streamGenerateContent?alt=sse"));
  }

  @Test
  @DisplayName("has the credential in a header of its own, and none when there is none")
  void credential() {
    Call call = call("m");
    assertThat(wire("https://host/").headers(call))
        .containsExactly(java.util.Map.entry("x-goog-api-key", "key-1"));
    Call open =
        new Call(
            call.endpoint(),
            Credential.NONE,
            call.request(),
            0,
            null,
            call.readTimeout(),
            call.cancellation());
    assertThat(wire("https://host/").headers(open)).isEmpty();
  }

  @Test
  @DisplayName("says nothing of the stream, the model or the gateway in the body")
  void body() {
    Bodies body =
        chat(
            USER,
            "'stream':true,'stream_options':{'include_usage':true},'models':['a/b']",
            "'provider':{'order':['x']},'session_id':'s','user':'u','metadata':{'k':'v'}");
    assertThat(body.written().size()).isEqualTo(1);
    assertThat(body.written().has("contents")).isTrue();
    assertThat(body.losses()).isSubsetOf("DROPPED metadata");
  }
}
