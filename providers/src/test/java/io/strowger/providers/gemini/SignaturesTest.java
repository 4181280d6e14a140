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
  private static final String OURS = "google-gemini-v1";

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
        OURS,
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

  private static Bodies asked(Message... messages) {
    var all = new ArrayList<>(List.of(Message.text(Message.Role.USER, "hi")));
    all.addAll(List.of(messages));
    return Bodies.of(InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).messages(all).build())
        .reasoning(false, true);
  }

  @Proves("translation.case.7")
  @Test
  @DisplayName("go back on the call they came with, in whatever order they were kept")
  void byId() {
    Bodies body =
        asked(
            turn(
                encrypted("Yg==", "c2", OURS),
                encrypted("YQ==", "c1", OURS),
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
  @DisplayName("are found by function and arguments when the caller gave the call a new id")
  void byContent() {
    Bodies body =
        asked(
            turn(encrypted("YQ==", "c1", OURS), call("c1", "{}")),
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
  @DisplayName("are never made up: a call goes without, and that is told of a model that reasons")
  void missing() {
    Bodies body = asked(turn(call("c1", "")), result("c1"));
    assertThat(body.contents()).doesNotContain("thoughtSignature");
    assertThat(body.losses()).containsExactly("DROPPED reasoning");
    assertThat(body.reasoning(false, false).losses()).isEmpty();
  }

  @Test
  @DisplayName("are on the first of several calls only, and that is no loss")
  void onlyTheFirst() {
    Bodies body =
        asked(
            turn(encrypted("YQ==", "c1", OURS), call("c1", "{}"), call("c2", "{}")),
            result("c1"),
            result("c2"));
    assertThat(body.contents().split("thoughtSignature", -1)).hasSize(2);
    assertThat(body.losses()).isEmpty();
  }

  @Test
  @DisplayName("of another vendor stay here, and so do those whose call is gone")
  void others() {
    Bodies vendor =
        asked(turn(encrypted("YQ==", "c1", "anthropic-claude-v1"), call("c1", "")), result("c1"));
    assertThat(vendor.contents()).doesNotContain("YQ==");
    assertThat(vendor.losses()).contains("DROPPED reasoning");
    Bodies gone = asked(turn(encrypted("YQ==", "gone", OURS), new Part.Text("x")));
    assertThat(gone.contents()).doesNotContain("YQ==");
    assertThat(gone.losses()).containsExactly("DROPPED reasoning");
  }

  @Test
  @DisplayName("of text go back on the text behind them, and alone when there is none")
  void ofText() {
    Part signature = encrypted("YQ==", null, OURS);
    assertThat(asked(turn(signature, new Part.Text("so"))).contents())
        .endsWith("model [{'text':'so','thoughtSignature':'YQ=='}]");
    assertThat(asked(turn(signature)).contents())
        .endsWith("model [{'text':'','thoughtSignature':'YQ=='}]");
    assertThat(asked(turn(signature, call("c", "")), result("c")).contents())
        .contains("model [{'text':'','thoughtSignature':'YQ=='},{'functionCall':");
  }

  @Test
  @DisplayName("of thoughts go back with the thought, and thoughts without one do not")
  void ofThoughts() {
    Bodies body =
        asked(
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
  @DisplayName("Case 5: of a thought that says nothing go back as well")
  void emptyThought() {
    assertThat(asked(turn(thought(Kind.TEXT, "", "YQ=="), new Part.Text("so"))).contents())
        .endsWith("model [{'text':'','thought':true,'thoughtSignature':'YQ=='},{'text':'so'}]");
  }
}
