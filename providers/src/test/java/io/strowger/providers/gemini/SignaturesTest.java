package io.strowger.providers.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Case 7: signatures in the gemini dialect")
class SignaturesTest {
  private static final String GEMINI_FORMAT = "google-gemini-v1";

  private static Part call(String id, String arguments) {
    return new Part.ToolCall(id, "f", Json.of(arguments), Json.Obj.EMPTY, null);
  }

  private static Part encrypted(String data, @Nullable String id, String format) {
    return new Part.Thinking(Kind.ENCRYPTED, Json.of(data), null, format, id, Json.Obj.EMPTY, null);
  }

  private static Part thought(Kind kind, String text, @Nullable String signature) {
    return new Part.Thinking(
        kind,
        Json.of(text),
        signature == null ? null : Json.of(signature),
        GEMINI_FORMAT,
        null,
        Json.Obj.EMPTY,
        null);
  }

  private static Message turn(Part... parts) {
    return new Message(
        Message.Role.ASSISTANT, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  private static Message result(String id) {
    var result = new Part.ToolResult(id, List.of(new Part.Text("ok")), true);
    return new Message(
        Message.Role.TOOL, List.of(result), Message.ContentForm.STRING, Json.Obj.EMPTY, null);
  }

  private static GeminiTestRequest request(Message... messages) {
    var all = new ArrayList<>(List.of(Message.text(Message.Role.USER, "hi")));
    all.addAll(List.of(messages));
    return GeminiTestRequest.of(
            InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).messages(all).build())
        .reasoning(false, true);
  }

  @Proves("translation.case.7")
  @Test
  @DisplayName("are returned with the call they came with, in whatever order the caller keeps them")
  void byId() {
    GeminiTestRequest body =
        request(
            turn(
                encrypted("Yg==", "c2", GEMINI_FORMAT),
                encrypted("YQ==", "c1", GEMINI_FORMAT),
                call("c1", "{}"),
                call("c2", "{}")),
            result("c1"),
            result("c2"));
    assertThat(body.contents())
        .contains("{'id':'c1','name':'f','args':{}},'thoughtSignature':'YQ=='}")
        .contains("{'id':'c2','name':'f','args':{}},'thoughtSignature':'Yg=='}");
    assertThat(body.losses()).isEmpty();
  }

  @Proves("translation.case.7")
  @Test
  @DisplayName(
      "of one call are also given to another call with the same function and arguments, since a"
          + " caller may give calls new ids")
  void byContent() {
    GeminiTestRequest body =
        request(
            turn(encrypted("YQ==", "c1", GEMINI_FORMAT), call("c1", "{}")),
            result("c1"),
            turn(call("other", "{}")),
            result("other"),
            turn(call("third", "{\"x\":1}")),
            result("third"));
    assertThat(body.contents())
        .contains("{'id':'other','name':'f','args':{}},'thoughtSignature':'YQ=='}")
        .contains("{'id':'third','name':'f','args':{'x':1}}}");
    assertThat(body.losses()).containsExactly("DROPPED reasoning");
  }

  @Test
  @DisplayName("are never invented; for a reasoning model their absence is reported as a loss")
  void missing() {
    GeminiTestRequest body = request(turn(call("c1", "")), result("c1"));
    assertThat(body.contents()).doesNotContain("thoughtSignature");
    assertThat(body.losses()).containsExactly("DROPPED reasoning");
    assertThat(body.reasoning(false, false).losses()).isEmpty();
  }

  @Test
  @DisplayName("are expected only on the first of several calls")
  void onlyTheFirst() {
    GeminiTestRequest body =
        request(
            turn(encrypted("YQ==", "c1", GEMINI_FORMAT), call("c1", "{}"), call("c2", "{}")),
            result("c1"),
            result("c2"));
    assertThat(body.contents().split("thoughtSignature", -1)).hasSize(2);
    assertThat(body.losses()).isEmpty();
  }

  @Test
  @DisplayName("of another vendor, and those whose call is missing, are not sent")
  void others() {
    GeminiTestRequest vendor =
        request(turn(encrypted("YQ==", "c1", "anthropic-claude-v1"), call("c1", "")), result("c1"));
    assertThat(vendor.contents()).doesNotContain("YQ==");
    assertThat(vendor.losses()).contains("DROPPED reasoning");
    GeminiTestRequest withoutCall =
        request(turn(encrypted("YQ==", "gone", GEMINI_FORMAT), new Part.Text("x")));
    assertThat(withoutCall.contents()).doesNotContain("YQ==");
    assertThat(withoutCall.losses()).containsExactly("DROPPED reasoning");
  }

  @Test
  @DisplayName("of texts are returned on the text that follows them, or alone")
  void ofText() {
    Part signature = encrypted("YQ==", null, GEMINI_FORMAT);
    assertThat(request(turn(signature, new Part.Text("so"))).contents())
        .endsWith("model [{'text':'so','thoughtSignature':'YQ=='}]");
    assertThat(request(turn(signature)).contents())
        .endsWith("model [{'text':'','thoughtSignature':'YQ=='}]");
    assertThat(request(turn(signature, call("c", "")), result("c")).contents())
        .contains("model [{'text':'','thoughtSignature':'YQ=='},{'functionCall':");
  }

  @Test
  @DisplayName("of thoughts are returned with the thought; unsigned thoughts are dropped")
  void ofThoughts() {
    GeminiTestRequest body =
        request(
            turn(
                thought(Kind.TEXT, "hm", "YQ=="),
                thought(Kind.TEXT, "ah", null),
                thought(Kind.SUMMARY, "in all", null),
                new Part.Text("so")));
    assertThat(body.contents())
        .endsWith("model [{'text':'hm','thought':true,'thoughtSignature':'YQ=='},{'text':'so'}]");
    assertThat(body.losses()).containsExactly("DROPPED reasoning", "DROPPED reasoning");
  }

  @Proves("translation.case.5")
  @Test
  @DisplayName("of a thought without text are returned as well (case 5)")
  void emptyThought() {
    assertThat(request(turn(thought(Kind.TEXT, "", "YQ=="), new Part.Text("so"))).contents())
        .endsWith("model [{'text':'','thought':true,'thoughtSignature':'YQ=='},{'text':'so'}]");
  }
}
