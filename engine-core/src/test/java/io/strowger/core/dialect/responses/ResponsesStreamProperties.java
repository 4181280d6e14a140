package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.list;
import static io.strowger.core.dialect.responses.WrittenResponses.object;
import static io.strowger.core.dialect.responses.WrittenResponses.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of every responses stream, however the fragments of an answer are mixed. */
class ResponsesStreamProperties {
  private static final int CALLS = 3;

  @Provide
  Arbitrary<List<Event>> answers() {
    Arbitrary<String> text = Arbitraries.strings().withChars("ab \"\\\n{}é").ofMaxLength(4);
    Arbitrary<Event> fragment =
        Arbitraries.oneOf(
            text.map(Event.TextDelta::new),
            text.map(t -> new Event.ReasoningDelta(Json.of(t), false, null, null, null)),
            text.map(t -> new Event.ReasoningDelta(Json.of(t), true, null, null, null)),
            text.map(t -> new Event.RefusalDelta(Json.of(t), null)),
            text.map(t -> new Event.ReasoningSignature(Json.of(t), "anthropic-claude-v1", null)),
            text.map(
                t -> new Event.EncryptedReasoning(Json.of(t), "openai-responses-v1", null, null)),
            Arbitraries.of(Event.BlockStart.Kind.class).map(k -> new Event.BlockStart(k, null)),
            text.flatMap(
                t ->
                    Arbitraries.integers()
                        .between(0, CALLS - 1)
                        .map(i -> new Event.ToolCallDelta(i, null, null, Json.of(t), null))));
    Arbitrary<Event> end =
        Arbitraries.of(StopReason.class).map(reason -> new Event.Finished(reason, null, null));
    return fragment
        .list()
        .ofMaxSize(30)
        .flatMap(fragments -> end.map(last -> withNames(fragments, last)));
  }

  /** Gives the first fragment of each call its id and name, and appends the end. */
  private static List<Event> withNames(List<Event> fragments, Event end) {
    var events = new ArrayList<Event>();
    var begun = new boolean[CALLS];
    for (Event fragment : fragments) {
      if (fragment instanceof Event.ToolCallDelta call && !begun[call.index()]) {
        begun[call.index()] = true;
        events.add(
            new Event.ToolCallDelta(call.index(), "c" + call.index(), "f", call.arguments(), null));
      } else {
        events.add(fragment);
      }
    }
    events.add(end);
    return events;
  }

  private static List<Json.Obj> eventsOf(List<Event> answer) {
    return WrittenResponses.events(answer.toArray(new Event[0]));
  }

  @Proves("responses.member.stream")
  @Property(tries = 300)
  void eventsAreNumberedWithoutAGap(@ForAll("answers") List<Event> answer) {
    List<Json.Obj> events = eventsOf(answer);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).longValue("sequence_number", -1)).isEqualTo(i);
    }
  }

  @Proves("responses.member.stream")
  @Property(tries = 300)
  void itemsBeginInOrderAndEndOnceAndHaveNoEventsOutside(@ForAll("answers") List<Event> answer) {
    long begun = 0;
    var open = new HashMap<Long, Boolean>();
    for (Json.Obj event : eventsOf(answer)) {
      if (event.has("output_index")) {
        long at = event.longValue("output_index", -1);
        if (type(event).equals("output_item.added")) {
          assertThat(at).isEqualTo(begun++);
          open.put(at, true);
        } else {
          assertThat(open).as("item %s is open at %s", at, event).containsEntry(at, true);
          open.put(at, !type(event).equals("output_item.done"));
        }
      }
    }
    assertThat(open.values()).doesNotContain(true);
  }

  @Property(tries = 300)
  void theDeltasAddUpToTheFinalTexts(@ForAll("answers") List<Event> answer) {
    var deltas = new HashMap<String, StringBuilder>();
    for (Json.Obj event : eventsOf(answer)) {
      String type = type(event);
      int dot = type.lastIndexOf('.');
      String place =
          type.substring(0, Math.max(dot, 0))
              + event.longValue("output_index", -1)
              + "/"
              + event.longValue("content_index", event.longValue("summary_index", 0));
      if (type.endsWith(".delta")) {
        deltas.computeIfAbsent(place, p -> new StringBuilder()).append(event.text("delta"));
      } else if (type.endsWith("text.done")) {
        assertThat(event.text("text")).isEqualTo(text(deltas, place));
      } else if (type.equals("refusal.done")) {
        assertThat(event.text("refusal")).isEqualTo(text(deltas, place));
      } else if (type.equals("function_call_arguments.done")) {
        assertThat(event.text("arguments")).isEqualTo(text(deltas, place));
      }
    }
  }

  private static String text(Map<String, StringBuilder> deltas, String place) {
    return Objects.requireNonNullElse(deltas.get(place), new StringBuilder()).toString();
  }

  @Property(tries = 300)
  void theFinalResponseHasEveryItemAsItWasSent(@ForAll("answers") List<Event> answer) {
    List<Json.Obj> events = eventsOf(answer);
    List<Json.Obj> sentItems =
        events.stream()
            .filter(event -> type(event).equals("output_item.done"))
            .sorted(
                (a, b) ->
                    Long.compare(a.longValue("output_index", 0), b.longValue("output_index", 0)))
            .map(event -> object(event, "item"))
            .toList();
    Json.Obj last = object(events.get(events.size() - 1), "response");
    assertThat(list(last, "output")).isEqualTo(sentItems);
  }

  @Property(tries = 300)
  void noOutputIsLost(@ForAll("answers") List<Event> answer) {
    Json.Obj last = WrittenResponses.last(answer.toArray(new Event[0]));
    String text =
        answer.stream()
            .map(event -> event instanceof Event.TextDelta t ? t.text().text() : "")
            .collect(Collectors.joining());
    assertThat(last.text("output_text")).isEqualTo(text);
    for (int i = 0; i < CALLS; i++) {
      int index = i;
      String arguments =
          answer.stream()
              .map(
                  event ->
                      event instanceof Event.ToolCallDelta call && call.index() == index
                          ? call.arguments().text()
                          : "")
              .collect(Collectors.joining());
      if (!arguments.isEmpty()) {
        assertThat(list(last, "output"))
            .filteredOn(item -> ("c" + index).equals(item.text("call_id")))
            .singleElement()
            .extracting(item -> item.text("arguments"))
            .isEqualTo(arguments);
      }
    }
    long signatures =
        answer.stream().filter(event -> event instanceof Event.ReasoningSignature).count();
    assertThat(list(last, "output").stream().filter(item -> item.has("signature")))
        .hasSize((int) signatures);
  }
}
