package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An editor that only says how a text is edited")
class TextEditorTest {
  private final TextEditor editor = (text, kind) -> text.replace("SECRET", kind.name());

  @Test
  @DisplayName("looks at texts of every kind")
  void kinds() {
    assertThat(EnumSet.allOf(TextKind.class)).allMatch(editor::edits);
  }

  @Test
  @DisplayName("gives the very same list for texts behind each other that have nothing together")
  void nothing() {
    List<String> texts = List.of("SEC", "ret");
    assertThat(editor.editAdjacent(texts, TextKind.USER)).isSameAs(texts);
  }

  @Test
  @DisplayName("joins texts behind each other when something is split over them")
  void split() {
    assertThat(editor.editAdjacent(List.of("a SE", "CR", "ET b"), TextKind.USER))
        .containsExactly("a USER b");
  }

  @Test
  @DisplayName("leaves arguments as a whole alone")
  void arguments() {
    assertThat(editor.editArguments("{\"a\":\"SECRET\"}")).isEqualTo("{\"a\":\"SECRET\"}");
  }

  @Test
  @DisplayName("has one part in place of the texts that it joined, with the other parts around it")
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
