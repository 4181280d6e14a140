package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A part")
class PartTest {
  private static final Json.Str URL = Json.of("https://host/a.png");

  @Test
  @DisplayName("has an image by URL, inline or as an uploaded file, and returns each as one string")
  void media() {
    assertThat(new Part.Image(URL, Json.Obj.EMPTY, null).media()).isEqualTo(new Media.Url(URL));
    assertThat(new Media.Url(URL).asUrl()).isSameAs(URL);
    assertThat(new Media.Inline("image/png", Json.of("AAAA")).asUrl().text())
        .isEqualTo("data:image/png;base64,AAAA");
    assertThat(new Media.FileId("file-1").asUrl().text()).isEqualTo("file-1");
  }

  @Test
  @DisplayName("has arguments as text or as a value, and returns both as text")
  void arguments() {
    Json.Str written = Json.of("{\"a\":1");
    var text = new Arguments.Text(written);
    assertThat(text.text()).isEqualTo("{\"a\":1");
    assertThat(text.asString()).isSameAs(written);
    assertThat(text.utf8Bound()).isEqualTo(written.utf8Bound());

    var value = new Arguments.Value(Json.object().put("a", "\u00e4").build());
    assertThat(value.text()).isEqualTo("{\"a\":\"\u00e4\"}");
    assertThat(value.asString()).isEqualTo(Json.of("{\"a\":\"\u00e4\"}"));
    assertThat(value.utf8Bound()).isEqualTo(10);

    String longer = "x".repeat(5000);
    assertThat(new Arguments.Value(Json.of(longer)).text()).isEqualTo('"' + longer + '"');
  }

  @Test
  @DisplayName("that is a tool result and a whole message has neither extras nor a source")
  void result() {
    var content = new ArrayList<Part>(List.of(new Part.Text("x")));
    var plain = new Part.ToolResult("c", content, true);
    content.clear();
    assertThat(plain.content()).hasSize(1);
    assertThat(plain.isString()).isTrue();
    assertThat(plain.isError()).isFalse();
    assertThat(plain.extras()).isEqualTo(Json.Obj.EMPTY);
    assertThat(plain.source()).isNull();
    assertThat(new Part.ToolResult("c", content, false).form()).isEqualTo(Message.ContentForm.LIST);
  }
}
