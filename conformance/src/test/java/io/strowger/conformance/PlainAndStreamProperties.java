package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.dialects.Caller;
import io.strowger.conformance.dialects.Told;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.Drawn;
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
 * every front, the reassembled stream equals the plain answer.
 */
@Label("An answer of texts, reasoning, refusals and calls")
class PlainAndStreamProperties {
  @Property(tries = 1200)
  @Label("is the same as a document and as a reassembled stream")
  void same(@ForAll Upstream upstream, @ForAll Caller caller, @ForAll Random random) {
    RandomAnswer drawn = RandomAnswer.draw(upstream, random);
    DialectFront front = DialectFront.valueOf(caller.name());
    InferenceRequest request = request(caller, false);
    List<Event> whole = Told.events(upstream.document(drawn.whole(), request));
    JsonNode plain = parse(caller.document(whole, request));

    InferenceRequest streaming = request(caller, true);
    List<Event> events =
        Told.events(upstream.stream(new ByteArrayInputStream(drawn.stream()), streaming));
    assertThat(content(front, assembled(caller, events, streaming)))
        .as("upstream %s%nstream %s", drawn.whole(), Told.words(events))
        .isEqualTo(content(front, plain));
    assertThat(content(front, assembled(caller, whole, streaming)))
        .as("streamed although the upstream sent a document%nupstream %s", drawn.whole())
        .isEqualTo(content(front, plain));
    if (caller.mirror() != upstream && callsComeLast(events)) {
      JsonNode collected = parse(caller.document(events, request));
      assertThat(content(front, collected))
          .as("collected here%n upstream %s%nstream %s", drawn.whole(), Told.words(events))
          .isEqualTo(content(front, plain));
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

  private static InferenceRequest request(Caller caller, boolean stream) {
    String prompt =
        switch (caller) {
          case CHAT -> "'messages':[{'role':'user','content':'Hi'}]";
          case MESSAGES -> "'max_tokens':900,'messages':[{'role':'user','content':'Hi'}]";
          case RESPONSES -> "'input':'Hi'";
        };
    return caller.read(
        (Json.Obj) Drawn.json("{'model':'lab/model','stream':" + stream + "," + prompt + "}"));
  }

  private static JsonNode assembled(Caller caller, List<Event> events, InferenceRequest request) {
    DialectFront front = DialectFront.valueOf(caller.name());
    String body = new String(caller.stream(events, request), StandardCharsets.UTF_8);
    return DialectFrames.assemble(front, DialectFrames.read(front, body));
  }

  private static JsonNode parse(byte[] document) {
    return DialectFront.parse(new String(document, StandardCharsets.UTF_8));
  }

  /** Returns what a client reads of an answer: of a chat answer, the choice and the usage. */
  private static JsonNode content(DialectFront front, JsonNode answer) {
    if (front != DialectFront.CHAT) {
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
