package io.strowger.core.guardrail;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.AssertingEventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer guard")
class AnswerGuardTest {
  private static final Event.Finished END = new Event.Finished(StopReason.END, "stop", null);

  private static Interceptor guard(String... filters) {
    return Objects.requireNonNull(
        TestFilters.filter("{'content_filters':[" + String.join(",", filters) + "]}")
            .answerInterceptor());
  }

  private static String filter(String pattern, String action) {
    return "{'pattern':'%s','action':'%s','direction':'output'}"
        .formatted(pattern.replace("\\", "\\\\"), action);
  }

  private static List<Event> guardedEvents(Interceptor guard, Event... answer) {
    return read(guard.intercept(Given.streaming("m", "hello"), FakeChain.of(answer)));
  }

  private static List<Event> read(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  private static String text(List<Event> events) {
    var text = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.TextDelta textDelta) {
        text.append(textDelta.text().text());
      }
    }
    return text.toString();
  }

  private static Event.ToolCallDelta arguments(int index, String fragment) {
    return new Event.ToolCallDelta(index, null, null, Json.of(fragment), null);
  }

  private static String arguments(List<Event> events, int index) {
    var text = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.ToolCallDelta call && call.index() == index) {
        text.append(call.arguments().text());
      }
    }
    return text.toString();
  }

  @Test
  @DisplayName("holds back only what may still become a match, and passes on the rest at once")
  void holdsLittle() {
    EventStream stream =
        guard(filter("secret-[0-9]+", "redact"))
            .intercept(
                Given.streaming("m", "hello"),
                FakeChain.of(
                    new Event.TextDelta("It is a sec"),
                    new Event.TextDelta("tion of secr"),
                    new Event.TextDelta("et-12"),
                    new Event.TextDelta("3 and more"),
                    END));
    assertThat(stream.next()).isEqualTo(new Event.TextDelta("It is a "));
    assertThat(stream.next()).isEqualTo(new Event.TextDelta("sec"));
    assertThat(stream.next()).isEqualTo(new Event.TextDelta("tion of "));
    assertThat(text(read(stream))).isEqualTo("[REDACTED] and more");
  }

  @Test
  @DisplayName(
      "decides about text that it holds back when the answer ends, and ends the answer once")
  void ends() {
    assertThat(guardedEvents(guard(filter("abc+", "redact")), new Event.TextDelta("x ab"), END))
        .endsWith(new Event.TextDelta("ab"), new Event.Finished(StopReason.END, "stop", null));
    assertThat(
            text(guardedEvents(guard(filter("abc+", "redact")), new Event.TextDelta("x abc"), END)))
        .isEqualTo("x [REDACTED]");
  }

  @Test
  @DisplayName(
      "passes everything on as the same objects if all rules only flag, and reports what it found")
  void flags() {
    var template = new FrameTemplate(Dialect.CHAT, Json.Obj.EMPTY, new byte[0], new byte[0]);
    var textDelta = new Event.TextDelta(Json.of("my sec"), template);
    var otherContent = new Event.OtherContent(Json.object().put("x", 1).build());
    var chain = FakeChain.of(textDelta, otherContent, new Event.TextDelta("ret"), END);
    List<Event> events =
        read(guard(filter("secret", "flag")).intercept(Given.streaming("m", "hello"), chain));
    assertThat(events.get(0)).isSameAs(textDelta);
    assertThat(events.get(1)).isSameAs(otherContent);
    assertThat(events.getLast()).isSameAs(END);
    assertThat(chain.stages())
        .singleElement()
        .extracting(TraceEntry.Stage::name)
        .isEqualTo("content-filter");
  }

  @Test
  @DisplayName("passes on no upstream frames and no unmodelled content if a rule redacts or blocks")
  void strips() {
    Json.Obj frame = Json.object().put("repeats", "secret").build();
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            new Event.Started(frame),
            new Event.BlockStart(Event.BlockStart.Kind.TEXT, frame),
            new Event.TextDelta("a secret"),
            new Event.OtherContent(frame),
            new Event.BlockStop(frame),
            new Event.Annotation(frame, frame),
            new Event.Logprobs(Json.array(frame)),
            new Event.Finished(StopReason.END, "stop", frame));
    assertThat(events.toString()).doesNotContain("secret").contains("[REDACTED]");
    assertThat(events).noneMatch(Event.OtherContent.class::isInstance);
    assertThat(events).noneMatch(Event.Logprobs.class::isInstance);
    assertThat(events).anyMatch(Event.Annotation.class::isInstance);
  }

  private static Event.Logprobs logprobs(String... tokens) {
    return new Event.Logprobs(
        Json.array(
            Stream.of(tokens)
                .<Json>map(token -> Json.object().put("token", token).put("logprob", -1).build())
                .toList()));
  }

  @Test
  @DisplayName(
      "finds a match that is spread over tokens of log probabilities, before their text or without "
          + "a text")
  void tokens() {
    var plain = logprobs("a", " b");
    var after = logprobs("!");
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            plain,
            new Event.TextDelta("a b"),
            logprobs(" se"),
            new Event.TextDelta(" se"),
            logprobs("c", "ret"),
            new Event.TextDelta("cret"),
            after,
            new Event.TextDelta("!"),
            END);
    assertThat(text(events)).isEqualTo("a b [REDACTED]!");
    assertThat(events.stream().filter(Event.Logprobs.class::isInstance)).containsExactly(plain);
    assertThat(
            guardedEvents(guard(filter("secret", "redact")), logprobs("sec"), logprobs("ret"), END))
        .noneMatch(Event.Logprobs.class::isInstance);
    assertThat(
            guardedEvents(
                guard(filter("secret", "redact")), logprobs("sec"), logprobs("tion"), END))
        .containsExactly(
            logprobs("sec"), logprobs("tion"), new Event.Finished(StopReason.END, "stop", null));
    assertThat(
            guardedEvents(guard(filter("secret", "block")), logprobs("sec"), logprobs("ret"), END))
        .singleElement()
        .isInstanceOf(Event.Failed.class);
  }

  @Test
  @DisplayName("finds a match in log probabilities also in an answer that was not streamed")
  void tokensNotStreamed() {
    Answer answer = Given.answer("fine");
    var parts = new ArrayList<Part>(answer.parts());
    parts.add(new Part.Logprobs(logprobs("sec", "ret").content()));
    Answer withLogprobs =
        new Answer(
            parts,
            answer.stopReason(),
            answer.nativeReason(),
            answer.usage(),
            answer.dialect(),
            null);
    List<Event> events =
        guardedEvents(guard(filter("secret", "redact")), new Event.CompleteAnswer(withLogprobs));
    assertThat(events.toString()).contains("fine").doesNotContain("sec");
  }

  @Test
  @DisplayName("drops the signature of a changed summary, since it may contain the original")
  void signatureOfSummary() {
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            new Event.ReasoningDelta(Json.of("a secret"), true, null, null, null),
            new Event.ReasoningSignature(Json.of("sig"), null, null),
            new Event.TextDelta("fine"),
            END);
    assertThat(events).noneMatch(Event.ReasoningSignature.class::isInstance);
  }

  @Test
  @DisplayName(
      "finds a match that is spread over blocks, and drops the signature of changed reasoning")
  void blocks() {
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            new Event.ReasoningDelta(Json.of("sec"), null),
            new Event.BlockStop(null),
            new Event.ReasoningDelta(Json.of("ret!"), null),
            new Event.ReasoningSignature(Json.of("sig"), null, null),
            new Event.TextDelta("sec"),
            new Event.BlockStop(null),
            new Event.BlockStart(Event.BlockStart.Kind.TEXT, null),
            new Event.TextDelta("ret."),
            END);
    assertThat(text(events)).isEqualTo("[REDACTED].");
    assertThat(events).noneMatch(Event.ReasoningSignature.class::isInstance);
    assertThat(events.toString()).doesNotContain("ret!").doesNotContain("sec]");
  }

  @Test
  @DisplayName("blocks text that completes a match after other content")
  void interleaved() {
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            new Event.TextDelta("a sec"),
            new Event.ReasoningDelta(Json.of("hm"), null),
            new Event.TextDelta("ret b"),
            END);
    assertThat(text(events)).isEqualTo("a sec");
    assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
    assertThat(((Event.Failed) events.getLast()).error().code().status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 256, 600})
  @DisplayName(
      "forgets no text, however many calls come between its deltas, and blocks too many texts")
  void manyCallsBetween(int calls) {
    var events = new ArrayList<Event>();
    events.add(new Event.TextDelta("a sec"));
    for (int i = 0; i < calls; i++) {
      events.add(arguments(i, "{}"));
    }
    events.add(new Event.TextDelta("ret b"));
    events.add(END);
    List<Event> given =
        guardedEvents(guard(filter("secret", "redact")), events.toArray(Event[]::new));
    assertThat(text(given)).isEqualTo("a sec");
    assertThat(given.getLast())
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed ->
                assertThat(failed.error().message())
                    .isEqualTo(
                        "Answer blocked: it matches "
                            + (calls > 512 ? "too-many-texts" : "secret")));
  }

  @Test
  @DisplayName("redacts a match once if it continues after other content")
  void extended() {
    List<Event> events =
        guardedEvents(
            guard("{'pattern':'sec[a-z]+','action':'redact','direction':'both'}"),
            new Event.TextDelta("a secr"),
            new Event.ReasoningDelta(Json.of("hm"), null),
            new Event.TextDelta("et b"),
            END);
    assertThat(text(events)).isEqualTo("a [REDACTED] b");
    assertThat(events.getLast()).isInstanceOf(Event.Finished.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 100})
  @DisplayName("reads arguments without their escapes, and writes unchanged arguments as they were")
  void arguments(int size) {
    String json = "{\"a\":\"\\u0073ecr\\u0065t\",\"b\":\"x\\n\\\"y\\ud83d\\ude00\",\"c\":12}";
    var events = new ArrayList<Event>();
    events.add(new Event.ToolCallDelta(0, "id", "f", Json.of(""), null));
    for (int at = 0; at < json.length(); at += size) {
      events.add(arguments(0, json.substring(at, Math.min(json.length(), at + size))));
    }
    events.add(END);
    List<Event> out =
        guardedEvents(
            guard("{'pattern':'secret','action':'redact','direction':'output','label':'l\\\\k'}"),
            events.toArray(Event[]::new));
    assertThat(arguments(out, 0))
        .isEqualTo("{\"a\":\"l\\\\k\",\"b\":\"x\\n\\\"y\\ud83d\\ude00\",\"c\":12}");
  }

  @Test
  @DisplayName("blocks arguments with a match that is not within one string")
  void acrossValues() {
    List<Event> events =
        guardedEvents(
            guard(filter("a.*z", "redact")), arguments(0, "{\"k\":\"a\",\"l\":\"z\"}"), END);
    assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
    assertThat(arguments(events, 0)).isEqualTo("{\"k\":\"");
  }

  @Test
  @DisplayName("keeps the texts of two calls apart")
  void calls() {
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            arguments(0, "{\"a\":\"sec\"}"),
            arguments(1, "{\"a\":\"ret\"}"),
            END);
    assertThat(arguments(events, 0)).isEqualTo("{\"a\":\"sec\"}");
    assertThat(arguments(events, 1)).isEqualTo("{\"a\":\"ret\"}");
  }

  @Test
  @DisplayName("never passes on half of a surrogate pair")
  void pairs() {
    for (Event event :
        guardedEvents(
            guard(filter("b+x", "redact")),
            new Event.TextDelta("a\uD83D"),
            new Event.TextDelta("\uDE00b\uD83D"),
            new Event.TextDelta("\uDE00"),
            END)) {
      if (event instanceof Event.TextDelta textDelta) {
        String text = textDelta.text().text();
        assertThat(Character.isHighSurrogate(text.charAt(text.length() - 1))).isFalse();
      }
    }
  }

  @Test
  @DisplayName(
      "filters answers that were not streamed in the same way, and keeps what it does not change")
  void notStreamed() {
    var answer =
        new Answer(
            List.of(
                new Part.Thinking(Json.of("of secret"), Json.of("sig"), Json.Obj.EMPTY, null),
                new Part.Text("a sec"),
                new Part.Text("ret b"),
                new Part.ToolCall("id", "f", Json.of("{}"), Json.Obj.EMPTY, null),
                new Part.ToolCall("id2", "g", Json.of(""), Json.Obj.EMPTY, null),
                new Part.Unknown("x", Json.of("secret"))),
            StopReason.END,
            "stop",
            null,
            Dialect.CHAT,
            Json.object().put("secret", "secret").build());
    List<Event> events =
        guardedEvents(guard(filter("secret", "redact")), new Event.CompleteAnswer(answer));
    Answer filtered = ((Event.CompleteAnswer) events.getLast()).answer();
    assertThat(filtered.source()).isNull();
    assertThat(filtered.toString()).doesNotContain("secret").contains("signature=null");
    assertThat(filtered.parts())
        .filteredOn(Part.Text.class::isInstance)
        .extracting(part -> ((Part.Text) part).text().text())
        .containsExactly("a [REDACTED]", " b");
    assertThat(filtered.parts()).filteredOn(Part.ToolCall.class::isInstance).hasSize(2);
  }

  @Test
  @DisplayName("closes the upstream when it blocks, and reports it once")
  void closes() {
    var chain = FakeChain.of(new Event.TextDelta("ok. "), new Event.TextDelta("secret"), END);
    List<Event> events =
        read(guard(filter("secret", "block")).intercept(Given.streaming("m", "hello"), chain));
    assertThat(events).hasSize(2);
    assertThat(((Event.Failed) events.getLast()).error().message())
        .isEqualTo("Answer blocked: it matches secret");
    assertThat(chain.stages()).hasSize(1);
    chain.streams().forEach(AssertingEventStream::assertUsedCorrectly);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.*z|a", "(?:a|b)*c", "a[ab]{200,900}c", ".*x", "\\w+\\s?\\w+z"})
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("takes linear time for hostile texts in single characters, and holds back little")
  void hostile(String pattern) {
    var guarded =
        new GuardedText(
            List.of(FilterRule.of(pattern, FilterAction.REDACT, null)),
            new Findings(),
            (s, e) -> true);
    var out = new GuardedTextProperties.ReleasedText();
    for (int i = 0; i < 60_000 && !guarded.isBlocked(); i++) {
      guarded.append(i % 4000 == 3999 ? "\n" : "a");
      guarded.release(guarded.decidedLength(), out);
      assertThat(guarded.length() - guarded.releasedLength())
          .isLessThan(TextScanner.MAX_UNDECIDED_CHARS + 2);
    }
    assertThat(guarded.isBlocked() || guarded.length() == 60_000).isTrue();
  }

  @Test
  @DisplayName("holds back nothing of a harmless text, even with all built-in filters")
  void builtins() {
    var rules = new ArrayList<FilterRule>();
    for (BuiltinFilter builtinFilter : BuiltinFilter.values()) {
      rules.add(FilterRule.of(builtinFilter, FilterAction.REDACT, false));
    }
    var guarded = new GuardedText(rules, new Findings(), (s, e) -> true);
    var out = new GuardedTextProperties.ReleasedText();
    guarded.append("Nothing here is a number, and nobody is named. ");
    guarded.release(guarded.decidedLength(), out);
    assertThat(out.all.toString()).isEqualTo("Nothing here is a number, and nobody is named. ");
  }

  @Test
  @DisplayName("does not take a pause for the end: a rule that flags judges the continued text")
  void flagsOnce() {
    var findings = new Findings();
    var guarded =
        new GuardedText(
            List.of(
                FilterRule.of("secret\\b", FilterAction.FLAG, null),
                FilterRule.of("pin[0-9]", FilterAction.REDACT, null)),
            findings,
            (start, end) -> true);
    guarded.append("no secret");
    guarded.pause();
    guarded.append("s here");
    guarded.end();
    assertThat(findings.isEmpty()).isTrue();
  }

  private static Event.ToolCallDelta call(String id, String name) {
    return new Event.ToolCallDelta(0, id, name, Json.of("{}"), null);
  }

  @Test
  @DisplayName("filters names and ids of calls, except for the names of declared tools")
  void namesOfCalls() {
    Interceptor guard = guard(filter("secret", "redact"));
    List<Event> events = guardedEvents(guard, call("call_secret", "tell_secret"), END);
    assertThat(events.toString()).doesNotContain("secret");
    Event.ToolCallDelta redactedCall = (Event.ToolCallDelta) events.getFirst();
    assertThat(redactedCall.name()).isEqualTo("tell_[REDACTED]");
    assertThat(redactedCall.id()).matches("[A-Za-z0-9_]+");
    assertThat(guardedEvents(guard(filter("secret", "block")), call("call_1", "tell_secret"), END))
        .singleElement()
        .isInstanceOf(Event.Failed.class);

    var declared = new Tool.Function("tell_secret", null, null, Json.Obj.EMPTY, null);
    var request = Given.streaming("m", "hello").toBuilder().tools(List.of(declared)).build();
    assertThat(read(guard.intercept(request, FakeChain.of(call("call_1", "tell_secret"), END))))
        .contains(new Event.ToolCallDelta(0, "call_1", "tell_secret", Json.of(""), null));
  }

  @Test
  @DisplayName("changes an id in the same way wherever it occurs")
  void ids() {
    var run =
        new Part.ServerToolRun(
            "call_secret",
            "router:clock",
            new Arguments.Text(Json.of("{\"zone\":\"\\u0073ecret\"}")),
            Json.object().put("secret", 1).put("pin", Json.of(4711)).build(),
            null);
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact"), filter("47[0-9]+", "redact")),
            call("call_secret", "f"),
            new Event.ServerToolRun(run),
            END);
    assertThat(events.toString()).doesNotContain("secret", "u0073", "4711");
    var call = (Event.ToolCallDelta) events.getFirst();
    Part.ServerToolRun filtered =
        events.stream()
            .filter(Event.ServerToolRun.class::isInstance)
            .map(event -> ((Event.ServerToolRun) event).run())
            .findFirst()
            .orElseThrow();
    assertThat(filtered.callId()).isEqualTo(call.id());
    assertThat(filtered.arguments().text()).isEqualTo("{\"zone\":\"[REDACTED]\"}");
    assertThat(filtered.result())
        .isEqualTo(Json.object().put("[REDACTED]", 1).put("pin", Json.of("[REDACTED]")).build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"redact", "block"})
  @DisplayName("filters errors and the echo of a request, and does not block for them")
  void errorsAndEchoes(String action) {
    var error =
        GatewayError.of(ErrorCode.UNAVAILABLE, "Upstream said: secret")
            .withMetadata("raw", Json.object().put("text", "a secret").build());
    var cause = Failure.of(FailureKind.UNAVAILABLE, "it said secret");
    List<Event> events =
        guardedEvents(
            guard(filter("secret", action)),
            new Event.UpstreamBodyEcho(Json.object().put("prompt", "my secret").build()),
            new Event.TextDelta("fine"),
            new Event.Failed(error, cause));
    assertThat(events).hasSize(3);
    assertThat(events.getFirst())
        .isEqualTo(
            new Event.UpstreamBodyEcho(Json.object().put("prompt", "my [REDACTED]").build()));
    Event.Failed failed = (Event.Failed) events.getLast();
    assertThat(failed.error().message()).isEqualTo("Upstream said: [REDACTED]");
    assertThat(failed.error().metadata().toString()).contains("a [REDACTED]");
    assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(Objects.requireNonNull(failed.cause()).message()).isEqualTo("it said [REDACTED]");
  }

  @Test
  @DisplayName("filters all other texts of an answer")
  void everythingElse() {
    List<Event> events =
        guardedEvents(
            guard(filter("secret", "redact")),
            new Event.ReasoningDelta(Json.of("hm"), false, "secret-v1", "rs_secret", null),
            new Event.ReasoningSignature(Json.of("sig"), "secret-v1", null),
            new Event.EncryptedReasoning(Json.of("x"), "secret-v1", "rs_secret", null),
            new Event.TextDelta("It is so."),
            new Event.Logprobs(
                Json.array(
                    Json.object()
                        .put("token", "so")
                        .put(
                            "top_logprobs",
                            Json.array(Json.object().put("token", "secret").build()))
                        .build())),
            new Event.Finished(StopReason.END, "secret", null));
    assertThat(events.toString()).doesNotContain("secret");
    assertThat(events).noneMatch(Event.Logprobs.class::isInstance);

    String picture = "data:image/png;base64,secretsecret";
    var answer =
        new Answer(
            List.of(
                new Part.ToolCall("call_secret", "secret", Json.of(""), Json.Obj.EMPTY, null),
                new Part.Image(Json.of("https://secret.example"), Json.Obj.EMPTY, null),
                new Part.Image(Json.of(picture), Json.Obj.EMPTY, null),
                new Part.Video(Json.of("https://secret.example"), Json.Obj.EMPTY, null),
                new Part.File(Json.object().put("name", "secret").build(), Json.Obj.EMPTY, null)),
            StopReason.END,
            "secret",
            null,
            Dialect.CHAT,
            null);
    List<Event> notStreamed =
        guardedEvents(guard(filter("secret", "redact")), new Event.CompleteAnswer(answer));
    assertThat(notStreamed.toString().replace(picture, "")).doesNotContain("secret");
    assertThat(notStreamed.toString()).contains(picture);
  }

  @ParameterizedTest
  @CsvSource({"redact, false", "block, false", "flag, true"})
  @DisplayName(
      "passes on audio only if all rules flag, streamed or not, since it may contain a match")
  void audio(String action, boolean isPassedOn) {
    Interceptor guard = guard(filter("secret", action));
    var fragment = Event.AudioDelta.of("audio/mpeg", new byte[] {1}, 1);
    assertThat(guardedEvents(guard, fragment, new Event.TextDelta("fine"), END).contains(fragment))
        .isEqualTo(isPassedOn);

    var recording = new Part.Audio(Json.of("AAAA"), "mp3", Json.Obj.EMPTY, null);
    var notStreamed = new Event.CompleteAnswer(answer(recording, new Part.Text("fine")));
    List<Event> events = guardedEvents(guard, notStreamed);
    assertThat(text(((Event.CompleteAnswer) events.getLast()).answer())).isEqualTo("fine");
    assertThat(((Event.CompleteAnswer) events.getLast()).answer().parts().contains(recording))
        .isEqualTo(isPassedOn);
  }

  private static Answer answer(Part... parts) {
    return new Answer(List.of(parts), StopReason.END, "stop", null, Dialect.CHAT, null);
  }

  private static String text(Answer answer) {
    return answer.parts().stream()
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text().text())
        .collect(Collectors.joining());
  }

  static Stream<Event> eventsWithMatch() {
    var run =
        new Part.ServerToolRun(
            "call_1", "router:clock", new Arguments.Text(Json.of("{}")), Json.of("secret"), null);
    return Stream.of(
        new Event.TextDelta("a secret"),
        new Event.RefusalDelta(Json.of("a secret"), null),
        new Event.ReasoningDelta(Json.of("a secret"), true, null, null, null),
        new Event.ReasoningDelta(Json.of("hm"), false, "secret-v1", null, null),
        new Event.ReasoningDelta(Json.of("hm"), false, null, "rs_secret", null),
        new Event.ReasoningSignature(Json.of("sig"), "secret-v1", null),
        new Event.EncryptedReasoning(Json.of("x"), "secret-v1", null, null),
        new Event.EncryptedReasoning(Json.of("x"), null, "rs_secret", null),
        arguments(0, "{\"a\":\"\\u0073ecret"),
        arguments(0, "{\"a\":\"b\\"), // ends in an incomplete escape
        call("call_secret", "f"),
        call("call_1", "tell_secret"),
        logprobs("secret"),
        logprobs("sec", "ret"),
        new Event.Annotation(Json.object().put("title", "secret").build(), null),
        new Event.ServerToolRun(run),
        new Event.CompleteAnswer(answer(new Part.Text("a sec"), new Part.Text("ret"))),
        new Event.Finished(StopReason.END, "secret", null),
        new Event.Failed(GatewayError.of(ErrorCode.UNAVAILABLE, "a secret"), null));
  }

  @ParameterizedTest
  @MethodSource("eventsWithMatch")
  @DisplayName("finds the same with a rule that flags, whether or not another rule redacts")
  void flagsTheSame(Event event) {
    String flag = filter("secret|b\\\\", "flag");
    Event[] events = event.isTerminal() ? new Event[] {event} : new Event[] {event, END};
    var onlyFlagging = FakeChain.of(events);
    assertThat(read(guard(flag).intercept(Given.streaming("m", "hello"), onlyFlagging)))
        .containsExactly(events);
    assertThat(onlyFlagging.stages()).hasSize(1);

    var enforcing = FakeChain.of(events);
    read(
        guard(flag, filter("never said", "redact"))
            .intercept(Given.streaming("m", "hello"), enforcing));
    assertThat(enforcing.stages()).isEqualTo(onlyFlagging.stages());
  }
}
