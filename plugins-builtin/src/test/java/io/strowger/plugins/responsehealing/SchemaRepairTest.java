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

@DisplayName("An answer whose schema the caller wants checked")
class SchemaRepairTest {
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"age\":{\"type\":\"integer\"}},"
          + "\"required\":[\"age\"]}";
  private static final String GOOD = "{\"age\":30}";
  private static final String BAD = "{\"age\":\"thirty\"}";

  private static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static InferenceRequest asking(String schema) {
    Json.Obj format =
        Json.object()
            .put("type", "json_schema")
            .put(
                "json_schema",
                Json.object().put("name", "person").put("schema", json(schema)).build())
            .build();
    return Given.request("acme/one", "Who?").toBuilder().member("response_format", format).build();
  }

  private static Event whole(String text) {
    return new Event.CompleteAnswer(Given.answer(text));
  }

  private static FakeChain answering(Event... answers) {
    var all = new ArrayDeque<>(List.of(answers));
    return new FakeChain(request -> EventStream.of(List.of(all.remove())))
        .withCodec(new JacksonCodec());
  }

  private static String told(InferenceRequest request, FakeChain chain) {
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
  @DisplayName("is given as it is when it fits, without another turn and without a stage")
  void fits() {
    FakeChain chain = answering(whole(GOOD));
    assertThat(told(asking(SCHEMA), chain)).isEqualTo(GOOD);
    assertThat(chain.requests()).hasSize(1);
    assertThat(chain.stages()).isEmpty();
  }

  @Test
  @DisplayName("is corrected by the model in one turn that tells all that is wrong")
  void corrected() {
    FakeChain chain = answering(whole(BAD), whole(GOOD));
    assertThat(told(asking(SCHEMA), chain)).isEqualTo(GOOD);
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
  @DisplayName("is repaired in its syntax first, also the second one")
  void syntaxToo() {
    FakeChain chain = answering(whole("{\"age\":\"x\""), whole("```json\n{\"age\":30,}\n```"));
    assertThat(json(told(asking(SCHEMA), chain))).isEqualTo(json(GOOD));
    assertThat(chain.requests()).hasSize(2);
  }

  @Test
  @DisplayName(
      "that still does not fit is given as it is last, after one turn, and the stage says so")
  void twice() {
    FakeChain chain = answering(whole(BAD), whole("{\"name\":1}"));
    assertThat(told(asking(SCHEMA), chain)).isEqualTo("{\"name\":1}");
    assertThat(chain.requests()).hasSize(2);
    assertThat(stages(chain)).contains("\"matches_schema\":false");
  }

  @Test
  @DisplayName("is the first when the second turn fails, such as for want of money")
  void failing() {
    FakeChain chain =
        answering(whole(BAD), Event.Failed.upstream(Given.failure(FailureKind.QUOTA)));
    assertThat(told(asking(SCHEMA), chain)).isEqualTo(BAD);
    assertThat(stages(chain)).contains("no better one was given");
  }

  @Test
  @DisplayName("is not judged when it was cut off, or by a schema that is unusable")
  void unjudged() {
    var cut =
        new Answer(
            List.of(new Part.Text(BAD)), StopReason.LENGTH, "length", null, Dialect.CHAT, null);
    assertThat(told(asking(SCHEMA), answering(new Event.CompleteAnswer(cut)))).isEqualTo(BAD);
    FakeChain chain = answering(whole(BAD));
    assertThat(told(asking("{\"$ref\":\"#\"}"), chain)).isEqualTo(BAD);
    assertThat(chain.requests()).hasSize(1);
    assertThat(chain.notes().toString())
        .contains("is not checked: the schema refers to itself without end");
  }

  @Test
  @DisplayName("is not checked where nobody asked, or in a stream")
  void notAsked() {
    FakeChain chain = answering(whole(BAD));
    try (EventStream stream =
        new ResponseHealingProvider.ResponseHealing(false).intercept(asking(SCHEMA), chain)) {
      assertThat(((Event.CompleteAnswer) Objects.requireNonNull(stream.next())).answer().parts())
          .hasSize(1);
    }
    FakeChain streamed = answering(whole(BAD));
    assertThat(told(asking(SCHEMA).toBuilder().streaming(true).build(), streamed)).isEqualTo(BAD);
    assertThat(streamed.requests()).hasSize(1);
  }
}
