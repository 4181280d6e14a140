package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.ResponsesRequestBodies.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.core.decode.TestJson;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reasoning item")
class ReasoningItemRuleTest {
  private static final String OPENAI_FORMAT = "openai-responses-v1";

  private static Part thinking(
      Kind kind, String text, @Nullable String format, String extras, String item) {
    return new Part.Thinking(
        kind, Json.of(text), null, format, "r", (Json.Obj) TestJson.of(extras), TestJson.of(item));
  }

  @Test
  @DisplayName(
      "has parts for its summary, its text and its encrypted content, in this order, with the item "
          + "as their source")
  void parts() {
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
            thinking(Kind.SUMMARY, "s", OPENAI_FORMAT, "{'status':'completed'}", item),
            thinking(Kind.SUMMARY, "", OPENAI_FORMAT, "{}", item),
            thinking(Kind.TEXT, "w", OPENAI_FORMAT, "{}", item),
            thinking(Kind.ENCRYPTED, "e", OPENAI_FORMAT, "{}", item));
    assertThat(message.parts()).allMatch(part -> part.source() == message.source());
  }

  @Test
  @DisplayName(
      "of another vendor has that vendor's format, and its signature belongs to its last text")
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
  @DisplayName("Case 5: with a signature and no text is an empty text that is signed")
  void signedEmpty() {
    Message message =
        item(
            "{'type':'reasoning','id':'r','summary':[],'signature':'sig',"
                + "'format':'anthropic-claude-v1'}");

    assertThat(message.parts())
        .singleElement()
        .isInstanceOfSatisfying(
            Part.Thinking.class,
            thinking -> {
              assertThat(thinking.kind()).isEqualTo(Kind.TEXT);
              assertThat(thinking.text().isEmpty()).isTrue();
              assertThat(thinking.signature()).isEqualTo(Json.of("sig"));
            });
  }

  @Test
  @DisplayName("of an unknown format has no format")
  void unknownFormat() {
    Message message =
        item("{'type':'reasoning','id':'r','summary':[{'text':'s'}],'format':'unknown'}");

    assertThat(((Part.Thinking) message.parts().getFirst()).format()).isNull();
  }
}
