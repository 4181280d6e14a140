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

@DisplayName("What nobody models, in a stream around which tools of the gateway run")
class OtherContentEventsTest {
  private final TurnEvents turn = new TurnEvents("clock"::equals, true);

  /** JSON with single quotes for double ones. */
  private static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private List<Event> shown(Event... events) {
    var shown = new ArrayList<Event>();
    for (Event event : events) {
      shown.addAll(turn.visibleEvents(event));
    }
    return shown;
  }

  @Test
  @DisplayName("is a block of the messages dialect: it is shown from its beginning to its end")
  void block() {
    var begin =
        new Event.OtherContent(
            json("{'type':'content_block_start','index':2,'content_block':{'type':'new'}}"));
    var more = new Event.OtherContent(json("{'type':'content_block_delta','index':2,'delta':{}}"));
    assertThat(shown(begin, more)).containsExactly(begin, more);
  }

  @Test
  @DisplayName("is nothing of a call that is run here, nor of blocks that others speak of")
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
    assertThat(shown(call, strayDelta, ping, text)).isEmpty();
  }

  @Test
  @DisplayName("is an item of the responses dialect, announced before anything was said")
  void item() {
    var added =
        new Event.Started(
            json("{'type':'response.output_item.added','output_index':4,'item':{'type':'x'}}"));
    var about = new Event.OtherContent(json("{'type':'response.x.progress','output_index':4}"));
    var other = new Event.OtherContent(json("{'type':'response.x.progress','output_index':5}"));
    assertThat(shown(new Event.Started(json("{'type':'response.created'}")), added, about, other))
        .containsExactly(new Event.Started(null), added, about);
  }

  @Test
  @DisplayName("is told in frames of its dialect when it came whole")
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
