package io.strowger.providers.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Content;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A messages document is written")
class MessagesRequestWriterTest {
  private static final JsonCodec CODEC = new JacksonCodec();
  private static final MessagesRequestWriter WRITER = new MessagesRequestWriter(CODEC);
  private static final Json.Obj NONE = Json.Obj.EMPTY;
  private static final String HI = "{\"role\":\"user\",\"content\":\"hi\"}";

  private static Json.Obj parsed(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private static InferenceRequest read(String text) {
    var problems = new Problems();
    return problems.requireValid(
        new MessagesDecoder((entries, at, found) -> {}).decode(parsed(text), problems));
  }

  private static InferenceRequest with(String members) {
    return read("{\"model\":\"a\",\"messages\":[" + HI + "]" + members + "}");
  }

  private static String written(InferenceRequest request) {
    return new String(WRITER.document(request).toBytes(), StandardCharsets.UTF_8);
  }

  private static String member(InferenceRequest request, String name) {
    Json value = WRITER.document(request).get(name);
    return value == null ? "absent" : new String(value.toBytes(), StandardCharsets.UTF_8);
  }

  private static String message(Role role, Content form, Part... parts) {
    Message made = new Message(role, List.of(parts), form, NONE, null);
    String all = member(with("").toBuilder().messages(List.of(made)).build(), "messages");
    return all.substring(1, all.length() - 1);
  }

  private static String block(Part part) {
    String all = message(Role.USER, Content.LIST, part);
    return all.substring("{\"role\":\"user\",\"content\":[".length(), all.length() - 2);
  }

  @ParameterizedTest
  @DisplayName("as it came when nothing was changed")
  @ValueSource(
      strings = {
        "{\"messages\":[ {\"content\" : \"\\u0068i\", \"role\":\"user\"} ],\"model\":\"\\u0061\"}",
        "{\"later\":[1.50],\"model\":\"a\",\"models\":[\"b\" , \"b\"],\"messages\":[" + HI + "]}",
        "{\"model\":\"a\",\"fallbacks\":[{\"model\" :\"b\"}],\"messages\":[" + HI + "]}",
        "{\"model\":\"a\",\"fallbacks\":null,\"messages\":[" + HI + "],\"stream\":false}",
        "{\"stream\":true,\"model\":\"a\",\"messages\":[" + HI + "],\"max_tokens\":5e1}",
        "{\"model\":\"a\",\"messages\":[" + HI + "],\"tools\":[ ],\"plugins\":[],\"user\":\"\\/\"}",
        "{\"model\":\"a\",\"messages\":[" + HI + "],\"system\":\"\\u0061\",\"provider\":null}",
        "{\"model\":\"a\",\"messages\":[" + HI + "],\"system\":[ ],\"session_id\":\"\"}"
      })
  void unchanged(String document) {
    assertThat(written(read(document))).isEqualTo(document);
  }

  @Test
  @DisplayName("of requests of its own dialect only")
  void dialect() {
    InferenceRequest chat = InferenceRequest.builder(Dialect.CHAT, NONE).build();
    assertThatIllegalArgumentException().isThrownBy(() -> WRITER.document(chat));
  }

  @Nested
  @DisplayName("with what was changed in its place")
  class Changed {
    @Test
    @DisplayName("one message, while the others keep their bytes")
    void message() {
      String before = "{ \"role\":\"user\",\"content\":\"secret\",\"x\":1}";
      InferenceRequest request =
          read("{\"messages\":[" + before + ", " + HI.replace(":", " :") + "],\"model\":\"a\"}");
      Message redacted = request.messages().get(0).withParts(List.of(new Part.Text("***")));
      assertThat(
              written(
                  request.toBuilder()
                      .messages(List.of(redacted, request.messages().get(1)))
                      .build()))
          .isEqualTo(
              "{\"messages\":[{\"role\":\"user\",\"content\":\"***\",\"x\":1},"
                  + HI.replace(":", " :")
                  + "],\"model\":\"a\"}");
    }

    @Test
    @DisplayName("models: the first and the rest, however the caller listed them")
    void models() {
      List<ModelRef> models = List.of(ModelRef.parse("x"), ModelRef.parse("y:free"));
      InferenceRequest fallbacks =
          with(",\"fallbacks\":[{\"model\":\"b\"}]").toBuilder().models(models).build();
      assertThat(member(fallbacks, "model")).isEqualTo("\"x\"");
      assertThat(member(fallbacks, "models")).isEqualTo("[\"y:free\"]");
      assertThat(member(fallbacks, "fallbacks")).isEqualTo("absent");
      InferenceRequest one =
          with(",\"models\":[\"b\"]").toBuilder().models(models.subList(0, 1)).build();
      assertThat(member(one, "model")).isEqualTo("\"x\"");
      assertThat(member(one, "models")).isEqualTo("absent");
    }

    @Test
    @DisplayName("system, limit, stream, session and user: set, changed and taken away")
    void scalars() {
      InferenceRequest set =
          with("").toBuilder()
              .instructions(Message.text(Role.SYSTEM, "s"))
              .maxOutputTokens(7)
              .streaming(true)
              .sessionId("i")
              .user("u")
              .build();
      assertThat(written(set))
          .isEqualTo(
              "{\"model\":\"a\",\"messages\":["
                  + HI
                  + "],\"system\":\"s\",\"max_tokens\":7,\"stream\":true,\"session_id\":\"i\","
                  + "\"user\":\"u\"}");
      InferenceRequest gone =
          read(written(set)).toBuilder()
              .instructions(null)
              .maxOutputTokens(0)
              .streaming(false)
              .sessionId(null)
              .user(null)
              .build();
      assertThat(written(gone))
          .isEqualTo("{\"model\":\"a\",\"messages\":[" + HI + "],\"stream\":false}");
    }

    @Test
    @DisplayName("tools: functions with a schema, the gateway's with their parameters")
    void tools() {
      List<Tool> tools =
          List.of(
              new Tool.Function("f", null, null, parsed("{\"defer_loading\":true}"), null),
              new Tool.Function("g", "d", parsed("{\"type\":\"object\"}"), NONE, null),
              new Tool.Server("router:datetime", NONE, null));
      assertThat(member(with("").toBuilder().tools(tools).build(), "tools"))
          .isEqualTo(
              "[{\"name\":\"f\",\"input_schema\":{\"type\":\"object\",\"properties\":{}},"
                  + "\"defer_loading\":true},{\"name\":\"g\",\"description\":\"d\","
                  + "\"input_schema\":{\"type\":\"object\"}},"
                  + "{\"type\":\"router:datetime\",\"parameters\":{}}]");
    }
  }

  @Nested
  @DisplayName("with messages made here")
  class Made {
    @ParameterizedTest(name = "{0} speaks as {1}")
    @CsvSource({
      "SYSTEM,system",
      "DEVELOPER,system",
      "USER,user",
      "TOOL,user",
      "ASSISTANT,assistant"
    })
    void roles(Role role, String wire) {
      assertThat(message(role, Content.STRING, new Part.Text("t")))
          .isEqualTo("{\"role\":\"" + wire + "\",\"content\":\"t\"}");
    }

    @Test
    @DisplayName("whose content is a string only when that can hold them")
    void form() {
      assertThat(message(Role.USER, Content.STRING)).endsWith("\"content\":\"\"}");
      assertThat(message(Role.USER, Content.ABSENT)).endsWith("\"content\":[]}");
      Part marked = new Part.Text(Json.of("t"), parsed("{\"cache_control\":{}}"), null);
      assertThat(message(Role.USER, Content.STRING, marked))
          .endsWith("\"content\":[{\"type\":\"text\",\"text\":\"t\",\"cache_control\":{}}]}");
      Part call = new Part.ToolCall("i", "f", Json.of("{}"), NONE, null);
      assertThat(message(Role.ASSISTANT, Content.STRING, new Part.Text("t"), call))
          .endsWith(
              "\"content\":[{\"type\":\"text\",\"text\":\"t\"},"
                  + "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\",\"input\":{}}]}");
    }

    @Test
    @DisplayName("without thoughts that nobody signed")
    void thinking() {
      Part unsigned = new Part.Thinking(Json.of("t"), null, NONE, null);
      Part signed = new Part.Thinking(Json.of(""), Json.of("s"), NONE, null);
      assertThat(message(Role.ASSISTANT, Content.LIST, unsigned, signed))
          .endsWith("\"content\":[{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"s\"}]}");
    }

    @Test
    @DisplayName("with what is encrypted as thinking that was redacted")
    void redacted() {
      Part encrypted =
          new Part.Thinking(
              Part.Thinking.Kind.ENCRYPTED, Json.of("d"), null, null, null, NONE, null);
      assertThat(block(encrypted)).isEqualTo("{\"type\":\"redacted_thinking\",\"data\":\"d\"}");
    }

    @Test
    @DisplayName("with pictures inline, by address or uploaded")
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

    @Test
    @DisplayName("with results: nothing, a string or blocks, and that the call failed")
    void results() {
      List<Part> said = List.of(new Part.Text("t"));
      assertThat(block(new Part.ToolResult("i", said, true)))
          .isEqualTo("{\"type\":\"tool_result\",\"tool_use_id\":\"i\",\"content\":\"t\"}");
      assertThat(block(new Part.ToolResult("i", said, Content.LIST, true, NONE, null)))
          .isEqualTo(
              "{\"type\":\"tool_result\",\"tool_use_id\":\"i\",\"content\":"
                  + "[{\"type\":\"text\",\"text\":\"t\"}],\"is_error\":true}");
      assertThat(block(new Part.ToolResult("i", List.of(), Content.ABSENT, false, NONE, null)))
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
    @DisplayName("with an input that is JSON as it is")
    void values() {
      var call = new Part.ToolCall("i", "f", new Arguments.Value(Json.of("x")), NONE, null);
      assertThat(block(call)).endsWith("\"input\":\"x\"}");
    }

    @Test
    @DisplayName("but never with what the dialect has no block for")
    void noBlock() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> block(new Part.Audio(Json.of("AA"), "wav", NONE, null)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> block(new Part.Video(Json.of("u"), NONE, null)));
    }
  }
}
