package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.CHAT_BODY;
import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.AssertingEventStream;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP surface")
class HttpApiTest {
  private final TestHttpApi api = new TestHttpApi();

  @Nested
  @DisplayName("answers")
  class Paths {
    @Test
    @DisplayName("health without a credential")
    void health() {
      WireResponse response = api.call("GET", "/health").send();
      assertThat(response.status()).isEqualTo(200);
      assertThat(text(response)).isEqualTo("{\"status\":\"ok\"}");
      assertThat(response.headers()).containsEntry("Content-Type", "application/json");
    }

    @Proves("events.1")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "/",
          "",
          "/chat",
          "/chat/completions//",
          "/keys/h/x",
          "/presets//versions",
          "/x"
        })
    @DisplayName("404 for unknown paths")
    void nowhere(String path) {
      WireResponse response = api.call("GET", path).key("sk-app").send();
      assertThat(response.status()).isEqualTo(404);
      assertThat(text(response))
          .isEqualTo(
              "{\"error\":{\"code\":404,\"message\":\"Resource not found\","
                  + "\"metadata\":{\"error_type\":\"not_found\"}},\"user_id\":\"user_default\"}");
    }

    @Test
    @DisplayName("405 for another method, and names the allowed ones")
    void otherMethod() {
      WireResponse response = api.call("GET", "/chat/completions").key("sk-app").send();
      assertThat(response.status()).isEqualTo(405);
      assertThat(response.headers()).containsEntry("Allow", "OPTIONS, POST");
      assertThat(api.call("PUT", "/keys/h").key("sk-app").send().headers())
          .containsEntry("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH");
      assertThat(api.call("POST", "/health").key("sk-app").send().status()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "POST|/chat/completions|{\"error\":{\"code\":401,\"message\":\"Missing Authentication"
              + " header\",\"metadata\":{\"error_type\":\"authentication\"}},\"user_id\":null}",
          "POST|/messages|{\"type\":\"error\",\"error\":{\"type\":\"authentication_error\","
              + "\"message\":\"Missing Authentication"
              + " header\",\"error_type\":\"authentication\",\"code\":401},\"request_id\":null}",
          "POST|/responses|{\"error\":{\"code\":401,\"message\":\"Missing Authentication"
              + " header\",\"metadata\":{\"error_type\":\"authentication\"}},"
              + "\"error_type\":\"authentication\",\"user_id\":null}",
          "GET|/batches/b1|{\"error\":{\"code\":401,\"message\":\"Missing Authentication"
              + " header\"}}",
        })
    @DisplayName("errors in the envelope of their path")
    void envelopes(String method, String path, String body) {
      assertThat(text(api.call(method, path).send())).isEqualTo(body);
    }
  }

  @Nested
  @DisplayName("reads a body")
  class Bodies {
    private String ofLength(int length) {
      return CHAT_BODY + " ".repeat(length - CHAT_BODY.length());
    }

    @Proves("error.413")
    @Test
    @DisplayName("of the allowed size and not of one byte more, whatever its header says")
    void tooLarge() {
      assertThat(api.chat(ofLength(TestHttpApi.LIMIT)).send().status()).isEqualTo(200);
      WireResponse over = api.chat(ofLength(TestHttpApi.LIMIT + 1)).send();
      assertThat(over.status()).isEqualTo(413);
      assertThat(message(over)).isEqualTo("Request payload too large");
      assertThat(
              api.chat(ofLength(TestHttpApi.LIMIT + 1))
                  .header("Content-Length", "x")
                  .send()
                  .status())
          .isEqualTo(413);
    }

    @Proves("error.413")
    @Test
    @DisplayName("not at all if its Content-Length is already too large")
    void declaredTooLarge() {
      assertThat(
              api.chat("")
                  .header("Content-Length", "201")
                  .body(TestHttpApi.UNREAD_BODY)
                  .send()
                  .status())
          .isEqualTo(413);
      assertThat(
              api.chat(CHAT_BODY)
                  .header("Content-Length", String.valueOf(CHAT_BODY.length()))
                  .send()
                  .status())
          .isEqualTo(200);
    }

    @Test
    @DisplayName("that breaks off, and answers 400, with and without a Content-Length")
    void cut() {
      assertThat(api.chat(CHAT_BODY).header("Content-Length", "100").send().status())
          .isEqualTo(400);
      var broken =
          new InputStream() {
            @Override
            public int read() throws IOException {
              throw new IOException("secret detail");
            }
          };
      WireResponse response = api.chat("").body(broken).send();
      assertThat(response.status()).isEqualTo(400);
      assertThat(message(response)).doesNotContain("secret");
    }

    @Proves("error.400")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "''|the body is empty",
          "{|the body ends at line 1, column 2 before it is complete",
          "{}x|the body is not JSON at line 1, column 3: expected nothing after",
          "{\"a\":1,\"a\":2}|the body gives the name 'a' twice in one object, again at line 1,"
              + " column 8",
          "[]|the body must be an object, was array",
          "\"x\"|the body must be an object, was string",
        })
    @DisplayName("that is no JSON object, and answers 400 with the problem and its position")
    void malformed(String body, String expected) {
      WireResponse response = api.chat(body.equals("''") ? "" : body).send();
      assertThat(response.status()).isEqualTo(400);
      assertThat(message(response)).startsWith("Invalid request parameters: " + expected);
    }

    @Proves("error.400")
    @Test
    @DisplayName("and reports every problem in it, up to the limit")
    void problems() {
      WireResponse response = api.chat("{\"temperature\":3,\"messages\":[]}").send();
      assertThat(response.status()).isEqualTo(400);
      assertThat(text(response))
          .isEqualTo(
              "{\"error\":{\"code\":400,\"message\":\"Invalid request parameters: /temperature:"
                  + " must be a number from 0 to 2, was 3; /messages: must have at least 1 item,"
                  + " was an array of"
                  + " 0\",\"metadata\":{\"error_type\":\"invalid_request\",\"problems\":[{\"pointer\":\"/temperature\",\"allowed\":\"must"
                  + " be a number from 0 to"
                  + " 2\",\"given\":\"3\"},{\"pointer\":\"/messages\",\"allowed\":\"must have at"
                  + " least 1 item\",\"given\":\"an array of"
                  + " 0\"}]}},\"user_id\":\"user_default\"}");
      assertThat(message(api.chat("{\"logit_bias\":{\"a\":[],\"b\":[],\"c\":[],\"d\":[]}}").send()))
          .endsWith("; and 2 more");
      assertThat(api.served).isEmpty();
    }
  }

  @Nested
  @DisplayName("serves chat")
  class Chat {
    private static final String STREAM =
        "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    @Proves({"chat.stream", "chat.header.generation-id", "chat.member.stream"})
    @Test
    @DisplayName("as one document")
    void whole() {
      WireResponse response = api.chat(CHAT_BODY).send();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.headers())
          .containsEntry("X-Generation-Id", Replies.ID)
          .containsEntry("Content-Type", "application/json");
      String body = text(response);
      assertThat(response.body().length()).isEqualTo(body.length());
      assertThat(json(body).text("object")).isEqualTo("chat.completion");
    }

    @Proves({"chat.stream", "chat.header.generation-id"})
    @Test
    @DisplayName("as a stream")
    void streamed() {
      WireResponse response = api.chat(STREAM).send();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.headers())
          .containsEntry("X-Generation-Id", Replies.ID)
          .containsEntry("Content-Type", "text/event-stream")
          .containsEntry("Cache-Control", "no-cache");
      assertThat(response.body().length()).isEqualTo(-1);
      assertThat(text(response)).endsWith("data: [DONE]\n\n");
    }

    @Proves({
      "operation.messages.header",
      "version.3",
      "chat.header.metadata",
      "messages.name.header",
      "answers.metadata-header",
      "open.85"
    })
    @ParameterizedTest
    @CsvSource({
      "X-Router-Metadata,enabled,true", "x-router-metadata,ENABLED,true",
      "X-Router-Experimental-Metadata,enabled,true", "X-Router-Metadata,disabled,false",
      "X-Router-Metadata,true,false", "X-Other,enabled,false"
    })
    @DisplayName("with router metadata only on request")
    void metadata(String header, String value, boolean given) {
      assertThat(json(api.chat(CHAT_BODY).header(header, value).send()).has("router_metadata"))
          .isEqualTo(given);
      assertThat(text(api.chat(STREAM).header(header, value).send()).contains("router_metadata"))
          .isEqualTo(given);
      api.reply = () -> Replies.refused(GatewayError.of(ErrorCode.PROVIDER_ERROR));
      assertThat(json(api.chat(CHAT_BODY).header(header, value).send()).has("router_metadata"))
          .isEqualTo(given);
    }

    @Proves({"chat.session_id", "routing.sticky.key", "routing.sticky.ST-6", "chat.header.session"})
    @Test
    @DisplayName(
        "with the session of the body (ST-6), else that of the header, up to 256 characters")
    void session() {
      api.chat(CHAT_BODY).header("x-session-id", "s".repeat(256)).send();
      api.chat("{\"session_id\":\"body\"," + CHAT_BODY.substring(1))
          .header("x-session-id", "h")
          .send();
      assertThat(api.served.get(0).sessionId()).isEqualTo("s".repeat(256));
      assertThat(api.served.get(1).sessionId()).isEqualTo("body");
      assertThat(api.chat(CHAT_BODY).header("x-session-id", "s".repeat(257)).send().status())
          .isEqualTo(400);
    }

    @Proves({"resources.error.retry-after", "chat.header.retry-after", "chat.answer.error.before"})
    @ParameterizedTest
    @ValueSource(strings = {CHAT_BODY, STREAM})
    @DisplayName("with a proper status and error when nothing was delivered, streaming or not")
    void refused(String body) {
      api.reply =
          () -> Replies.refused(GatewayError.of(ErrorCode.CAPACITY_EXHAUSTED).withRetryAfter(7));
      WireResponse response = api.chat(body).send();
      assertThat(response.status()).isEqualTo(429);
      assertThat(response.headers())
          .containsEntry("Retry-After", "7")
          .containsEntry("X-Generation-Id", Replies.ID)
          .containsEntry("Content-Type", "application/json");
      assertThat(message(response)).isEqualTo("Provider returned error");
    }

    @Test
    @DisplayName("with the status of a failure that came before any content")
    void failedAtOnce() {
      api.reply =
          () ->
              Replies.answered(
                  new Event.Started(null),
                  Event.Failed.upstream(new Failure(FailureKind.OVERLOADED, 529, -1, "busy")));
      WireResponse response = api.chat(CHAT_BODY).header("X-Router-Metadata", "enabled").send();
      assertThat(response.status()).isEqualTo(529);
      String body = TestHttpApi.text(response);
      assertThat(body).contains("\"selected\":false").doesNotContain("\"selected\":true");
    }

    @Test
    @DisplayName("and closes the answer once its client has it, streamed or not")
    void closes() {
      var whole = new AssertingEventStream("whole", EventStream.of(finished()));
      api.reply = () -> Replies.answered(null, whole);
      WireResponse response = api.chat(CHAT_BODY).send();
      assertThatThrownBy(whole::assertUsedCorrectly).hasMessageContaining("closed");
      response.body().close();
      whole.assertUsedCorrectly();
      var stream = new AssertingEventStream("stream", EventStream.of(finished()));
      api.reply = () -> Replies.answered(null, stream);
      api.chat(STREAM).send().body().close();
      stream.assertUsedCorrectly();
    }

    private List<Event> finished() {
      return List.of(
          new Event.TextDelta("x"),
          new Event.Finished(io.strowger.spi.model.StopReason.END, null, null));
    }

    @Proves("error.500")
    @Test
    @DisplayName("with a masked 500 when the engine has a bug")
    void bug() {
      api.reply =
          () ->
              Replies.answered(
                  null,
                  new EventStream() {
                    @Override
                    public Event next() {
                      throw new IllegalStateException("secret detail");
                    }

                    @Override
                    public boolean ready() {
                      return true;
                    }

                    @Override
                    public void close() {}
                  });
      WireResponse response = api.chat(CHAT_BODY).header("X-Router-Metadata", "enabled").send();
      assertThat(response.status()).isEqualTo(500);
      assertThat(text(response))
          .isEqualTo(
              "{\"error\":{\"code\":500,\"message\":\"Internal Server Error\","
                  + "\"metadata\":{\"error_type\":\"server\"}},\"user_id\":\"user_default\"}");
      assertThat(text(api.chat(STREAM).send()))
          .contains("Internal Server Error")
          .doesNotContain("secret");
    }

    @Proves({"error.500", "resources.error.masked"})
    @Test
    @DisplayName("without any detail of an internal error")
    void masked() {
      api.reply =
          () ->
              Replies.refused(
                  GatewayError.of(ErrorCode.INTERNAL, "secret detail")
                      .withMetadata("provider_code", Json.of(500)));
      WireResponse response = api.chat(CHAT_BODY).header("X-Router-Metadata", "enabled").send();
      assertThat(text(response)).doesNotContain("secret", "provider_code", "router_metadata");
    }
  }

  @Test
  @DisplayName("abandons an answer that it cannot begin to write")
  void unwritable() {
    var closed = new AtomicBoolean();
    EventStream events =
        new EventStream() {
          @Override
          public @Nullable Event next() {
            return null;
          }

          @Override
          public boolean ready() {
            return true;
          }

          @Override
          public void close() {
            closed.set(true);
          }
        };
    Reply.MeteredAnswer answer = Replies.answered(null, events).answer();
    api.reply =
        () ->
            new Reply.Answered(
                Replies.ID,
                Replies.CREATED,
                answer,
                () -> {
                  throw new IllegalStateException("a bug");
                });
    String body = CHAT_BODY.replace("{\"messages\"", "{\"stream\":true,\"messages\"");
    assertThat(api.chat(body).send().status()).isEqualTo(500);
    assertThat(closed).isTrue();
  }
}
