package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A message whose parts are replaced")
class MessageTest {
  private static final Part.Text TEXT = new Part.Text("hi");
  private static final Part.Image IMAGE =
      new Part.Image(Json.of("https://host/a.png"), Json.Obj.EMPTY, null);
  private static final Part.ToolCall CALL =
      new Part.ToolCall("1", "f", Json.of("{}"), Json.Obj.EMPTY, null);

  private static final Part THOUGHT = new Part.Thinking(Json.of("hm"), null, Json.Obj.EMPTY, null);
  private static final Part REFUSAL = new Part.Refusal(Json.of("no"), null);

  private static Message.ContentForm form(Message.ContentForm before, Part... parts) {
    return new Message(Message.Role.ASSISTANT, List.of(), before, Json.Obj.EMPTY, Json.NULL)
        .withParts(List.of(parts))
        .contentForm();
  }

  @Test
  @DisplayName("keeps its content form if that form can represent the new parts")
  void form() {
    assertThat(form(Message.ContentForm.STRING, TEXT)).isEqualTo(Message.ContentForm.STRING);
    assertThat(form(Message.ContentForm.STRING, TEXT, CALL)).isEqualTo(Message.ContentForm.STRING);
    assertThat(form(Message.ContentForm.STRING, TEXT, TEXT)).isEqualTo(Message.ContentForm.LIST);
    assertThat(form(Message.ContentForm.STRING, IMAGE)).isEqualTo(Message.ContentForm.LIST);
    assertThat(form(Message.ContentForm.LIST, TEXT)).isEqualTo(Message.ContentForm.LIST);
    assertThat(form(Message.ContentForm.NULL, CALL)).isEqualTo(Message.ContentForm.NULL);
    assertThat(form(Message.ContentForm.ABSENT, CALL)).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(form(Message.ContentForm.NULL, TEXT, CALL)).isEqualTo(Message.ContentForm.LIST);
    assertThat(form(Message.ContentForm.STRING, THOUGHT, TEXT, CALL))
        .isEqualTo(Message.ContentForm.STRING);
    assertThat(form(Message.ContentForm.NULL, THOUGHT, REFUSAL))
        .isEqualTo(Message.ContentForm.NULL);
    assertThat(form(Message.ContentForm.ABSENT, THOUGHT)).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(form(Message.ContentForm.STRING, THOUGHT)).isEqualTo(Message.ContentForm.LIST);
  }

  @Test
  @DisplayName(
      "stays without content if its only part is a standalone item of the responses dialect")
  void standaloneItem() {
    var item = new Part.Unknown("x", Json.object().put("type", "x").build());
    var result = new Part.ToolResult("1", List.of(TEXT), true);
    assertThat(form(Message.ContentForm.ABSENT, item)).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(form(Message.ContentForm.ABSENT, result)).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(form(Message.ContentForm.ABSENT, item, TEXT)).isEqualTo(Message.ContentForm.LIST);
    assertThat(form(Message.ContentForm.NULL, item)).isEqualTo(Message.ContentForm.LIST);
  }

  @Test
  @DisplayName("has no source, so its original JSON is not sent")
  void source() {
    var read =
        new Message(
            Message.Role.USER,
            List.of(TEXT),
            Message.ContentForm.STRING,
            Json.Obj.EMPTY,
            Json.NULL);
    assertThat(read.source()).isNotNull();
    assertThat(read.withParts(List.of(IMAGE)).source()).isNull();
    assertThat(
            new Part.Text(Json.of("old"), Json.Obj.EMPTY, Json.of("old")).withText("new").source())
        .isNull();
  }
}
