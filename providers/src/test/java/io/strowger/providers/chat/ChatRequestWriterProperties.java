package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What leaves is what the typed request says, and nothing that it no longer says. */
class ChatRequestWriterProperties {
  private static final String OLD = "OLD-7f3a";
  private static final String NEW = "NEW-9c1e";

  /** One message as a caller may have spelled it, with {@link #OLD} somewhere in its text. */
  private static String message(int form, String text) {
    String said = Json.of(text + OLD).toString();
    return switch (form) {
      case 0 -> "{\"role\":\"user\",\"content\":" + said + "}";
      case 1 -> "{ \"role\" : \"user\", \"content\" : [{\"type\":\"text\",\"text\":" + said + "}]}";
      case 2 ->
          "{\"role\":\"user\",\"name\":\"n\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
              + "{\"url\":\"http://i\"}},{\"type\":\"text\",\"text\":"
              + said
              + ",\"cache_control\":{\"type\":\"ephemeral\"}}]}";
      case 3 ->
          "{\"role\":\"assistant\",\"content\":"
              + said
              + ",\"model\":\"m\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";
      default -> "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":" + said + "}";
    };
  }

  private static Part edited(Part part) {
    return switch (part) {
      case Part.Text text -> text.withText(NEW);
      case Part.ToolResult result ->
          new Part.ToolResult(
              result.callId(),
              result.content().stream().map(ChatRequestWriterProperties::edited).toList(),
              result.isString());
      case Part.Image p -> p;
      case Part.Audio p -> p;
      case Part.Video p -> p;
      case Part.File p -> p;
      case Part.ToolCall p -> p;
      case Part.Thinking p -> p;
      case Part.Refusal p -> p;
      case Part.Citation p -> p;
      case Part.Logprobs p -> p;
      case Part.ServerToolRun p -> p;
      case Part.Unknown p -> p;
    };
  }

  @Property
  void editedTextLeavesNewAndNeverOld(
      @ForAll("bodies") String body, @ForAll @IntRange(max = 4) int which) {
    InferenceRequest request = Bodies.decoded(Bodies.parsed(body));
    var messages = new ArrayList<>(request.messages());
    int index = which % messages.size();
    Message message = messages.get(index);
    messages.set(
        index,
        message.withParts(
            message.parts().stream().map(ChatRequestWriterProperties::edited).toList()));
    String sent = Bodies.written(Bodies.call(request.toBuilder().messages(messages).build()));

    Json.Arr written = Objects.requireNonNull(Bodies.parsed(sent).list("messages"));
    assertThat(written).hasSize(messages.size());
    for (int i = 0; i < written.size(); i++) {
      String text = written.get(i).toString();
      if (i == index) {
        assertThat(text).contains(NEW).doesNotContain(OLD);
      } else {
        assertThat(text).contains(OLD).doesNotContain(NEW);
      }
    }
  }

  @Property
  void unmodelledMembersKeepTheirBytes(@ForAll("bodies") String body) {
    Json.Obj read = Bodies.parsed(body);
    Json.Obj sent = Bodies.parsed(Bodies.written(Bodies.call(Bodies.decoded(read))));
    for (int i = 0; i < read.size(); i++) {
      if (!read.name(i).equals("model") && !read.name(i).equals("messages")) {
        assertThat(Objects.requireNonNull(sent.get(read.name(i))).toBytes())
            .isEqualTo(read.value(i).toBytes());
      }
    }
    Json.Arr before = Objects.requireNonNull(read.list("messages"));
    Json.Arr after = Objects.requireNonNull(sent.list("messages"));
    for (int i = 0; i < before.size(); i++) {
      var message = (Json.Obj) before.get(i);
      if (!message.has("model")) {
        assertThat(after.get(i).toBytes()).isEqualTo(message.toBytes());
      }
    }
  }

  @Property
  void aMessageWrittenFromItsFieldsIsTheSameDocument(@ForAll("bodies") String body) {
    InferenceRequest request = Bodies.decoded(Bodies.parsed(body));
    List<Message> rebuilt =
        request.messages().stream()
            .map(m -> new Message(m.role(), m.parts(), m.contentForm(), m.extras(), null))
            .toList();
    String copied = Bodies.written(Bodies.call(request));
    String written = Bodies.written(Bodies.call(request.toBuilder().messages(rebuilt).build()));
    assertThat(Bodies.parsed(written)).isEqualTo(Bodies.parsed(copied));
  }

  @Property
  void theCapIsWhatLeaves(
      @ForAll("bodies") String body,
      @ForAll @IntRange(min = 1) int own,
      @ForAll @IntRange(min = 1) int cap) {
    InferenceRequest request =
        Bodies.decoded(Bodies.parsed(body)).toBuilder().maxOutputTokens(own).build();
    Json.Obj plain = Bodies.parsed(Bodies.written(Bodies.call(request)));
    assertThat(plain.longValue("max_tokens", 0)).isEqualTo(own);
    Json.Obj capped =
        Bodies.parsed(Bodies.written(Bodies.call(Bodies.endpoint(), request, cap, null)));
    assertThat(capped.longValue("max_tokens", 0)).isEqualTo(cap);
  }

  @Provide
  Arbitrary<String> bodies() {
    Arbitrary<String> text =
        Arbitraries.strings().withChars('a', '"', '\\', '\n', '\u00e4', '\u2603').ofMaxLength(20);
    Arbitrary<String> message =
        Combinators.combine(Arbitraries.integers().between(0, 4), text)
            .as(ChatRequestWriterProperties::message);
    Arbitrary<String> extra =
        Arbitraries.of(
            "\"temperature\" : 0.50",
            "\"x_unknown\":{ \"b\" : [1,  2e3] }",
            "\"stop\":[\"a\"]",
            "\"model\":\"lab/model\"");
    return Combinators.combine(message.list().ofMinSize(1).ofMaxSize(5), extra.set().ofMaxSize(4))
        .as(
            (messages, extras) -> {
              var members = new ArrayList<>(extras);
              members.add(
                  members.size() / 2, "\"messages\": [" + String.join(" , ", messages) + "]");
              return "{" + String.join(",\n ", members) + "}";
            });
  }
}
