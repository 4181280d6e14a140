package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An answer that repeats its request, as answers in the responses dialect do,")
class EchoedRequestTest {
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "openai-responses",
                         "base_url": "http://alpha.test/v1" } ],
        "models": [ { "id": "acme/large", "endpoints": [
            { "provider": "alpha", "upstream_model": "m", "context_length": 1000000,
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "%s" } ] }
      """
          .formatted(KEY);
  private static final String ITEM =
      "{\"type\":\"message\",\"id\":\"i\",\"role\":\"assistant\",\"status\":\"completed\","
          + "\"content\":[{\"type\":\"output_text\",\"text\":\"yes\",\"annotations\":[]}]}";
  private static final String USAGE =
      ",\"usage\":{\"input_tokens\":9,\"output_tokens\":1,\"total_tokens\":10}";

  private static String response(String status, String instructions, String item, String usage) {
    return "{\"id\":\"r\",\"object\":\"response\",\"status\":\"%s\",\"instructions\":\"%s\",\"output\":[%s]%s}"
        .formatted(status, instructions, item, usage);
  }

  private static Step frame(String type, String members) {
    return new Step.Send("data: {\"type\":\"" + type + "\"," + members + "}\n\n");
  }

  private static Step[] stream(String instructions) {
    String started = "\"response\":" + response("in_progress", instructions, "", "");
    String part = "\"output_index\":0,\"content_index\":0,\"item_id\":\"i\",";
    return new Step[] {
      frame("response.created", started),
      frame("response.in_progress", started),
      frame(
          "response.output_item.added",
          "\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"i\",\"role\":\"assistant\",\"content\":[]}"),
      frame(
          "response.content_part.added",
          part + "\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}"),
      frame("response.output_text.delta", part + "\"delta\":\"yes\""),
      frame("response.output_text.done", part + "\"text\":\"yes\""),
      frame("response.output_item.done", "\"output_index\":0,\"item\":" + ITEM),
      frame(
          "response.completed", "\"response\":" + response("completed", instructions, ITEM, USAGE))
    };
  }

  @ParameterizedTest
  @CsvSource({"true, 700000", "true, 3000000", "false, 1400000", "false, 3000000"})
  @DisplayName("is not cut because of the repeated request, however long that is:")
  void whole(boolean streaming, int size) throws IOException {
    var records = new ArrayList<CallRecord>();
    var upstream = new ScriptedTransport();
    String instructions = "x".repeat(size);
    if (streaming) {
      upstream.streams(stream(instructions));
    } else {
      upstream.answers(response("completed", instructions, ITEM, USAGE));
    }
    try (Gateway gateway =
        Gateway.builder(
                ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow())
            .provider(new OpenAiResponsesFactory(upstream))
            .sink(records::add)
            .ambient(TestAmbient.at("2026-01-05T12:00:00Z"))
            .build()) {
      String response = ask(gateway, streaming, instructions);
      assertThat(response.contains("yes")).as("has the text").isTrue();
      assertThat(response.contains("max_output_tokens\"}")).as("is incomplete").isFalse();
    }
    CallRecord record = records.getFirst();
    assertThat(record.stopReason()).isEqualTo(StopReason.END);
    assertThat(record.cost().nanos()).isEqualTo(11_000);
    assertThat(List.copyOf(record.trace())).noneMatch(TraceEntry.Note.class::isInstance);
  }

  private static String ask(Gateway gateway, boolean streaming, String instructions)
      throws IOException {
    String body =
        "{\"model\":\"acme/large\",\"stream\":%s,\"max_output_tokens\":16,\"input\":\"yes or no?\",\"instructions\":\"%s\"}"
            .formatted(streaming, instructions);
    var request =
        new WireRequest(
            "POST",
            "/responses",
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
