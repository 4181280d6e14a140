package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An answer that never ends")
class DialectCutTest {
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final String PIECE = "and so on, ";

  private static final String CHAT =
      "data:"
          + " {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":"
          + "{\"content\":\""
          + PIECE
          + "\"},\"finish_reason\":null}]}\n\n";
  private static final String SECOND_CHOICE = CHAT.replace("\"index\":0", "\"index\":1");
  private static final String CHAT_IMAGE =
      CHAT.replace(
          "\"content\":\"" + PIECE + "\"",
          "\"images\":[{\"image_url\":{\"url\":\"data:image/png;base64,"
              + "A".repeat(40_000)
              + "\"}}]");
  private static final String MESSAGES_HEAD =
      """
      data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":7,"output_tokens":1}}}

      data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

      """;
  private static final String MESSAGES =
      "data:"
          + " {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\""
          + PIECE
          + "\"}}\n\n";
  private static final String CALL_HEAD =
      """
      data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":7,"output_tokens":1}}}

      data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"look","input":{}}}

      """;
  private static final String CALL =
      "data:"
          + " {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\""
          + PIECE
          + "\"}}\n\n";
  private static final String GEMINI =
      "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\""
          + PIECE
          + "\"}]}}]}\n\n";
  private static final String RESPONSES_HEAD =
      """
      data: {"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}

      data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[]}}

      data: {"type":"response.content_part.added","output_index":0,"content_index":0,"item_id":"i","part":{"type":"output_text","text":"","annotations":[]}}

      """;
  private static final String RESPONSES =
      "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,"
          + "\"item_id\":\"i\",\"delta\":\""
          + PIECE
          + "\"}\n\n";

  static Stream<Arguments> endless() {
    var cells = new ArrayList<Arguments>();
    for (String path : List.of("/chat/completions", "/messages", "/responses")) {
      cells.add(Arguments.of("openai-chat", path, "text", "", CHAT));
      cells.add(Arguments.of("openai-chat", path, "a second choice", CHAT, SECOND_CHOICE));
      cells.add(Arguments.of("openai-chat", path, "images", CHAT, CHAT_IMAGE));
      cells.add(Arguments.of("anthropic-messages", path, "text", MESSAGES_HEAD, MESSAGES));
      cells.add(Arguments.of("anthropic-messages", path, "a tool call", CALL_HEAD, CALL));
      cells.add(Arguments.of("gemini", path, "text", "", GEMINI));
      cells.add(Arguments.of("openai-responses", path, "text", RESPONSES_HEAD, RESPONSES));
    }
    return cells.stream();
  }

  @ParameterizedTest(name = "{0} for {1}: {2}")
  @MethodSource("endless")
  @DisplayName("is cut with the finish reason of the caller's dialect, and is charged:")
  void cut(String protocol, String path, String what, String head, String piece)
      throws IOException {
    var records = new ArrayList<CallRecord>();
    var time = TestAmbient.at("2026-01-05T12:00:00Z");
    var upstream = new ScriptedTransport();
    upstream.streams(new Step.Send(head.isEmpty() ? piece : head), new Step.SendForever(piece));
    try (Gateway gateway =
        Gateway.builder(
                ConfigReader.standard()
                    .read(config(protocol).getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .provider(new OpenAiChatFactory(upstream))
            .provider(new OpenAiResponsesFactory(upstream))
            .provider(new AnthropicMessagesFactory(upstream))
            .provider(new GeminiFactory(upstream))
            .sink(records::add)
            .ambient(time)
            .build()) {
      String response = ask(gateway, path);
      assertThat(response)
          .contains(
              switch (path) {
                case "/messages" -> "\"stop_reason\":\"max_tokens\"";
                case "/responses" -> "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}";
                default -> "\"finish_reason\":\"length\"";
              })
          .doesNotContain("\"error\":{");
    }
    CallRecord record = records.getFirst();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
    assertThat(record.billLines().getFirst().usage().completionTokens()).isBetween(1L, 64L);
    assertThat(record.cost().nanos()).isPositive();
    assertThat(upstream.closed()).isEqualTo(1);
    assertThat(upstream.sent()).isLessThan(5_000_000);
    time.assertNoThreadsLeft();
  }

  private static String config(String protocol) {
    return """
    { "providers": [ { "slug": "alpha", "protocol": "%s", "base_url": "http://alpha.test/v1" } ],
      "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "m",
          "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
      "keys": [ { "name": "app", "key": "%s" } ] }
    """
        .formatted(protocol, KEY);
  }

  private static String ask(Gateway gateway, String path) throws IOException {
    String input =
        path.equals("/responses")
            ? "\"input\":\"Hello\",\"max_output_tokens\":64"
            : "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":64";
    String body = "{\"model\":\"acme/large\",\"stream\":true," + input + "}";
    var request =
        new WireRequest(
            "POST",
            path,
            "",
            name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + KEY : null,
            new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
            new Cancellation());
    var out = new ByteArrayOutputStream();
    try (WireBody answer = gateway.wire().handle(request).body()) {
      answer.transferTo(out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
