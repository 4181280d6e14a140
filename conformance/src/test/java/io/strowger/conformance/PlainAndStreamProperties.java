package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.EventTexts;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/**
 * Tests that an answer does not depend on whether it is streamed: for every upstream dialect and
 * every dialect of the caller, the reassembled stream equals the plain answer.
 */
@Label("An answer of texts, reasoning, refusals and calls")
class PlainAndStreamProperties {
  @Property(tries = 1200)
  @Label("is the same as a document and as a reassembled stream")
  void same(@ForAll Upstream upstream, @ForAll CallerDialect caller, @ForAll Random random) {
    RandomAnswer drawn = RandomAnswer.draw(upstream, random);
    DialectClient client = DialectClient.valueOf(caller.name());
    InferenceRequest request = request(caller, false);
    List<Event> whole = EventTexts.readAll(upstream.document(drawn.whole(), request));
    JsonNode plain = parse(caller.document(whole, request));

    InferenceRequest streaming = request(caller, true);
    List<Event> events =
        EventTexts.readAll(upstream.stream(new ByteArrayInputStream(drawn.stream()), streaming));
    assertThat(content(client, assembled(caller, events, streaming)))
        .as("upstream %s%nstream %s", drawn.whole(), EventTexts.describe(events))
        .isEqualTo(content(client, plain));
    assertThat(content(client, assembled(caller, whole, streaming)))
        .as("streamed although the upstream sent a document%nupstream %s", drawn.whole())
        .isEqualTo(content(client, plain));
    if (caller.mirror() != upstream && callsComeLast(events)) {
      JsonNode collected = parse(caller.document(events, request));
      assertThat(content(client, collected))
          .as("collected here%n upstream %s%nstream %s", drawn.whole(), EventTexts.describe(events))
          .isEqualTo(content(client, plain));
    }
  }

  /** Returns whether all calls come after all other content, where the collector puts them. */
  private static boolean callsComeLast(List<Event> events) {
    boolean hasCalls = false;
    for (Event event : events) {
      boolean isCall = event instanceof Event.ToolCallDelta;
      if (hasCalls && !isCall && event.isContent() && !event.isTerminal()) {
        return false;
      }
      hasCalls |= isCall;
    }
    return true;
  }

  private static InferenceRequest request(CallerDialect caller, boolean stream) {
    String prompt =
        switch (caller) {
          case CHAT -> "'messages':[{'role':'user','content':'Hi'}]";
          case MESSAGES -> "'max_tokens':900,'messages':[{'role':'user','content':'Hi'}]";
          case RESPONSES -> "'input':'Hi'";
        };
    return caller.decode(
        (Json.Obj) TestJson.of("{'model':'lab/model','stream':" + stream + "," + prompt + "}"));
  }

  private static JsonNode assembled(
      CallerDialect caller, List<Event> events, InferenceRequest request) {
    DialectClient client = DialectClient.valueOf(caller.name());
    String body = new String(caller.stream(events, request), StandardCharsets.UTF_8);
    return DialectFrames.assemble(client, DialectFrames.read(client, body));
  }

  private static JsonNode parse(byte[] document) {
    return DialectClient.parse(new String(document, StandardCharsets.UTF_8));
  }

  /** Returns what a client reads of an answer: of a chat answer, the choice and the usage. */
  private static JsonNode content(DialectClient client, JsonNode answer) {
    if (client != DialectClient.CHAT) {
      return answer;
    }
    ObjectNode content = (ObjectNode) answer.at("/choices/0").deepCopy();
    content.remove(List.of("index", "logprobs"));
    ObjectNode message = (ObjectNode) content.path("message");
    if (message.path("content").asText("").isEmpty() || message.path("content").isNull()) {
      message.remove("content"); // null or empty
    }
    message.path("tool_calls").forEach(call -> ((ObjectNode) call).remove("index"));
    content.set("usage", answer.path("usage"));
    return content;
  }
}
