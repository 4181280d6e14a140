package io.strowger.plugins.responsehealing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer that is checked against the caller's schema")
class SchemaRepairTest {
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"age\":{\"type\":\"integer\"}},"
          + "\"required\":[\"age\"]}";
  private static final String MATCHING = "{\"age\":30}";
  private static final String MISMATCHED = "{\"age\":\"thirty\"}";

  private static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static InferenceRequest request(String schema) {
    Json.Obj format =
        Json.object()
            .put("type", "json_schema")
            .put(
                "json_schema",
                Json.object().put("name", "person").put("schema", json(schema)).build())
            .build();
    return Given.request("acme/one", "Who?").toBuilder().member("response_format", format).build();
  }

  private static Event complete(String text) {
    return new Event.CompleteAnswer(Given.answer(text));
  }

  private static FakeChain chainAnswering(Event... answers) {
    var all = new ArrayDeque<>(List.of(answers));
    return new FakeChain(request -> EventStream.of(List.of(all.remove())))
        .withCodec(new JacksonCodec());
  }

  private static String answerText(InferenceRequest request, FakeChain chain) {
    var events = new ArrayList<Event>();
    try (EventStream stream =
        new ResponseHealingProvider.ResponseHealing(true).intercept(request, chain)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    chain.assertUsedCorrectly();
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    return AnswerHealer.text(((Event.CompleteAnswer) events.getLast()).answer());
  }

  private static String stages(FakeChain chain) {
    return chain.stages().toString();
  }

  @Test
  @DisplayName("is returned unchanged if it matches, without another turn and without a stage")
  void fits() {
    FakeChain chain = chainAnswering(complete(MATCHING));
    assertThat(answerText(request(SCHEMA), chain)).isEqualTo(MATCHING);
    assertThat(chain.requests()).hasSize(1);
    assertThat(chain.stages()).isEmpty();
  }

  @Test
  @DisplayName("is corrected by the model in one turn, in which it is given all problems")
  void corrected() {
    FakeChain chain = chainAnswering(complete(MISMATCHED), complete(MATCHING));
    assertThat(answerText(request(SCHEMA), chain)).isEqualTo(MATCHING);
    assertThat(chain.requests()).hasSize(2);
    InferenceRequest second = chain.requests().getLast();
    assertThat(second.mayCallTools()).isFalse();
    assertThat(second.messages())
        .extracting(Message::role)
        .containsExactly(Message.Role.USER, Message.Role.ASSISTANT, Message.Role.USER);
    String complaint = ((Part.Text) second.messages().getLast().parts().getFirst()).text().text();
    assertThat(complaint).contains("- /age: must fit the keyword type");
    assertThat(stages(chain)).contains("\"matches_schema\":true", "\"repair_turns\":1");
  }

  @Test
  @DisplayName("has its syntax repaired first, as has the corrected one")
  void syntaxToo() {
    FakeChain chain =
        chainAnswering(complete("{\"age\":\"x\""), complete("```json\n{\"age\":30,}\n```"));
    assertThat(json(answerText(request(SCHEMA), chain))).isEqualTo(json(MATCHING));
    assertThat(chain.requests()).hasSize(2);
  }

  @Test
  @DisplayName(
      "that still does not match after one turn is returned as it is, and the stage reports it")
  void twice() {
    FakeChain chain = chainAnswering(complete(MISMATCHED), complete("{\"name\":1}"));
    assertThat(answerText(request(SCHEMA), chain)).isEqualTo("{\"name\":1}");
    assertThat(chain.requests()).hasSize(2);
    assertThat(stages(chain)).contains("\"matches_schema\":false");
  }

  @Test
  @DisplayName("is the first one if the second turn fails, such as for lack of money")
  void failing() {
    FakeChain chain =
        chainAnswering(
            complete(MISMATCHED), Event.Failed.upstream(Given.failure(FailureKind.QUOTA)));
    assertThat(answerText(request(SCHEMA), chain)).isEqualTo(MISMATCHED);
    assertThat(stages(chain)).contains("no better one was given");
  }

  @Test
  @DisplayName("is not checked if it was cut off or the schema is unusable")
  void unjudged() {
    var cut =
        new Answer(
            List.of(new Part.Text(MISMATCHED)),
            StopReason.LENGTH,
            "length",
            null,
            Dialect.CHAT,
            null);
    assertThat(answerText(request(SCHEMA), chainAnswering(new Event.CompleteAnswer(cut))))
        .isEqualTo(MISMATCHED);
    FakeChain chain = chainAnswering(complete(MISMATCHED));
    assertThat(answerText(request("{\"$ref\":\"#\"}"), chain)).isEqualTo(MISMATCHED);
    assertThat(chain.requests()).hasSize(1);
    assertThat(chain.notes().toString())
        .contains("is not checked: the schema refers to itself without end");
  }

  @Test
  @DisplayName("is not checked in a stream, nor unless the check is enabled")
  void notAsked() {
    FakeChain chain = chainAnswering(complete(MISMATCHED));
    try (EventStream stream =
        new ResponseHealingProvider.ResponseHealing(false).intercept(request(SCHEMA), chain)) {
      assertThat(((Event.CompleteAnswer) Objects.requireNonNull(stream.next())).answer().parts())
          .hasSize(1);
    }
    FakeChain streamed = chainAnswering(complete(MISMATCHED));
    assertThat(answerText(request(SCHEMA).toBuilder().streaming(true).build(), streamed))
        .isEqualTo(MISMATCHED);
    assertThat(streamed.requests()).hasSize(1);
  }
}
