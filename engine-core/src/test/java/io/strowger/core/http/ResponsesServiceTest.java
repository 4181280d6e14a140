package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /responses")
class ResponsesServiceTest {
  private static final String NOT_STREAMED = "{'model':'acme/large','input':'hi'}";
  private static final String STREAM = "{'model':'acme/large','input':'hi','stream':true}";

  private final TestHttpApi api = new TestHttpApi();

  private WireResponse send(String body) {
    return api.call("POST", "/responses").key("sk-app").body(body.replace('\'', '"')).send();
  }

  @Test
  @DisplayName("answers with one response")
  void notStreamed() {
    WireResponse response = send(NOT_STREAMED);
    Json.Obj body = json(text(response));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("X-Generation-Id", Replies.ID);
    assertThat(body.text("object")).isEqualTo("response");
    assertThat(body.text("output_text")).isEqualTo("hello");
    assertThat(body.longValue("completed_at", 0)).isEqualTo(Replies.CREATED + 2);
    assertThat(api.served.get(0).dialect()).isEqualTo(Dialect.RESPONSES);
  }

  @Test
  @DisplayName("streams a response to its end, with nothing after it")
  void streamed() {
    WireResponse response = send(STREAM);
    assertThat(response.headers()).containsEntry("Content-Type", "text/event-stream");
    String[] events = text(response).split("\n\n");
    assertThat(events[0]).startsWith("data: {\"type\":\"response.created\"");
    assertThat(events[events.length - 1]).startsWith("data: {\"type\":\"response.completed\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {NOT_STREAMED, STREAM})
  @DisplayName("refuses with the status of the error, in its own envelope")
  void refused(String body) {
    api.reply = () -> Replies.refused(GatewayError.of(ErrorCode.NO_ENDPOINTS));
    WireResponse response = send(body);
    Json.Obj error = json(text(response));
    assertThat(response.status()).isEqualTo(404);
    assertThat(error.text("error_type")).isEqualTo("not_found");
    assertThat(error.has("error")).isTrue();
  }

  @Proves({"resources.error.responses.length", "responses.member.length"})
  @Test
  @DisplayName("answers a prompt that is too long with an incomplete response")
  void tooLong() {
    api.reply = () -> Replies.refused(GatewayError.of(ErrorCode.CONTEXT_LENGTH_EXCEEDED));
    WireResponse response = send(NOT_STREAMED);
    Json.Obj body = json(text(response));
    assertThat(response.status()).isEqualTo(200);
    assertThat(body.text("status")).isEqualTo("incomplete");
    assertThat(body.list("output")).isEqualTo(Json.array());
    assertThat(body.get("usage")).isEqualTo(Json.NULL);
    String[] events = text(send(STREAM)).split("\n\n");
    assertThat(events).hasSize(3);
    assertThat(events[2]).startsWith("data: {\"type\":\"response.incomplete\"");
  }

  @Proves({"resources.error.responses.length", "responses.member.length"})
  @Test
  @DisplayName("answers in the same way if the first event says that the prompt is too long")
  void failedForLength() {
    api.reply =
        () ->
            Replies.answered(
                new Event.Failed(GatewayError.of(ErrorCode.CONTEXT_LENGTH_EXCEEDED), null));
    assertThat(send(NOT_STREAMED).status()).isEqualTo(200);
    api.reply = () -> Replies.answered(new Event.Failed(GatewayError.of(ErrorCode.TIMEOUT), null));
    assertThat(send(NOT_STREAMED).status()).isEqualTo(524);
  }

  @Test
  @DisplayName("refuses a wrong request before any provider is asked")
  void checked() {
    WireResponse response = send("{'store':true}");
    assertThat(response.status()).isEqualTo(400);
    assertThat(text(response)).contains("/store: must be false").contains("/input: is required");
    assertThat(api.served).isEmpty();
  }
}
