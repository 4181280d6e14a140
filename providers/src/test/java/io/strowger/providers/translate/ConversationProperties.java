package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** Whatever callers send, in whatever order, becomes a conversation every upstream takes. */
class ConversationProperties {
  private static final ConversationRules HOISTED = new ConversationRules(false, false, null);
  private static final ConversationRules LATE = new ConversationRules(true, false, null);

  private static Conversation read(List<Message> messages, ConversationRules manner) {
    return read(null, messages, manner);
  }

  private static Conversation read(
      @Nullable Message first, List<Message> messages, ConversationRules manner) {
    var request =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .instructions(first)
            .messages(messages)
            .build();
    return Conversation.of(request, manner, new Losses(loss -> {}));
  }

  @Proves("translation.request.neighbours")
  @Property
  void turnsAlternateAndNoneIsEmpty(@ForAll("messages") List<Message> messages) {
    for (ConversationRules manner : List.of(HOISTED, LATE)) {
      Role before = null;
      for (ConversationTurn turn : read(messages, manner).turns()) {
        assertThat(turn.role()).isNotEqualTo(before);
        assertThat(turn.parts()).isNotEmpty();
        before = turn.role();
      }
    }
  }

  @Property
  void everyCallHasOneResultRightBehindItAndEveryResultACall(
      @ForAll("messages") List<Message> messages) {
    for (ConversationRules manner : List.of(HOISTED, LATE)) {
      List<String> open = List.of();
      for (ConversationTurn turn : read(messages, manner).turns()) {
        List<String> results = new ArrayList<>();
        for (Part part : turn.parts()) {
          if (part instanceof Part.ToolResult result) {
            results.add(result.callId());
          }
        }
        assertThat(results).isEqualTo(open);
        assertThat(turn.parts().subList(0, results.size()))
            .allMatch(part -> part instanceof Part.ToolResult);
        open = calls(turn);
        assertThat(open).doesNotHaveDuplicates();
      }
      assertThat(open).isEmpty();
    }
  }

  private static List<String> calls(ConversationTurn turn) {
    var calls = new ArrayList<String>();
    for (Part part : turn.parts()) {
      if (part instanceof Part.ToolCall call) {
        calls.add(call.id());
      }
    }
    return calls;
  }

  @Property
  void textsAndTheirOrderAreConserved(@ForAll("messages") List<Message> messages) {
    Conversation read = read(messages, HOISTED);
    assertThat(read.system().stream().map(text -> text.text().text()))
        .isEqualTo(texts(messages, Set.of(Role.SYSTEM, Role.DEVELOPER)));
    var said = new ArrayList<String>();
    read.turns().forEach(turn -> said.addAll(texts(turn.parts())));
    assertThat(said).isEqualTo(texts(messages, Set.of(Role.USER, Role.TOOL, Role.ASSISTANT)));
    var late = new TreeSet<String>();
    Conversation kept = read(messages, LATE);
    kept.system().forEach(text -> late.add(text.text().text()));
    kept.turns().forEach(turn -> late.addAll(texts(turn.parts())));
    assertThat(late).isEqualTo(new TreeSet<>(texts(messages, Set.of(Role.values()))));
  }

  private static List<String> texts(List<Message> messages, Set<Role> roles) {
    var texts = new ArrayList<String>();
    messages.stream()
        .filter(message -> roles.contains(message.role()))
        .forEach(message -> texts.addAll(texts(message.parts())));
    return texts;
  }

  private static List<String> texts(List<Part> parts) {
    var texts = new ArrayList<String>();
    for (Part part : parts) {
      if (part instanceof Part.Text text && !text.text().text().isBlank()) {
        texts.add(text.text().text());
      }
    }
    return texts;
  }

  @Property
  void readingWhatWasReadChangesNothing(@ForAll("messages") List<Message> messages) {
    for (ConversationRules manner : List.of(HOISTED, LATE)) {
      Conversation once = read(messages, manner);
      var again = new ArrayList<Message>();
      once.turns().forEach(turn -> again.add(message(turn.role(), turn.parts())));
      Conversation twice = read(message(Role.SYSTEM, List.copyOf(once.system())), again, manner);
      if (again.isEmpty() || again.get(0).role() != Role.SYSTEM) {
        assertThat(twice.system()).isEqualTo(once.system());
        assertThat(twice.turns()).isEqualTo(once.turns());
      }
    }
  }

  private static Message message(Role role, List<Part> parts) {
    return new Message(role, parts, ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  @Provide
  Arbitrary<List<Message>> messages() {
    Arbitrary<String> ids = Arbitraries.of("a", "b", "c", "a-2");
    Arbitrary<String> numbered = Arbitraries.integers().between(0, 999).map(n -> "t" + n);
    Arbitrary<Part> texts =
        Arbitraries.frequencyOf(Tuple.of(4, numbered), Tuple.of(1, Arbitraries.of("", " ", "\n")))
            .map(Part.Text::new);
    Arbitrary<Part> calls =
        ids.map(
            id ->
                new Part.ToolCall(
                    id, "f", new Arguments.Text(Json.of("{}")), Json.Obj.EMPTY, null));
    Arbitrary<Part> results =
        ids.map(id -> new Part.ToolResult(id, List.of(new Part.Text("r")), true));
    Arbitrary<Message> plain =
        Combinators.combine(Arbitraries.of(Role.SYSTEM, Role.DEVELOPER), texts.list().ofMaxSize(2))
            .as(ConversationProperties::message);
    Arbitrary<Message> asking =
        Combinators.combine(
                Arbitraries.of(Role.USER, Role.TOOL),
                Arbitraries.oneOf(texts, results).list().ofMaxSize(3))
            .as(ConversationProperties::message);
    Arbitrary<Message> answering =
        Arbitraries.oneOf(texts, calls, results)
            .list()
            .ofMaxSize(4)
            .map(parts -> message(Role.ASSISTANT, parts));
    return Arbitraries.oneOf(plain, asking, answering, asking, answering).list().ofMaxSize(12);
  }
}
