package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The size of a prompt")
class PromptSizeTest {
  private static PromptSize of(String messages, String more) throws Exception {
    String body = "{\"model\":\"m\",\"messages\":" + messages + more + "}";
    Json parsed = new JacksonCodec(JsonLimits.DEFAULT).parse(body.getBytes(StandardCharsets.UTF_8));
    var problems = new Problems();
    var request = new ChatDecoder((e, at, p) -> {}).decode((Json.Obj) parsed, problems);
    assertThat(problems.list()).isEmpty();
    return PromptSize.of(request);
  }

  private static PromptSize of(String messages) throws Exception {
    return of(messages, "");
  }

  @Test
  @DisplayName("is its UTF-8 bytes, and at most as many tokens and 16 for each message")
  void text() throws Exception {
    PromptSize size =
        of("[{\"role\":\"system\",\"content\":\"abc\"},{\"role\":\"user\",\"content\":\"grün\"}]");
    assertThat(size.maxTokens()).isEqualTo(3 + 5 + 2 * 16);
    assertThat(size.bytes()).isEqualTo(8);
    assertThat(size.modalities()).isEqualTo(Modality.TEXT.bit());
  }

  @Test
  @DisplayName("counts an image with the fixed maximum, however long its URL is")
  void image() throws Exception {
    PromptSize size =
        of(
            "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
                + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,"
                + "A".repeat(100_000)
                + "\"}}]}]");
    assertThat(size.maxTokens()).isEqualTo(1 + 16 + PromptSize.PER_IMAGE);
    assertThat(size.bytes()).isEqualTo(1);
    assertThat(size.modalities()).isEqualTo(Modality.TEXT.bit() | Modality.IMAGE.bit());
  }

  @Test
  @DisplayName("counts inline audio with its number of bytes as the maximum")
  void sound() throws Exception {
    PromptSize size =
        of(
            "[{\"role\":\"user\",\"content\":[{\"type\":\"input_audio\",\"input_audio\":"
                + "{\"data\":\"AAAAAAAA\",\"format\":\"wav\"}}]}]");
    assertThat(size.maxTokens()).isEqualTo(8 + 16);
    assertThat(size.modalities() & Modality.AUDIO.bit()).isNotZero();
  }

  @Test
  @DisplayName("counts tools, tool calls and their results")
  void tools() throws Exception {
    String tool =
        "{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{\"type\":\"object\"}}}";
    PromptSize without = of("[{\"role\":\"user\",\"content\":\"a\"}]");
    PromptSize with = of("[{\"role\":\"user\",\"content\":\"a\"}]", ",\"tools\":[" + tool + "]");
    assertThat(with.maxTokens() - without.maxTokens()).isEqualTo(tool.length() + 16);
    PromptSize called =
        of(
            "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
                + "\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"found\"}]");
    assertThat(called.maxTokens()).isGreaterThanOrEqualTo("c1look{}c1found".length() + 2 * 16);
  }

  @Test
  @DisplayName("counts unknown members, which an upstream may treat as a part of the prompt")
  void unknownMembers() throws Exception {
    PromptSize without = of("[{\"role\":\"user\",\"content\":\"a\"}]");
    PromptSize with =
        of(
            "[{\"role\":\"user\",\"content\":\"a\"}]",
            ",\"functions\":[{\"name\":\"look\"}],\"context\":\"long ago\",\"temperature\":0.25");
    assertThat(with.maxTokens() - without.maxTokens())
        .isEqualTo("[{\"name\":\"look\"}]".length() + "long ago".length());
  }

  private static InferenceRequest messages(String members) {
    var problems = new Problems();
    String body = "{'model':'m'," + members + "}";
    return problems.requireValid(
        new MessagesDecoder((e, at, p) -> {}).decode((Json.Obj) TestJson.of(body), problems));
  }

  private static InferenceRequest responses(String members) {
    var problems = new Problems();
    return problems.requireValid(
        new ResponsesDecoder((e, at, p) -> {})
            .decode((Json.Obj) TestJson.of("{" + members + "}"), problems));
  }

  @Test
  @DisplayName("counts instructions once, as a message, and with their changed text")
  void instructions() {
    String turns = "'messages':[{'role':'user','content':'a'}]";
    assertThat(PromptSize.of(messages("'system':'abc'," + turns)).maxTokens())
        .isEqualTo(3 + 1 + 2 * 16);
    InferenceRequest given = responses("'instructions':'abc','input':'a'");
    assertThat(PromptSize.of(given).maxTokens()).isEqualTo(3 + 1 + 2 * 16);
    InferenceRequest changed =
        given.toBuilder().instructions(Message.text(Message.Role.SYSTEM, "x".repeat(1000))).build();
    assertThat(PromptSize.of(changed).maxTokens()).isEqualTo(1000 + 1 + 2 * 16);
  }

  @Test
  @DisplayName("counts an image of a responses input as an image, not as text")
  void inputImage() {
    String image = "{'type':'input_image','image_url':'data:image/png;base64," + "A".repeat(90_000);
    String input =
        "'input':[{'role':'user','content':[" + image + "'},{'type':'input_text','text':'a'}]}]";
    PromptSize size = PromptSize.of(responses(input));
    assertThat(size.maxTokens()).isEqualTo(1 + 16 + PromptSize.PER_IMAGE);
    assertThat(size.modalities()).isEqualTo(Modality.TEXT.bit() | Modality.IMAGE.bit());
  }

  @Test
  @DisplayName(
      "counts the other members of text, image, document, tool call, tool result and thinking"
          + " blocks")
  void beside() {
    String filler = "x".repeat(500);
    for (String block :
        new String[] {
          "{'type':'text','text':'','citations':[{'type':'char_location','cited_text':'%s'}]}",
          "{'type':'image','source':{'type':'url','url':'https://u'},'later':'%s'}",
          "{'type':'document','source':{'type':'url','url':'https://u'},'context':'%s'}",
          "{'type':'document','source':{'type':'content','content':'%s'}}",
          "{'type':'tool_use','id':'i','name':'n','input':{'a':'%s'}}",
          "{'type':'tool_use','id':'i','name':'n','later':'%s'}",
          "{'type':'tool_result','tool_use_id':'i','content':'%s'}",
          "{'type':'tool_result','tool_use_id':'i','content':[{'type':'text','text':'%s'}]}",
          "{'type':'tool_result','tool_use_id':'i','later':'%s'}",
          "{'type':'thinking','thinking':'%s','signature':''}",
          "{'type':'thinking','thinking':'','signature':'%s'}",
          "{'type':'thinking','thinking':'','signature':'','later':'%s'}",
          "{'type':'redacted_thinking','data':'%s'}",
          "{'type':'never heard of','x':'%s'}"
        }) {
      String turns = "'messages':[{'role':'user','content':[" + block + "]}]";
      long with = PromptSize.of(messages(turns.formatted(filler))).maxTokens();
      long without = PromptSize.of(messages(turns.formatted(""))).maxTokens();
      assertThat(with - without).as(block).isGreaterThanOrEqualTo(500);
    }
  }

  @Test
  @DisplayName("counts members that have a meaning in another dialect only")
  void otherDialects() throws Exception {
    assertThat(PromptSize.of(responses("'input':'a','messages':['long ago']")).maxTokens())
        .isEqualTo(1 + 16 + "['long ago']".length());
    assertThat(of("[{\"role\":\"user\",\"content\":\"a\"}]", ",\"input\":\"long ago\"").maxTokens())
        .isEqualTo(1 + 16 + "long ago".length());
  }
}
