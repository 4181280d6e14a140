package io.strowger.plugins.contextcompression;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.tck.FakeChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Properties of the compression of arbitrary conversations. */
@Label("context-compression, for every conversation,")
class ContextCompressionProperties {
  /** A step of a conversation: a message of a role, a tool call or a result, by its kind. */
  record Step(int kind, int size) {}

  @Provide
  Arbitrary<List<Step>> conversations() {
    return Arbitraries.integers()
        .between(0, 5)
        .flatMap(kind -> Arbitraries.integers().between(0, 60).map(size -> new Step(kind, size)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }

  private static InferenceRequest request(List<Step> steps) {
    var messages = new ArrayList<Message>();
    var openCalls = new ArrayList<String>();
    int number = 0;
    for (Step step : steps) {
      String text = "t".repeat(step.size * 4);
      switch (step.kind) {
        case 0 ->
            messages.add(Message.text(Role.SYSTEM, "s" + text.substring(0, text.length() / 8)));
        case 1, 2 -> messages.add(Message.text(Role.USER, "u" + text));
        case 3 -> messages.add(Message.text(Role.ASSISTANT, "a" + text));
        case 4 -> {
          String id = "call" + number++;
          openCalls.add(id);
          messages.add(
              part(
                  Role.ASSISTANT, new Part.ToolCall(id, "f", Json.of("{}"), Json.Obj.EMPTY, null)));
        }
        default -> {
          if (!openCalls.isEmpty()) {
            String id = openCalls.removeFirst();
            messages.add(
                part(Role.TOOL, new Part.ToolResult(id, List.of(new Part.Text(text)), true)));
          }
        }
      }
    }
    return ContextCompressionTest.request(messages);
  }

  private static Message part(Role role, Part part) {
    return new Message(role, List.of(part), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  private static Set<String> ids(InferenceRequest request, Class<? extends Part> kind) {
    return request.messages().stream()
        .flatMap(message -> message.parts().stream())
        .filter(kind::isInstance)
        .map(
            part ->
                part instanceof Part.ToolCall call ? call.id() : ((Part.ToolResult) part).callId())
        .collect(Collectors.toSet());
  }

  private static Optional<Message> lastUser(InferenceRequest request) {
    return request.messages().stream()
        .filter(message -> message.role() == Role.USER)
        .reduce((one, other) -> other);
  }

  private static List<Message> instructions(InferenceRequest request) {
    return request.messages().stream().filter(message -> message.role() == Role.SYSTEM).toList();
  }

  @Property(tries = 2000)
  @Label(
      "fits or gives up, keeps instructions and the last user message, and separates no call"
          + " from its result")
  void holds(
      @ForAll("conversations") List<Step> steps,
      @ForAll @IntRange(min = 1, max = 400) int room,
      @ForAll @IntRange(min = 1, max = 30) int maxMessages) {
    InferenceRequest request = request(steps);
    FakeChain chain = FakeChain.of(List.of());
    InferenceRequest shortened =
        new MiddleOut(chain::promptTokens, room, maxMessages).shorten(request);
    if (shortened == null) {
      assertThat(request.messages().size() > maxMessages || chain.promptTokens(request) > room)
          .isTrue();
      return;
    }
    assertThat(chain.promptTokens(shortened)).isLessThanOrEqualTo(room);
    assertThat(shortened.messages().size()).isLessThanOrEqualTo(maxMessages);
    assertThat(instructions(shortened)).isEqualTo(instructions(request));
    Set<String> calls = ids(shortened, Part.ToolCall.class);
    Set<String> results = ids(shortened, Part.ToolResult.class);
    Set<String> answered = ids(request, Part.ToolResult.class);
    assertThat(calls).containsAll(results);
    assertThat(results).containsAll(calls.stream().filter(answered::contains).toList());
    lastUser(request)
        .ifPresent(
            last ->
                assertThat(ContextCompressionTest.text(lastUser(shortened).orElseThrow()).length())
                    .isLessThanOrEqualTo(ContextCompressionTest.text(last).length()));
    if (chain.promptTokens(request) <= room && request.messages().size() <= maxMessages) {
      assertThat(shortened).isSameAs(request);
    }
  }
}
