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

/** Tests that any messages, in any order, become a conversation that every upstream accepts. */
class ConversationProperties {
  private static final ConversationRules SYSTEM_HOISTED = new ConversationRules(false, false, null);
  private static final ConversationRules LATE_SYSTEM = new ConversationRules(true, false, null);

  private static Conversation read(List<Message> messages, ConversationRules rules) {
    return read(null, messages, rules);
  }

  private static Conversation read(
      @Nullable Message first, List<Message> messages, ConversationRules rules) {
    var request =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .instructions(first)
            .messages(messages)
            .build();
    return Conversation.of(request, rules, new Losses(loss -> {}));
  }

  @Proves("translation.request.neighbours")
  @Property
  void turnsAlternateAndNoneIsEmpty(@ForAll("messages") List<Message> messages) {
    for (ConversationRules rules : List.of(SYSTEM_HOISTED, LATE_SYSTEM)) {
      Role before = null;
      for (ConversationTurn turn : read(messages, rules).turns()) {
        assertThat(turn.role()).isNotEqualTo(before);
        assertThat(turn.parts()).isNotEmpty();
        before = turn.role();
      }
    }
  }

  @Property
  void everyCallIsFollowedByItsOneResultAndEveryResultHasACall(
      @ForAll("messages") List<Message> messages) {
    for (ConversationRules rules : List.of(SYSTEM_HOISTED, LATE_SYSTEM)) {
      List<String> open = List.of();
      for (ConversationTurn turn : read(messages, rules).turns()) {
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
  void textsAndTheirOrderArePreserved(@ForAll("messages") List<Message> messages) {
    Conversation read = read(messages, SYSTEM_HOISTED);
    assertThat(read.system().stream().map(text -> text.text().text()))
        .isEqualTo(texts(messages, Set.of(Role.SYSTEM, Role.DEVELOPER)));
    var turnTexts = new ArrayList<String>();
    read.turns().forEach(turn -> turnTexts.addAll(texts(turn.parts())));
    assertThat(turnTexts).isEqualTo(texts(messages, Set.of(Role.USER, Role.TOOL, Role.ASSISTANT)));
    var allTexts = new TreeSet<String>();
    Conversation notHoisted = read(messages, LATE_SYSTEM);
    notHoisted.system().forEach(text -> allTexts.add(text.text().text()));
    notHoisted.turns().forEach(turn -> allTexts.addAll(texts(turn.parts())));
    assertThat(allTexts).isEqualTo(new TreeSet<>(texts(messages, Set.of(Role.values()))));
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
  void readingIsIdempotent(@ForAll("messages") List<Message> messages) {
    for (ConversationRules rules : List.of(SYSTEM_HOISTED, LATE_SYSTEM)) {
      Conversation once = read(messages, rules);
      var again = new ArrayList<Message>();
      once.turns().forEach(turn -> again.add(message(turn.role(), turn.parts())));
      Conversation twice = read(message(Role.SYSTEM, List.copyOf(once.system())), again, rules);
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
    Arbitrary<Message> systemMessages =
        Combinators.combine(Arbitraries.of(Role.SYSTEM, Role.DEVELOPER), texts.list().ofMaxSize(2))
            .as(ConversationProperties::message);
    Arbitrary<Message> userMessages =
        Combinators.combine(
                Arbitraries.of(Role.USER, Role.TOOL),
                Arbitraries.oneOf(texts, results).list().ofMaxSize(3))
            .as(ConversationProperties::message);
    Arbitrary<Message> assistantMessages =
        Arbitraries.oneOf(texts, calls, results)
            .list()
            .ofMaxSize(4)
            .map(parts -> message(Role.ASSISTANT, parts));
    return Arbitraries.oneOf(
            systemMessages, userMessages, assistantMessages, userMessages, assistantMessages)
        .list()
        .ofMaxSize(12);
  }
}
