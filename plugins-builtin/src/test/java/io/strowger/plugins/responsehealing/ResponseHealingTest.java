package io.strowger.plugins.responsehealing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Response healing")
class ResponseHealingTest {
  private static final OutputFormat OBJECT = new OutputFormat.JsonObject();
  private static final String BROKEN = "{\"a\":1,}";
  private static final String REPAIRED = "{\"a\":1}";

  static InferenceRequest request(@Nullable OutputFormat format) {
    GenerationParameters settings = GenerationParameters.builder().format(format).build();
    return Given.request("acme/one", "hello").toBuilder()
        .parametersReader(members -> settings)
        .build();
  }

  static OutputFormat schema(String type) {
    var schema = Json.object().put("type", type).build();
    return new OutputFormat.JsonSchema("x", null, schema, true);
  }

  static Interceptor interceptor() {
    return (Interceptor)
        new ResponseHealingProvider().create(PluginConfig.EMPTY, Catalog.builder("none").build());
  }

  private static List<Event> read(InferenceRequest request, FakeChain chain) {
    var events = new ArrayList<Event>();
    try (EventStream stream = interceptor().intercept(request, chain)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    chain.assertUsedCorrectly();
    return events;
  }

  private static Answer answer(StopReason reason, Part... parts) {
    var source = Json.object().put("id", "x").build();
    return new Answer(List.of(parts), reason, "word", Given.usage(1, 2), Dialect.CHAT, source);
  }

  private static Answer answer(String text) {
    return answer(StopReason.END, new Part.Text(text));
  }

  private static String text(Event event) {
    var text = new StringBuilder();
    for (Part part : ((Event.CompleteAnswer) event).answer().parts()) {
      if (part instanceof Part.Text one) {
        text.append(one.text().text());
      }
    }
    return text.toString();
  }

  @Proves({
    "plugin.response-healing",
    "plugins.pipeline.response_healing",
    "plugins.other.healing.repairs"
  })
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "a bracket is missing | {\"name\": \"Alice\", \"age\": 30 |"
            + " {\"name\":\"Alice\",\"age\":30}",
        "a code fence is around it | ```json~{\"a\": 1}~``` | {\"a\":1}",
        "prose is before it | text:~{\"a\":1} | {\"a\":1}",
        "a comma is behind the last | {\"a\":1,} | {\"a\":1}",
        "a name has no quotes | {a: \"b\"} | {\"a\":\"b\"}",
      })
  void sheet(String what, String given, String healed) {
    String text = given.replace('~', '\n');
    FakeChain chain = FakeChain.of(new Event.CompleteAnswer(answer(text)));
    List<Event> events = read(request(schema("object")), chain);
    assertThat(events).hasSize(1);
    assertThat(text(events.getFirst())).isEqualTo(healed);
    assertThat(chain.stages())
        .containsExactly(
            new TraceEntry.Stage(
                "response_healing",
                "response-healing",
                "repaired the JSON of the answer",
                Json.object()
                    .put("mode", "json_schema")
                    .put("improved", true)
                    .put("original_length", text.length())
                    .put("healed_length", healed.length())
                    .build()));
  }

  @Proves("plugins.other.healing.repairs")
  @Test
  @DisplayName("passes on valid JSON as the same event, and reports no stage")
  void valid() {
    var event = new Event.CompleteAnswer(answer(" {\"a\" : 1} \n"));
    FakeChain chain = FakeChain.of(event);
    assertThat(read(request(OBJECT), chain)).singleElement().isSameAs(event);
    assertThat(chain.stages()).isEmpty();
  }

  @Proves("plugins.pipeline.response_healing")
  @Test
  @DisplayName("reports that it could not repair an answer, and leaves it unchanged")
  void hopeless() {
    var event = new Event.CompleteAnswer(answer("I'd rather not."));
    FakeChain chain = FakeChain.of(event);
    assertThat(read(request(OBJECT), chain)).singleElement().isSameAs(event);
    assertThat(chain.stages())
        .singleElement()
        .satisfies(
            stage -> {
              assertThat(stage.data().get("mode")).isEqualTo(Json.of("json_object"));
              assertThat(stage.data().get("improved")).isEqualTo(Json.FALSE);
              assertThat(stage.data().get("original_length")).isEqualTo(Json.of(15));
              assertThat(stage.data().get("healed_length")).isEqualTo(Json.of(15));
            });
  }

  @Test
  @DisplayName(
      "puts all text where the first text was, keeps the other parts, and drops the source")
  void parts() {
    Part thinking = new Part.Thinking(Json.of("hm"), null, Json.Obj.EMPTY, null);
    Part citation = new Part.Citation(Json.Obj.EMPTY, null);
    Answer answer =
        answer(
            StopReason.STOP_SEQUENCE,
            thinking,
            new Part.Text("{\"a\":"),
            citation,
            new Part.Text("1"));
    List<Event> events = read(request(OBJECT), FakeChain.of(new Event.CompleteAnswer(answer)));
    assertThat(((Event.CompleteAnswer) events.getFirst()).answer())
        .isEqualTo(
            new Answer(
                List.of(thinking, new Part.Text(REPAIRED), citation),
                StopReason.STOP_SEQUENCE,
                "word",
                answer.usage(),
                Dialect.CHAT,
                null));
  }

  @Nested
  @DisplayName("of an answer in several events")
  class Pieces {
    private final Event started = new Event.Started(null);
    private final Event usage = new Event.UsageReport(Given.usage(3, 4), null);
    private final Event finished = new Event.Finished(StopReason.END, "stop", null);

    @Test
    @DisplayName("gives a repaired answer as a whole, after the other events")
    void repaired() {
      FakeChain chain =
          FakeChain.of(
              started, new Event.TextDelta("{\"a\""), new Event.TextDelta(":1"), usage, finished);
      List<Event> events = read(request(OBJECT), chain);
      assertThat(events).startsWith(started, usage).hasSize(3);
      Answer answer = ((Event.CompleteAnswer) events.getLast()).answer();
      assertThat(answer.parts()).containsExactly(new Part.Text(REPAIRED));
      assertThat(answer.usage()).isEqualTo(Given.usage(3, 4));
      assertThat(answer.stopReason()).isEqualTo(StopReason.END);
      assertThat(answer.nativeReason()).isEqualTo("stop");
    }

    @Test
    @DisplayName(
        "passes on the events unchanged if there is nothing to repair, or the answer failed")
    void untouched() {
      List<Event> valid = List.of(started, new Event.TextDelta(REPAIRED), usage, finished);
      assertThat(read(request(OBJECT), FakeChain.of(valid))).containsExactlyElementsOf(valid);
      Event failed = Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED));
      List<Event> broken = List.of(started, new Event.TextDelta(BROKEN), failed);
      FakeChain chain = FakeChain.of(broken);
      assertThat(read(request(OBJECT), chain)).containsExactlyElementsOf(broken);
      assertThat(chain.stages()).isEmpty();
    }

    @Test
    @DisplayName("is ready once the whole answer has arrived")
    void ready() {
      FakeChain chain = FakeChain.of(started, new Event.TextDelta(REPAIRED), finished);
      try (EventStream stream = interceptor().intercept(request(OBJECT), chain)) {
        assertThat(stream.ready()).isFalse();
        stream.next();
        assertThat(stream.ready()).isTrue();
      }
    }
  }

  @Nested
  @DisplayName("leaves unchanged")
  class LeavesAlone {
    private void assertUnchanged(InferenceRequest request, Answer answer) {
      var event = new Event.CompleteAnswer(answer);
      FakeChain chain = FakeChain.of(event);
      assertThat(read(request, chain)).singleElement().isSameAs(event);
      assertThat(chain.requests()).singleElement().isSameAs(request);
      assertThat(chain.stages()).isEmpty();
    }

    @Proves("plugins.other.healing.when")
    @ParameterizedTest
    @EnumSource(
        value = StopReason.class,
        mode = EnumSource.Mode.EXCLUDE,
        names = {"END", "STOP_SEQUENCE"})
    @DisplayName("an answer that the model did not end")
    void reasons(StopReason reason) {
      assertUnchanged(request(OBJECT), answer(reason, new Part.Text(BROKEN)));
    }

    @Test
    @DisplayName("an answer without text")
    void nothing() {
      assertUnchanged(request(OBJECT), answer(" \n"));
      assertUnchanged(request(OBJECT), answer(StopReason.END));
    }

    @Proves("plugins.other.healing.when")
    @Test
    @DisplayName("the answers to streaming requests, and to those that do not ask for JSON")
    void requests() {
      assertUnchanged(request(OBJECT).toBuilder().streaming(true).build(), answer(BROKEN));
      assertUnchanged(request(null), answer(BROKEN));
      assertUnchanged(request(new OutputFormat.Text()), answer(BROKEN));
      assertUnchanged(request(new OutputFormat.Other("grammar", Json.NULL)), answer(BROKEN));
    }
  }

  @Test
  @DisplayName("accepts an array if the schema requires one, or has no type")
  void arrays() {
    String given = "{\"a\":\"as in\"} or rather [1,2";
    List<Event> wanted =
        read(request(schema("array")), FakeChain.of(new Event.CompleteAnswer(answer(given))));
    assertThat(text(wanted.getFirst())).isEqualTo("[1,2]");
    var open = new OutputFormat.JsonSchema(null, null, null, null);
    List<Event> events =
        read(request(open), FakeChain.of(new Event.CompleteAnswer(answer("[1,2"))));
    assertThat(text(events.getFirst())).isEqualTo("[1,2]");
  }
}
