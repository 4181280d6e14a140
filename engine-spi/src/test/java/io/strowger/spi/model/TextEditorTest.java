package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A text editor that implements only edit")
class TextEditorTest {
  private final TextEditor editor = (text, kind) -> text.replace("SECRET", kind.name());

  @Test
  @DisplayName("edits texts of every kind")
  void kinds() {
    assertThat(EnumSet.allOf(TextKind.class)).allMatch(editor::edits);
  }

  @Test
  @DisplayName("returns the same list for adjacent texts that do not change when they are joined")
  void nothing() {
    List<String> texts = List.of("SEC", "ret");
    assertThat(editor.editAdjacent(texts, TextKind.USER)).isSameAs(texts);
  }

  @Test
  @DisplayName("joins adjacent texts when what it edits is split across them")
  void split() {
    assertThat(editor.editAdjacent(List.of("a SE", "CR", "ET b"), TextKind.USER))
        .containsExactly("a USER b");
  }

  @Test
  @DisplayName("does not change arguments as a whole")
  void arguments() {
    assertThat(editor.editArguments("{\"a\":\"SECRET\"}")).isEqualTo("{\"a\":\"SECRET\"}");
  }

  @Test
  @DisplayName("replaces joined texts by one part, and keeps the parts around them")
  void inRequest() {
    InferenceRequest request =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .messages(
                List.of(
                    new Message(
                        Message.Role.USER,
                        List.of(
                            new Part.Refusal(Json.of("no"), null),
                            new Part.Text("SEC"),
                            new Part.Text("RET"),
                            new Part.Refusal(Json.of("no"), null)),
                        Message.ContentForm.LIST,
                        Json.Obj.EMPTY,
                        null)))
            .build();
    List<Part> parts = request.editTexts(editor).messages().getFirst().parts();
    assertThat(parts)
        .hasSize(3)
        .element(1)
        .isInstanceOfSatisfying(
            Part.Text.class, text -> assertThat(text.text().text()).isEqualTo("USER"));
  }
}
