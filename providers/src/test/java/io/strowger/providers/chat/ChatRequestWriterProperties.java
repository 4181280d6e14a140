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

/** Tests that the body sent upstream is exactly what the typed request says after changes. */
class ChatRequestWriterProperties {
  private static final String OLD = "OLD-7f3a";
  private static final String NEW = "NEW-9c1e";

  /** Returns a message in one of the forms of the dialect, with {@link #OLD} in its text. */
  private static String message(int form, String text) {
    String jsonText = Json.of(text + OLD).toString();
    return switch (form) {
      case 0 -> "{\"role\":\"user\",\"content\":" + jsonText + "}";
      case 1 ->
          "{ \"role\" : \"user\", \"content\" : [{\"type\":\"text\",\"text\":" + jsonText + "}]}";
      case 2 ->
          "{\"role\":\"user\",\"name\":\"n\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
              + "{\"url\":\"http://i\"}},{\"type\":\"text\",\"text\":"
              + jsonText
              + ",\"cache_control\":{\"type\":\"ephemeral\"}}]}";
      case 3 ->
          "{\"role\":\"assistant\",\"content\":"
              + jsonText
              + ",\"model\":\"m\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";
      default -> "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":" + jsonText + "}";
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
  void anEditedTextReplacesTheOldOne(
      @ForAll("bodies") String body, @ForAll @IntRange(max = 4) int which) {
    InferenceRequest request = ChatFixtures.decoded(ChatFixtures.parsed(body));
    var messages = new ArrayList<>(request.messages());
    int index = which % messages.size();
    Message message = messages.get(index);
    messages.set(
        index,
        message.withParts(
            message.parts().stream().map(ChatRequestWriterProperties::edited).toList()));
    String sent =
        ChatFixtures.written(ChatFixtures.call(request.toBuilder().messages(messages).build()));

    Json.Arr written = Objects.requireNonNull(ChatFixtures.parsed(sent).list("messages"));
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
    Json.Obj read = ChatFixtures.parsed(body);
    Json.Obj sent =
        ChatFixtures.parsed(ChatFixtures.written(ChatFixtures.call(ChatFixtures.decoded(read))));
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
  void aMessageWrittenFromItsFieldsIsTheSameJson(@ForAll("bodies") String body) {
    InferenceRequest request = ChatFixtures.decoded(ChatFixtures.parsed(body));
    List<Message> rebuilt =
        request.messages().stream()
            .map(m -> new Message(m.role(), m.parts(), m.contentForm(), m.extras(), null))
            .toList();
    String copied = ChatFixtures.written(ChatFixtures.call(request));
    String written =
        ChatFixtures.written(ChatFixtures.call(request.toBuilder().messages(rebuilt).build()));
    assertThat(ChatFixtures.parsed(written)).isEqualTo(ChatFixtures.parsed(copied));
  }

  @Property
  void theCapReplacesTheLimit(
      @ForAll("bodies") String body,
      @ForAll @IntRange(min = 1) int limit,
      @ForAll @IntRange(min = 1) int cap) {
    InferenceRequest request =
        ChatFixtures.decoded(ChatFixtures.parsed(body)).toBuilder().maxOutputTokens(limit).build();
    Json.Obj plain = ChatFixtures.parsed(ChatFixtures.written(ChatFixtures.call(request)));
    assertThat(plain.longValue("max_tokens", 0)).isEqualTo(limit);
    Json.Obj capped =
        ChatFixtures.parsed(
            ChatFixtures.written(ChatFixtures.call(ChatFixtures.endpoint(), request, cap, null)));
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
