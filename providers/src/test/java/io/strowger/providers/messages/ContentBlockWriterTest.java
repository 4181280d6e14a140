package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.CODEC;
import static io.strowger.providers.messages.MessagesTestRequest.parsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A message made from its parts is written")
class ContentBlockWriterTest {
  private static final Json.Obj NONE = Json.Obj.EMPTY;

  private static String message(Role role, ContentForm form, Part... parts) {
    Message message = new Message(role, List.of(parts), form, NONE, null);
    byte[] written = new ContentBlockWriter(CODEC).message(message).toBytes();
    return new String(written, StandardCharsets.UTF_8);
  }

  private static String block(Part part) {
    String all = message(Role.USER, ContentForm.LIST, part);
    return all.substring("{\"role\":\"user\",\"content\":[".length(), all.length() - 2);
  }

  @ParameterizedTest(name = "{0} has the role {1}")
  @CsvSource({"SYSTEM,system", "DEVELOPER,system", "USER,user", "TOOL,user", "ASSISTANT,assistant"})
  void roles(Role role, String written) {
    assertThat(message(role, ContentForm.STRING, new Part.Text("t")))
        .isEqualTo("{\"role\":\"" + written + "\",\"content\":\"t\"}");
  }

  @Test
  @DisplayName("with a string as its content only if a string can hold its parts")
  void form() {
    assertThat(message(Role.USER, ContentForm.STRING)).endsWith("\"content\":\"\"}");
    assertThat(message(Role.USER, ContentForm.ABSENT)).endsWith("\"content\":[]}");
    Part marked = new Part.Text(Json.of("t"), parsed("{\"cache_control\":{}}"), null);
    assertThat(message(Role.USER, ContentForm.STRING, marked))
        .endsWith("\"content\":[{\"type\":\"text\",\"text\":\"t\",\"cache_control\":{}}]}");
    Part call = new Part.ToolCall("i", "f", Json.of("{}"), NONE, null);
    assertThat(message(Role.ASSISTANT, ContentForm.STRING, new Part.Text("t"), call))
        .endsWith(
            "\"content\":[{\"type\":\"text\",\"text\":\"t\"},"
                + "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\",\"input\":{}}]}");
  }

  @Test
  @DisplayName("without unsigned thoughts")
  void thinking() {
    Part unsigned = new Part.Thinking(Json.of("t"), null, NONE, null);
    Part signed = new Part.Thinking(Json.of(""), Json.of("s"), NONE, null);
    assertThat(message(Role.ASSISTANT, ContentForm.LIST, unsigned, signed))
        .endsWith("\"content\":[{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"s\"}]}");
  }

  @Test
  @DisplayName("with encrypted reasoning as redacted thinking")
  void redacted() {
    Part encrypted =
        new Part.Thinking(Part.Thinking.Kind.ENCRYPTED, Json.of("d"), null, null, null, NONE, null);
    assertThat(block(encrypted)).isEqualTo("{\"type\":\"redacted_thinking\",\"data\":\"d\"}");
  }

  @Test
  @DisplayName("with images inline, by URL or by file id")
  void images() {
    assertThat(block(new Part.Image(new Media.Inline("image/png", Json.of("AA")), NONE, null)))
        .isEqualTo(
            "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\","
                + "\"data\":\"AA\"}}");
    assertThat(block(new Part.Image(Json.of("u"), parsed("{\"source\":{\"x\":1}}"), null)))
        .isEqualTo("{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":\"u\",\"x\":1}}");
    assertThat(block(new Part.Image(new Media.FileId("f"), NONE, null)))
        .isEqualTo("{\"type\":\"image\",\"source\":{\"type\":\"file\",\"file_id\":\"f\"}}");
  }

  @Proves("translation.request.tool-error")
  @Test
  @DisplayName("with tool results as nothing, a string or blocks, and with their errors")
  void results() {
    List<Part> content = List.of(new Part.Text("t"));
    assertThat(block(new Part.ToolResult("i", content, true)))
        .isEqualTo("{\"type\":\"tool_result\",\"tool_use_id\":\"i\",\"content\":\"t\"}");
    assertThat(block(new Part.ToolResult("i", content, ContentForm.LIST, true, NONE, null)))
        .isEqualTo(
            "{\"type\":\"tool_result\",\"tool_use_id\":\"i\",\"content\":"
                + "[{\"type\":\"text\",\"text\":\"t\"}],\"is_error\":true}");
    assertThat(block(new Part.ToolResult("i", List.of(), ContentForm.ABSENT, false, NONE, null)))
        .isEqualTo("{\"type\":\"tool_result\",\"tool_use_id\":\"i\"}");
  }

  @ParameterizedTest(name = "with arguments {0} as input {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"a\": 1.50}|{\"a\": 1.50}",
        "~~|{}",
        "~  ~|{}",
        "{\"a\":|{\"unparsed\":\"{\\\"a\\\":\"}",
        "\"x\"|{\"unparsed\":\"\\\"x\\\"\"}",
        "null|{}",
        "[1]|{\"unparsed\":\"[1]\"}"
      })
  void arguments(String text, String input) {
    assertThat(block(new Part.ToolCall("i", "f", Json.of(text), NONE, null)))
        .isEqualTo("{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\",\"input\":" + input + "}");
  }

  @Test
  @DisplayName("with JSON arguments as the input unchanged")
  void values() {
    var call = new Part.ToolCall("i", "f", new Arguments.Value(Json.of("x")), NONE, null);
    assertThat(block(call)).endsWith("\"input\":\"x\"}");
  }

  @Test
  @DisplayName("but rejects parts for which the dialect has no block")
  void noBlock() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> block(new Part.Audio(Json.of("AA"), "wav", NONE, null)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> block(new Part.Video(Json.of("u"), NONE, null)));
  }
}
