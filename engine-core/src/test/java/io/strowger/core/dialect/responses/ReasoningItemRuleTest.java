package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.ResponsesWords.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.core.decode.Drawn;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reasoning item")
class ReasoningItemRuleTest {
  private static final String OWN = "openai-responses-v1";

  private static Part thought(
      Kind kind, String text, @Nullable String format, String extras, String item) {
    return new Part.Thinking(
        kind, Json.of(text), null, format, "r", (Json.Obj) Drawn.json(extras), Drawn.json(item));
  }

  @Test
  @DisplayName("is its summary, its words and what is encrypted, in this order, all of one item")
  void thoughts() {
    String item =
        "{'type':'reasoning','encrypted_content':'e','status':'completed','id':'r',"
            + "'content':[{'type':'reasoning_text','text':'w'}],"
            + "'summary':[{'type':'summary_text','text':'s'},{'type':'summary_text','text':''}]}";
    Message message = item(item);

    assertThat(message.role()).isEqualTo(Message.Role.ASSISTANT);
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(message.extras()).isEqualTo(Json.Obj.EMPTY);
    assertThat(message.parts())
        .containsExactly(
            thought(Kind.SUMMARY, "s", OWN, "{'status':'completed'}", item),
            thought(Kind.SUMMARY, "", OWN, "{}", item),
            thought(Kind.TEXT, "w", OWN, "{}", item),
            thought(Kind.ENCRYPTED, "e", OWN, "{}", item));
    assertThat(message.parts()).allMatch(part -> part.source() == message.source());
  }

  @Test
  @DisplayName("of another vendor says so, and its signature is that of its last words")
  void signed() {
    Message message =
        item(
            "{'type':'reasoning','id':'r','summary':[],'signature':'sig',"
                + "'format':'anthropic-claude-v1','content':[{'text':'a'},{'text':'b'}]}");

    assertThat(message.parts())
        .extracting(
            part -> ((Part.Thinking) part).signature(), part -> ((Part.Thinking) part).format())
        .containsExactly(
            tuple(null, "anthropic-claude-v1"), tuple(Json.of("sig"), "anthropic-claude-v1"));
  }

  @Test
  @DisplayName("Case 5: with a signature and no words is an empty text that is signed")
  void signedEmpty() {
    Message message =
        item(
            "{'type':'reasoning','id':'r','summary':[],'signature':'sig',"
                + "'format':'anthropic-claude-v1'}");

    assertThat(message.parts())
        .singleElement()
        .isInstanceOfSatisfying(
            Part.Thinking.class,
            thought -> {
              assertThat(thought.kind()).isEqualTo(Kind.TEXT);
              assertThat(thought.text().isEmpty()).isTrue();
              assertThat(thought.signature()).isEqualTo(Json.of("sig"));
            });
  }

  @Test
  @DisplayName("of an unknown format is of nobody")
  void unknownFormat() {
    Message message =
        item("{'type':'reasoning','id':'r','summary':[{'text':'s'}],'format':'unknown'}");

    assertThat(((Part.Thinking) message.parts().getFirst()).format()).isNull();
  }
}
