package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A conversation")
class ConversationTest {
  private static final ConversationRules PLAIN = new ConversationRules(false, false, null);
  private static final ConversationRules LATE_SYSTEM = new ConversationRules(true, true, null);
  private static final ConversationRules SIGNED =
      new ConversationRules(false, false, "anthropic-claude-v1");
  private static final Json.Obj EMPTY = Json.Obj.EMPTY;

  private final List<Loss> lost = new ArrayList<>();

  private Conversation read(ConversationRules rules, Message... messages) {
    var request = InferenceRequest.builder(Dialect.CHAT, EMPTY).messages(List.of(messages)).build();
    return Conversation.of(request, rules, new Losses(lost::add));
  }

  private static Message message(Role role, Part... parts) {
    return new Message(role, List.of(parts), ContentForm.LIST, EMPTY, null);
  }

  private static Message textMessage(Role role, String text) {
    return Message.text(role, text);
  }

  private static Part.Text text(String text) {
    return new Part.Text(text);
  }

  private static Part.ToolCall call(String id) {
    return new Part.ToolCall(id, "f", new Arguments.Text(Json.of("{}")), EMPTY, null);
  }

  private static Part.ToolResult result(String id, String text) {
    return new Part.ToolResult(id, List.of(text(text)), true);
  }

  private static Part.Thinking thinking(String text, @Nullable String signature) {
    return new Part.Thinking(
        Part.Thinking.Kind.TEXT,
        Json.of(text),
        signature == null ? null : Json.of(signature),
        "anthropic-claude-v1",
        null,
        EMPTY,
        null);
  }

  private static Part.Thinking redacted(String data) {
    return new Part.Thinking(
        Part.Thinking.Kind.ENCRYPTED,
        Json.of(data),
        null,
        "anthropic-claude-v1",
        null,
        EMPTY,
        null);
  }

  private static ConversationTurn user(Part... parts) {
    return new ConversationTurn(Role.USER, List.of(parts));
  }

  private static ConversationTurn model(Part... parts) {
    return new ConversationTurn(Role.ASSISTANT, List.of(parts));
  }

  private List<String> lost() {
    return lost.stream().map(Loss::subject).toList();
  }

  @Proves("translation.case.1")
  @Test
  @DisplayName("Case 1: has all results of a turn together in one user turn, before its text")
  void resultsTogether() {
    Conversation read =
        read(
            PLAIN,
            textMessage(Role.USER, "hi"),
            message(Role.ASSISTANT, call("a"), call("b")),
            message(Role.TOOL, result("a", "1")),
            textMessage(Role.USER, "and now?"),
            message(Role.TOOL, result("b", "2")));
    assertThat(read.turns())
        .containsExactly(
            user(text("hi")),
            model(call("a"), call("b")),
            user(result("a", "1"), result("b", "2"), text("and now?")));
    assertThat(lost).isEmpty();
  }

  @Proves("translation.case.2")
  @Test
  @DisplayName("Case 2: adds a result only for a call that has none after turns were merged")
  void repairAfterMerging() {
    Conversation read =
        read(
            PLAIN,
            message(Role.ASSISTANT, call("a")),
            message(Role.ASSISTANT, call("b"), call("c")),
            message(Role.TOOL, result("b", "2")),
            message(Role.TOOL, result("a", "1")));
    assertThat(read.turns().get(0)).isEqualTo(model(call("a"), call("b"), call("c")));
    assertThat(read.turns().get(1).parts())
        .startsWith(result("a", "1"), result("b", "2"))
        .hasSize(3);
    var added = (Part.ToolResult) read.turns().get(1).parts().get(2);
    assertThat(added.callId()).isEqualTo("c");
    assertThat(added.isError()).isTrue();
    assertThat(lost()).containsExactly("a tool's call");
  }

  @Proves("translation.case.3")
  @Test
  @DisplayName("Case 3: keeps the results of parallel calls in one turn, in the order of the calls")
  void parallelResults() {
    Conversation read =
        read(
            PLAIN,
            message(Role.ASSISTANT, call("a"), call("b")),
            message(Role.TOOL, result("b", "2")),
            message(Role.TOOL, result("a", "1")));
    assertThat(read.turns().get(1)).isEqualTo(user(result("a", "1"), result("b", "2")));
  }

  @Proves("translation.case.5")
  @Test
  @DisplayName("Case 5: keeps a signed thought without text, and drops an unsigned thought")
  void emptySignedThought() {
    Conversation read =
        read(
            SIGNED,
            message(Role.ASSISTANT, thinking("", "sig"), thinking("plain", null), text("x")));
    assertThat(read.turns()).containsExactly(model(thinking("", "sig"), text("x")));
    assertThat(lost()).containsExactly("reasoning");
  }

  @Proves("translation.case.6")
  @Test
  @DisplayName("Case 6: keeps plain and redacted thoughts in their order")
  void orderOfThoughts() {
    Part[] parts = {
      thinking("one", "s1"), redacted("d"), thinking("two", "s2"), text("x"), call("a")
    };
    Conversation read = read(SIGNED, message(Role.ASSISTANT, parts));
    assertThat(read.turns().get(0)).isEqualTo(model(parts));
    assertThat(lost()).containsExactly("a tool's call");
  }

  @Test
  @DisplayName("returns thoughts only to the vendor they came from")
  void foreignThoughts() {
    assertThat(read(PLAIN, message(Role.ASSISTANT, thinking("a", "s"))).turns()).isEmpty();
    assertThat(
            read(
                    new ConversationRules(false, false, "google-gemini-v1"),
                    message(Role.ASSISTANT, redacted("d")))
                .turns())
        .isEmpty();
    assertThat(lost()).containsExactly("reasoning", "reasoning");
  }

  @Proves("translation.case.21")
  @Test
  @DisplayName("Case 21: has no blank text, and no message of blank texts only")
  void blankTexts() {
    Conversation read =
        read(
            PLAIN,
            textMessage(Role.SYSTEM, " "),
            textMessage(Role.USER, "a"),
            message(Role.ASSISTANT, text(""), text("\n\t")),
            textMessage(Role.USER, "b"),
            message(Role.ASSISTANT, text(" "), call("c")),
            message(Role.TOOL, new Part.ToolResult("c", List.of(text(" "), text("1")), false)));
    assertThat(read.system()).isEmpty();
    assertThat(read.turns())
        .containsExactly(
            user(text("a"), text("b")),
            model(call("c")),
            user(new Part.ToolResult("c", List.of(text("1")), false)));
  }

  @Proves("translation.case.22")
  @Test
  @DisplayName("Case 22: keeps texts, thoughts and tool calls of a turn in their order")
  void textBesideCalls() {
    Conversation read =
        read(
            SIGNED,
            message(Role.ASSISTANT, thinking("t", "s"), text("x"), call("a"), call("b")),
            message(Role.TOOL, result("a", "1"), result("b", "2")));
    assertThat(read.turns().get(0))
        .isEqualTo(model(thinking("t", "s"), text("x"), call("a"), call("b")));
  }

  @Proves("translation.request.systems")
  @Test
  @DisplayName("keeps every system message, and reports a loss for one that is moved to the front")
  void systemMessages() {
    Message[] messages = {
      textMessage(Role.SYSTEM, "one"),
      textMessage(Role.DEVELOPER, "two"),
      textMessage(Role.USER, "hi"),
      textMessage(Role.SYSTEM, "late")
    };
    Conversation hoisted = read(PLAIN, messages);
    assertThat(hoisted.system()).containsExactly(text("one"), text("two"), text("late"));
    assertThat(hoisted.turns()).containsExactly(user(text("hi")));
    assertThat(lost()).containsExactly("system");
    Conversation kept = read(LATE_SYSTEM, messages);
    assertThat(kept.system()).containsExactly(text("one"), text("two"));
    assertThat(kept.turns())
        .containsExactly(
            user(text("hi")), new ConversationTurn(Role.SYSTEM, List.of(text("late"))));
  }

  @Test
  @DisplayName("moves a system message that stands between a tool call and its result")
  void systemBetween() {
    Conversation read =
        read(
            LATE_SYSTEM,
            message(Role.ASSISTANT, call("a")),
            textMessage(Role.SYSTEM, "late"),
            message(Role.USER, result("a", "1"), text("x")));
    assertThat(read.turns())
        .containsExactly(
            model(call("a")),
            user(result("a", "1")),
            new ConversationTurn(Role.SYSTEM, List.of(text("late"))),
            user(text("x")));
  }

  @Test
  @DisplayName("gives two tool calls with the same id different ids, each with its own result")
  void sameIds() {
    Conversation read =
        read(
            PLAIN,
            message(Role.ASSISTANT, call("a"), call("a")),
            message(Role.TOOL, result("a", "1")),
            message(Role.TOOL, result("a", "2")));
    assertThat(read.turns())
        .containsExactly(model(call("a"), call("a-2")), user(result("a", "1"), result("a-2", "2")));
    assertThat(lost()).containsExactly("a tool call's id");
  }

  @Test
  @DisplayName("drops results without a call, second results, and parts of the wrong role")
  void misplacedParts() {
    Conversation read =
        read(
            PLAIN,
            message(Role.ASSISTANT, call("a"), result("a", "own")),
            message(Role.USER, result("a", "1"), result("a", "2"), result("z", "3"), call("u")),
            textMessage(Role.ASSISTANT, "x"),
            message(Role.TOOL, result("a", "again")),
            textMessage(Role.ASSISTANT, "y"));
    assertThat(read.turns())
        .containsExactly(model(call("a")), user(result("a", "1")), model(text("x"), text("y")));
    assertThat(lost())
        .containsExactly("a tool's result", "a tool's call", "a tool's result", "a tool's result");
  }

  @Test
  @DisplayName("turns a text document into a file, also in a result, and drops unknown parts")
  void unknownParts() {
    Json.Obj source = Json.object().put("type", "text").put("data", "d").build();
    Json.Obj block =
        Json.object().put("type", "document").put("title", "t").put("source", source).build();
    var document = new Part.Unknown("document", block);
    var file = new Part.File(source, Json.object().put("title", "t").build(), null);
    Conversation read =
        read(
            PLAIN,
            message(Role.USER, document, new Part.Unknown("later", EMPTY)),
            message(Role.ASSISTANT, call("a")),
            message(Role.TOOL, new Part.ToolResult("a", List.of(document), false)));
    assertThat(read.turns())
        .containsExactly(
            user(file), model(call("a")), user(new Part.ToolResult("a", List.of(file), false)));
    assertThat(lost()).containsExactly("later");
  }

  @Test
  @DisplayName("has the name of its speaker before the first text if the upstream accepts no names")
  void names() {
    var named =
        new Message(
            Role.USER,
            List.of(new Part.Image(new Media.FileId("i"), EMPTY, null), text("hi"), text("there")),
            ContentForm.LIST,
            Json.object().put("name", "ann").build(),
            null);
    assertThat(read(PLAIN, named, textMessage(Role.USER, "x")).turns().get(0).parts())
        .endsWith(text("ann: hi"), text("there"), text("x"));
    assertThat(lost()).containsExactly("name");
    assertThat(read(LATE_SYSTEM, named).turns().get(0).parts()).endsWith(text("hi"), text("there"));
  }

  @Test
  @DisplayName("has names before system texts, too, and reports a name without a text as lost")
  void systemNames() {
    var example =
        new Message(
            Role.SYSTEM,
            List.of(text("hi")),
            ContentForm.STRING,
            Json.object().put("name", "example_user").build(),
            null);
    assertThat(read(PLAIN, example, textMessage(Role.USER, "x")).system())
        .containsExactly(text("example_user: hi"));
    assertThat(read(PLAIN, textMessage(Role.USER, "x"), example).system())
        .containsExactly(text("example_user: hi"));
    var withoutText =
        new Message(
            Role.USER,
            List.of(new Part.Image(new Media.FileId("i"), EMPTY, null)),
            ContentForm.LIST,
            Json.object().put("name", "ann").build(),
            null);
    assertThat(read(PLAIN, withoutText).turns()).hasSize(1);
    assertThat(lost()).contains("name");
  }

  @Test
  @DisplayName("reports as lost what the model generated besides its text and is not sent back")
  void otherOutput() {
    Json.Obj extras =
        Json.object().put("images", Json.array()).put("audio", Json.NULL).put("model", "m").build();
    var message =
        new Message(Role.ASSISTANT, List.of(text("hi")), ContentForm.STRING, extras, null);
    assertThat(read(PLAIN, textMessage(Role.USER, "x"), message).turns()).hasSize(2);
    assertThat(lost()).containsExactly("messages.images");
  }

  @Test
  @DisplayName("has a refusal as text, and neither citations nor logprobs")
  void refusals() {
    var refusal = new Part.Refusal(Json.of("no"), null);
    assertThat(
            read(
                    PLAIN,
                    message(
                        Role.ASSISTANT,
                        refusal,
                        new Part.Citation(EMPTY, null),
                        new Part.Logprobs(Json.array())))
                .turns())
        .containsExactly(model(text("no")));
    assertThat(lost()).containsExactly("refusal", "citations", "logprobs");
  }

  @Test
  @DisplayName("with very many blank messages is read in linear time")
  void linear() {
    var many = new ArrayList<Message>();
    for (int i = 0; i < 100_000; i++) {
      many.add(textMessage(Role.USER, "u"));
      many.add(textMessage(Role.ASSISTANT, " "));
    }
    assertThat(read(PLAIN, many.toArray(new Message[0])).turns())
        .singleElement()
        .satisfies(turn -> assertThat(turn.parts()).hasSize(100_000));
  }
}
