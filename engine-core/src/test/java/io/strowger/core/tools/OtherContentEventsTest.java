package io.strowger.core.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An unmodelled event in a turn in which the gateway runs tools")
class OtherContentEventsTest {
  private final TurnEvents turn = new TurnEvents("clock"::equals, true);

  /** Parses a JSON object that is written with single quotes. */
  private static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private List<Event> visible(Event... events) {
    var visible = new ArrayList<Event>();
    for (Event event : events) {
      visible.addAll(turn.visibleEvents(event));
    }
    return visible;
  }

  @Test
  @DisplayName("is visible from start to end if it belongs to an unmodelled block of messages")
  void block() {
    var begin =
        new Event.OtherContent(
            json("{'type':'content_block_start','index':2,'content_block':{'type':'new'}}"));
    var more = new Event.OtherContent(json("{'type':'content_block_delta','index':2,'delta':{}}"));
    assertThat(visible(begin, more)).containsExactly(begin, more);
  }

  @Test
  @DisplayName("is hidden if it belongs to a call that the gateway runs, or to a modelled block")
  void hidden() {
    var call =
        new Event.ToolCallDelta(
            0,
            "c",
            "clock",
            Json.of("{}"),
            json("{'type':'content_block_start','index':1,'content_block':{'type':'tool_use'}}"));
    var strayDelta = new Event.OtherContent(json("{'type':'content_block_delta','index':1}"));
    var ping = new Event.OtherContent(json("{'type':'ping'}"));
    var text =
        new Event.OtherContent(
            json("{'type':'content_block_start','index':3,'content_block':{'type':'text'}}"));
    assertThat(visible(call, strayDelta, ping, text)).isEmpty();
  }

  @Test
  @DisplayName("is visible if it belongs to an item of responses that was added before any content")
  void item() {
    var added =
        new Event.Started(
            json("{'type':'response.output_item.added','output_index':4,'item':{'type':'x'}}"));
    var about = new Event.OtherContent(json("{'type':'response.x.progress','output_index':4}"));
    var other = new Event.OtherContent(json("{'type':'response.x.progress','output_index':5}"));
    assertThat(visible(new Event.Started(json("{'type':'response.created'}")), added, about, other))
        .containsExactly(new Event.Started(null), added, about);
  }

  @Test
  @DisplayName("is written in the frames of its dialect if it comes from a complete answer")
  void whole() {
    Json.Obj source = json("{'type':'new','id':'n1'}");
    List<Part> parts = List.of(new Part.Unknown("new", source));
    assertThat(PartEvents.of(parts, Dialect.MESSAGES))
        .containsExactly(
            new Event.OtherContent(
                json(
                    "{'type':'content_block_start','index':0,'content_block':{'type':'new','id':'n1'}}")),
            new Event.BlockStop(null));
    assertThat(PartEvents.of(parts, Dialect.CHAT))
        .containsExactly(
            new Event.OtherContent(
                json("{'choices':[{'index':0,'delta':{'new':{'type':'new','id':'n1'}}}]}")));
    assertThat(PartEvents.of(parts, Dialect.RESPONSES)).hasSize(2);
    assertThat(PartEvents.of(parts, Dialect.GEMINI)).isEmpty();
  }
}
