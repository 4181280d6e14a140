package io.strowger.conformance.money;

import static io.strowger.conformance.money.ChatBytes.finish;
import static io.strowger.conformance.money.ChatBytes.text;
import static io.strowger.conformance.money.ChatBytes.textOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A connection that is reset right after the finish reason")
class ResetAfterFinishTest {
  private static final String MESSAGES =
      """
      data: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}

      data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"12345678"}}

      data: {"type":"content_block_stop","index":0}

      data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}

      """;
  private static final String GEMINI =
      """
      data: {"candidates":[{"content":{"role":"model","parts":[{"text":"12345678"}]},"finishReason":"STOP"}]}

      """;

  static Stream<Arguments> dialects() {
    String chat = textOf(text("12345678")) + textOf(finish("stop"));
    return Stream.of(
        Arguments.of("chat", new OpenAiChatFactory(), chat, false),
        Arguments.of("chat", new OpenAiChatFactory(), chat, true),
        Arguments.of("messages", new AnthropicMessagesFactory(), MESSAGES, false),
        Arguments.of("messages", new AnthropicMessagesFactory(), MESSAGES, true),
        Arguments.of("gemini", new GeminiFactory(), GEMINI, false),
        Arguments.of("gemini", new GeminiFactory(), GEMINI, true));
  }

  /** Answers one request with this body, and resets the connection. */
  private static void serve(ServerSocket server, String body, boolean chunked) {
    try (Socket socket = server.accept()) {
      var in = socket.getInputStream();
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      OutputStream out = socket.getOutputStream();
      String framing =
          chunked
              ? "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(bytes.length) + "\r\n"
              : "\r\n";
      out.write(
          ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + framing)
              .getBytes(StandardCharsets.US_ASCII));
      out.write(bytes);
      out.flush();
      socket.setSoLinger(true, 0); // close() resets the connection
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @ParameterizedTest(name = "{0}, chunked: {3}")
  @MethodSource("dialects")
  @DisplayName("ends a complete answer:")
  void complete(String name, ProviderFactory factory, String body, boolean chunked)
      throws Exception {
    TestAmbient ambient = TestAmbient.realTime();
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread serving = ambient.start("upstream", () -> serve(server, body, chunked));
      var base = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/v1");
      ChatProvider adapter =
          factory.create(
              new ProviderSettings(
                  "alpha", base, Map.of(), Duration.ofSeconds(2), new JacksonCodec(), ambient));
      var call = Given.call(Given.endpoint("alpha", "a/b", "1"), Given.streaming("a/b", "Hello"));
      Event last = null;
      try (EventStream stream = adapter.open(call)) {
        serving.join(); // the connection is reset before anything was read
        for (Event event = stream.next(); event != null; event = stream.next()) {
          last = event;
        }
      }
      assertThat(last).isInstanceOf(Event.Finished.class);
      adapter.close();
    } finally {
      factory.close();
    }
    ambient.assertNoThreadsLeft();
  }
}
