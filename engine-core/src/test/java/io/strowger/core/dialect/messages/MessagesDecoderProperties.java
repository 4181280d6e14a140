package io.strowger.core.dialect.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.decode.TestRules;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A messages body")
class MessagesDecoderProperties {
  private static final MessagesDecoder DECODER = new MessagesDecoder((entries, at, problems) -> {});

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return MessagesBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(MessagesMutations.all());
  }

  @Property(tries = 300)
  @Label("that is valid is read, and the typed request agrees with its JSON")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    InferenceRequest request = DECODER.decode(body, problems);
    assertThat(TestRules.problemTexts(problems)).isEmpty();
    assertThat(request.dialect()).isEqualTo(Dialect.MESSAGES);
    assertThat(request.members()).isSameAs(body);
    assertThat(request.models().getFirst()).hasToString(body.text("model"));
    assertThat(request.maxOutputTokens()).isEqualTo((int) body.longValue("max_tokens", 0));
    assertThat(request.streaming()).isEqualTo(Json.TRUE.equals(body.get("stream")));
    assertThat(request.sessionId()).isEqualTo(body.text("session_id"));
    assertThat(request.user()).isEqualTo(body.text("user"));
    Message system = request.instructions();
    assertThat(system == null ? null : system.source()).isEqualTo(body.get("system"));
    Json.Arr messages = Objects.requireNonNull(body.list("messages"));
    assertThat(request.messages()).hasSize(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      assertSameMessage(request.messages().get(i), (Json.Obj) messages.get(i));
    }
    Json.Arr tools = body.list("tools");
    assertThat(request.tools()).hasSize(tools == null ? 0 : tools.size());
  }

  private static void assertSameMessage(Message message, Json.Obj json) {
    assertThat(message.source()).isSameAs(json);
    assertThat(message.role().wireName()).isEqualTo(json.text("role"));
    Json.Arr blocks = json.list("content");
    assertThat(message.contentForm())
        .isEqualTo(blocks == null ? Message.ContentForm.STRING : Message.ContentForm.LIST);
    assertThat(message.parts()).hasSize(blocks == null ? 1 : blocks.size());
    for (int i = 0; blocks != null && i < blocks.size(); i++) {
      assertThat(message.parts().get(i).source()).isSameAs(blocks.get(i));
    }
  }

  @Property(tries = 1000)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
  }
}
