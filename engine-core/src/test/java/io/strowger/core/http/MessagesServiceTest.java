package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("POST /messages")
class MessagesServiceTest {
  private static final String MESSAGE_BODY =
      "{'model':'m','messages':[{'role':'user','content':'x'}]}";
  private static final String STREAMED = "{'stream':true," + MESSAGE_BODY.substring(1);

  private final TestHttpApi api = new TestHttpApi();

  private static TestHttpApi.RequestBuilder call(TestHttpApi api, String body) {
    return api.call("POST", "/messages").key("sk-app").body(body.replace('\'', '"'));
  }

  private WireResponse send(String body) {
    return call(api, body).send();
  }

  private static WireResponse sendWithMetadata(TestHttpApi api, String body) {
    return call(api, body).header("X-Router-Metadata", "enabled").send();
  }

  @Proves({"message.id", "message.model", "operation.messages.answer"})
  @Test
  @DisplayName("answers with a message that has the generation's id")
  void whole() {
    WireResponse response = send(MESSAGE_BODY);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers())
        .containsEntry("Content-Type", "application/json")
        .containsEntry("X-Generation-Id", Replies.ID);
    assertThat(text(response))
        .startsWith("{\"id\":\"" + Replies.ID + "\",\"type\":\"message\"")
        .doesNotContain("router_metadata");
    assertThat(api.served).singleElement().matches(r -> r.dialect() == Dialect.MESSAGES);
  }

  @Proves("messages.member.stream")
  @Test
  @DisplayName("answers a streaming request with events and no [DONE]")
  void streamed() {
    WireResponse response = send(STREAMED);
    assertThat(response.headers())
        .containsEntry("Content-Type", "text/event-stream")
        .containsEntry("X-Generation-Id", Replies.ID);
    assertThat(text(response))
        .startsWith("event: message_start\ndata: {\"type\":\"message_start\",")
        .endsWith("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  }

  @Proves({"message.router_metadata", "operation.messages.header", "messages.name.header"})
  @Test
  @DisplayName("carries router metadata on request: in the message, or in the last event")
  void metadata() {
    assertThat(json(sendWithMetadata(api, MESSAGE_BODY)).object("router_metadata")).isNotNull();
    assertThat(text(sendWithMetadata(api, STREAMED)))
        .contains("{\"type\":\"message_stop\",\"router_metadata\":{");
  }

  @Proves("messages.error.envelope")
  @Test
  @DisplayName("wraps a refusal in the envelope of its format, with the generation's id")
  void refused() {
    api.reply = () -> Replies.refused(GatewayError.of(ErrorCode.NO_ENDPOINTS));
    WireResponse response = sendWithMetadata(api, STREAMED);
    assertThat(response.status()).isEqualTo(404);
    assertThat(text(response))
        .startsWith(
            "{\"type\":\"error\",\"error\":{\"type\":\"not_found_error\",\"message\":\"No endpoint"
                + " can be used\",\"error_type\":\"not_found\",\"code\":404},\"request_id\":\""
                + Replies.ID
                + "\"")
        .contains("\"router_metadata\":{");
  }

  @Test
  @DisplayName("answers with the error alone when an answer that is not streamed breaks off")
  void brokenOff() {
    Event failed = Event.Failed.upstream(new Failure(FailureKind.TIMEOUT, 0, -1, "late"));
    api.reply = () -> Replies.answered(new Event.TextDelta("Hel"), failed);
    assertThat(send(MESSAGE_BODY).status()).isEqualTo(524);
    api.reply =
        () ->
            Replies.answered(
                new Event.TextDelta("Hel"), new Event.Finished(StopReason.ERROR, "x", null));
    WireResponse response = send(MESSAGE_BODY);
    assertThat(response.status()).isEqualTo(502);
    assertThat(text(response)).contains("\"api_error\"");
  }

  @Test
  @DisplayName("answers a wrong request with every problem under metadata")
  void wrong() {
    assertThat(text(send("{'model':'m'}")))
        .isEqualTo(
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Invalid"
                + " request parameters: /messages: is required\",\"error_type\":"
                + "\"invalid_request\",\"code\":400},\"request_id\":null,\"metadata\":{\"error_type\":"
                + "\"invalid_request\",\"problems\":[{\"pointer\":\"/messages\",\"allowed\":\"is"
                + " required\"}]}}");
    assertThat(message(send("{'model':1,'messages':[]}")))
        .contains(
            "/model: must be a string, not empty, was 1; /messages: must have at least 1 item");
    assertThat(api.served).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'model':'m','messages':[{'role':'user','content':'x'}],"
            + "'tools':[{'type':'router:bash'}]}|/tools/0/type: is a tool of the gateway",
        "{'model':'router/free','messages':[{'role':'user','content':'x'}]}|/model: is a"
            + " router whose plugin is not registered",
      })
  @DisplayName("refuses a tool or a router whose plugin is not registered, with its pointer")
  void plugins(String body, String expected) {
    WireResponse response = send(body);
    assertThat(message(response)).contains(expected);
    assertThat(response.status()).isEqualTo(400);
  }

  @Test
  @DisplayName("accepts no body that is larger than configured, and no session that is too long")
  void limits() {
    assertThat(send("{'x':'" + "x".repeat(TestHttpApi.LIMIT) + "'}").status()).isEqualTo(413);
    assertThat(call(api, MESSAGE_BODY).header("x-session-id", "s".repeat(256)).send().status())
        .isEqualTo(200);
    assertThat(message(call(api, MESSAGE_BODY).header("x-session-id", "s".repeat(257)).send()))
        .contains("x-session-id must have at most 256 characters");
  }

  @Test
  @DisplayName("with an early head sends comments, and then a late refusal as an error event")
  void earlyHead() throws IOException {
    TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    var reply = new CompletableFuture<Reply>();
    var earlyApi = new TestHttpApi(new EarlyHeadPolicy(ambient, Duration.ofMillis(500)));
    earlyApi.reply = reply::join;
    var response = new CompletableFuture<WireResponse>();
    ambient.start("host", () -> response.complete(call(earlyApi, STREAMED).send()));
    ambient.awaitSleepers(1);
    ambient.advance(Duration.ofMillis(500));
    WireBody body = response.join().body();
    var out = new ByteArrayOutputStream();
    assertThat(body.writeNext(out)).isTrue();
    reply.complete(Replies.refused(GatewayError.of(ErrorCode.CAPACITY_EXHAUSTED)));
    assertThat(body.writeNext(out)).isTrue();
    assertThat(body.writeNext(out)).isFalse();
    body.close();
    ambient.assertNoThreadsLeft();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith(": ROUTER PROCESSING\n\nevent: error\ndata: {\"type\":\"error\",")
        .contains("\"type\":\"rate_limit_error\"", "\"request_id\":\"" + Replies.ID + "\"");
  }
}
