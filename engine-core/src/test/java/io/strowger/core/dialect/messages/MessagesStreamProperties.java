package io.strowger.core.dialect.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.EncodedAnswers;
import io.strowger.core.inference.Replies;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever the order of the fragments, the blocks of a messages stream do not overlap, and nothing
 * is lost or added.
 */
class MessagesStreamProperties {
  private static final Event.Finished END = new Event.Finished(StopReason.TOOL_CALLS, "x", null);

  /** Reads a stream as a caller does, and checks that its blocks do not overlap. */
  private static final class Reader {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final Map<String, StringBuilder> inputs = new TreeMap<>();
    private int blocks;
    private StringBuilder open;
    private boolean isOpen;

    private Reader() {
      open = text;
    }

    static Reader of(List<Event> events) {
      var all = new ArrayList<>(events);
      all.add(END);
      var reader = new Reader();
      var reply = Replies.answered(all.toArray(Event[]::new));
      String written = EncodedAnswers.stream(reply, new MessagesStreamWriter(reply, false));
      for (String event : written.split("\n\n")) {
        reader.read(parse(event.substring(event.indexOf("data: ") + 6)));
      }
      assertThat(reader.isOpen).isFalse();
      return reader;
    }

    private static Json.Obj parse(String data) {
      try {
        return (Json.Obj)
            new JacksonCodec().parse(data.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
      } catch (MalformedJsonException wrong) {
        throw new AssertionError(data, wrong);
      }
    }

    private void read(Json.Obj event) {
      switch (String.valueOf(event.text("type"))) {
        case "content_block_start" -> {
          assertThat(isOpen).as("a block starts only when none is open").isFalse();
          assertThat(event.longValue("index", -1)).isEqualTo(blocks);
          isOpen = true;
          open = bufferOf(member(event, "content_block"));
        }
        case "content_block_delta" -> {
          assertThat(isOpen).isTrue();
          assertThat(event.longValue("index", -1)).isEqualTo(blocks);
          Json.Obj delta = member(event, "delta");
          open.append(((Json.Str) delta.value(1)).text());
        }
        case "content_block_stop" -> {
          assertThat(isOpen).isTrue();
          assertThat(event.longValue("index", -1)).isEqualTo(blocks++);
          isOpen = false;
        }
        default -> assertThat(isOpen).isFalse();
      }
    }

    private static Json.Obj member(Json.Obj event, String name) {
      return Objects.requireNonNull(event.object(name));
    }

    private StringBuilder bufferOf(Json.Obj block) {
      return switch (String.valueOf(block.text("type"))) {
        case "text" -> text;
        case "thinking" -> thinking;
        case "tool_use" -> {
          String id = String.valueOf(block.text("id"));
          assertThat(inputs).doesNotContainKey(id);
          yield inputs.computeIfAbsent(id, name -> new StringBuilder());
        }
        default -> throw new AssertionError(block);
      };
    }

    Map<String, String> inputs() {
      var read = new TreeMap<String, String>();
      inputs.forEach((id, input) -> read.put(id, input.toString()));
      return read;
    }
  }

  /** Generates arguments without quotes, since the reader replaces single quotes. */
  @Provide
  Arbitrary<List<String>> arguments() {
    return Arbitraries.of("", "{}", "[1]", "[[],[2,3]]", "{", "[", "7", "[{},{}]", "[1,[2]")
        .list()
        .ofMaxSize(5);
  }

  @Provide
  Arbitrary<List<String>> words() {
    return Arbitraries.of("a", "bc", "", " ", "d e").list().ofMaxSize(6);
  }

  @Proves("messages.answer.3")
  @Property(tries = 500)
  void nothingIsLostAndNothingOverlaps(
      @ForAll("arguments") List<String> arguments,
      @ForAll("words") List<String> texts,
      @ForAll("words") List<String> thoughts,
      @ForAll long seed) {
    var random = new Random(seed);
    var sequences = new ArrayList<List<Event>>();
    for (int i = 0; i < arguments.size(); i++) {
      sequences.add(fragments(i, arguments.get(i), random));
    }
    sequences.add(texts.stream().<Event>map(Event.TextDelta::new).toList());
    sequences.add(
        thoughts.stream().<Event>map(t -> new Event.ReasoningDelta(Json.of(t), null)).toList());
    Reader reader = Reader.of(interleave(sequences, random));
    assertThat(reader.text.toString()).isEqualTo(String.join("", texts));
    assertThat(reader.thinking.toString()).isEqualTo(String.join("", thoughts));
    var expected = new TreeMap<String, String>();
    for (int i = 0; i < arguments.size(); i++) {
      expected.put("c" + i, arguments.get(i).isEmpty() ? "{}" : arguments.get(i));
    }
    assertThat(reader.inputs()).isEqualTo(expected);
  }

  /** Returns one call in fragments, of which the first has the id and the name. */
  private static List<Event> fragments(int index, String arguments, Random random) {
    var fragments = new ArrayList<Event>();
    int at = random.nextInt(arguments.length() + 1);
    fragments.add(
        new Event.ToolCallDelta(
            index, "c" + index, "f", Json.of(arguments.substring(0, at)), null));
    while (at < arguments.length()) {
      int to = at + 1 + random.nextInt(arguments.length() - at);
      fragments.add(
          new Event.ToolCallDelta(index, null, null, Json.of(arguments.substring(at, to)), null));
      at = to;
    }
    return fragments;
  }

  /** Mixes the sequences at random; the order within each is kept. */
  private static List<Event> interleave(List<List<Event>> sequences, Random random) {
    var remaining = new ArrayList<List<Event>>();
    sequences.forEach(sequence -> remaining.add(new ArrayList<>(sequence)));
    var events = new ArrayList<Event>();
    remaining.removeIf(List::isEmpty);
    while (!remaining.isEmpty()) {
      List<Event> sequence = remaining.get(random.nextInt(remaining.size()));
      events.add(sequence.removeFirst());
      remaining.removeIf(List::isEmpty);
    }
    return events;
  }
}
