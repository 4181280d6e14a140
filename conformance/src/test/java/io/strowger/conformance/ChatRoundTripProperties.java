package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.dialect.chat.ChatBodies;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.providers.chat.ChatRequestWriter;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Tests chat bodies that are decoded and then written for a chat upstream. Translation fact sheet,
 * section 8.
 */
@Label("A chat body that goes to an upstream of the same dialect")
class ChatRoundTripProperties {
  private static final ChatDecoder DECODER = new ChatDecoder((entry, at, problems) -> {});
  private static final String DETAILS = "reasoning_details";
  private static final Set<String> NOT_SENT =
      Set.of(
          "provider",
          "models",
          "plugins",
          "route",
          "preset",
          "session_id",
          "trace",
          "debug",
          "stop_server_tools_when",
          "max_tool_calls",
          "user");
  private static final Set<String> REWRITTEN =
      Set.of(
          "model",
          "messages",
          "tools",
          "tool_choice",
          "parallel_tool_calls",
          "stream_options",
          "max_tokens",
          "max_completion_tokens",
          "service_tier");

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ChatBodies.valid();
  }

  @Property
  @Label("is sent with every byte of the members that are for the upstream, and without the others")
  void bytes(@ForAll("bodies") Json.Obj made, @ForAll Random random) {
    Json.Obj body = spaced(made, random);
    Json.Obj sent = sent(decoded(body));
    for (int i = 0; i < body.size(); i++) {
      String name = body.name(i);
      if (NOT_SENT.contains(name)) {
        assertThat(sent.has(name)).as(name).isFalse();
      } else if (!REWRITTEN.contains(name)) {
        assertSameBytes(sent.get(name), body.value(i), name);
      }
    }
    assertMessages(body, sent);
    assertTools(body, sent);
    assertRewritten(body, sent);
  }

  private static void assertMessages(Json.Obj body, Json.Obj sent) {
    Json.Arr before = list(body, "messages");
    Json.Arr after = list(sent, "messages");
    assertThat(after).hasSize(before.size());
    for (int i = 0; i < before.size(); i++) {
      Json.Obj message = (Json.Obj) before.get(i);
      Json.Obj actual = (Json.Obj) after.get(i);
      Json.Obj expected = expected(message);
      if (expected == message) {
        assertSameBytes(actual, message, "a message");
        continue;
      }
      assertThat(actual).isEqualTo(expected);
      for (int m = 0; m < actual.size(); m++) {
        if (!actual.name(m).equals(DETAILS)) {
          assertSameBytes(actual.value(m), message.get(actual.name(m)), actual.name(m));
        }
      }
    }
  }

  /** Returns a message without the gateway's members and without an empty list of calls. */
  private static Json.Obj expected(Json.Obj message) {
    if (!isAssistant(message)) {
      return message;
    }
    Json.Arr calls = message.list("tool_calls");
    Json.Obj rest = message.without("model");
    rest = calls != null && calls.isEmpty() ? rest.without("tool_calls") : rest;
    Json.Arr details = rest.list(DETAILS);
    if (details == null || details.stream().noneMatch(ChatRoundTripProperties::isRun)) {
      return rest;
    }
    List<Json> remaining = details.stream().filter(detail -> !isRun(detail)).toList();
    return remaining.isEmpty() ? rest.without(DETAILS) : rest.with(DETAILS, Json.array(remaining));
  }

  private static boolean isRun(Json detail) {
    return "reasoning.server_tool_call".equals(((Json.Obj) detail).text("type"));
  }

  private static boolean isAssistant(Json.Obj message) {
    return "assistant".equals(message.text("role"));
  }

  /** Asserts that neither the gateway's own tools are sent nor a choice that names one. */
  private static void assertTools(Json.Obj body, Json.Obj sent) {
    List<Json> functions = functions(body);
    assertThat(sent.has("tools")).isEqualTo(!functions.isEmpty());
    for (int i = 0; i < functions.size(); i++) {
      assertSameBytes(list(sent, "tools").get(i), functions.get(i), "a tool");
    }
    Json choice = body.get("tool_choice");
    boolean isSent =
        !functions.isEmpty()
            && choice != null
            && !(choice instanceof Json.Obj one && !"function".equals(one.text("type")));
    assertSameBytes(sent.get("tool_choice"), isSent ? choice : null, "tool_choice");
    Json parallel = functions.isEmpty() ? null : body.get("parallel_tool_calls");
    assertSameBytes(sent.get("parallel_tool_calls"), parallel, "parallel_tool_calls");
  }

  private static List<Json> functions(Json.Obj body) {
    Json.Arr tools = body.list("tools");
    return tools == null
        ? List.of()
        : tools.stream().filter(t -> "function".equals(((Json.Obj) t).text("type"))).toList();
  }

  private static void assertRewritten(Json.Obj body, Json.Obj sent) {
    assertThat(sent.text("model")).isEqualTo("their-name");
    long limit = body.longValue("max_completion_tokens", body.longValue("max_tokens", 0));
    assertThat(sent.longValue("max_tokens", 0) + sent.longValue("max_completion_tokens", 0))
        .isEqualTo(limit);
    String tier = body.text("service_tier");
    boolean isReplaced = tier != null && List.of("fast", "priority", "flex").contains(tier);
    assertSameBytes(
        sent.get("service_tier"), isReplaced ? null : body.get("service_tier"), "service_tier");
    Json.Obj options = sent.object("stream_options");
    boolean streaming = Json.TRUE.equals(body.get("stream"));
    assertThat(options == null ? null : options.get("include_usage"))
        .isEqualTo(streaming ? Json.TRUE : null);
  }

  @Property
  @Label("has the same content when every message, part and tool is written again")
  void content(@ForAll("bodies") Json.Obj made, @ForAll Random random) {
    InferenceRequest request = decoded(spaced(made, random));
    Json.Obj sent = sent(WithoutSource.of(request));
    Json.Obj copied = sent(request);
    assertThat(sent.without("messages")).isEqualTo(copied.without("messages"));
    Json.Arr before = list(copied, "messages");
    Json.Arr after = list(sent, "messages");
    assertThat(after).hasSize(before.size());
    for (int i = 0; i < before.size(); i++) {
      assertThat(withoutReasoning((Json.Obj) after.get(i)))
          .isEqualTo(withoutReasoning(rewritten((Json.Obj) before.get(i))));
    }
    assertSameReasoning(sent, copied);
  }

  /** Returns a message without its reasoning, which can be written in several ways. */
  private static Json.Obj withoutReasoning(Json.Obj message) {
    return message.without("reasoning").without(DETAILS);
  }

  private static void assertSameReasoning(Json.Obj sent, Json.Obj copied) {
    List<Message> made = WithoutSource.of(decoded(sent)).messages();
    List<Message> read = WithoutSource.of(decoded(copied)).messages();
    for (int i = 0; i < read.size(); i++) {
      assertThat(reasoningAndRefusals(made.get(i))).isEqualTo(reasoningAndRefusals(read.get(i)));
    }
  }

  /** Returns the reasoning and the refusals of a message, without the runs of server tools. */
  private static List<Part> reasoningAndRefusals(Message message) {
    return message.parts().stream()
        .filter(part -> part instanceof Part.Thinking || part instanceof Part.Refusal)
        .toList();
  }

  /**
   * Returns a message as it is written anew: without an empty list of calls, with {} for no
   * arguments, and with the new type of a video.
   */
  private static Json.Obj rewritten(Json.Obj message) {
    Json.Arr calls = message.list("tool_calls");
    boolean none = isAssistant(message) && calls != null && calls.isEmpty();
    Json.Obj kept = none ? message.without("tool_calls") : withArguments(message);
    Json.Arr parts = kept.list("content");
    if (parts == null) {
      return kept;
    }
    var current = new ArrayList<Json>();
    for (Json part : parts) {
      Json.Obj one = (Json.Obj) part;
      boolean old = "input_video".equals(one.text("type"));
      current.add(old ? one.with("type", Json.of("video_url")) : one);
    }
    return kept.with("content", Json.array(current));
  }

  private static Json.Obj withArguments(Json.Obj message) {
    Json.Arr calls = isAssistant(message) ? message.list("tool_calls") : null;
    return calls == null
        ? message
        : message.with(
            "tool_calls",
            Json.array(calls.stream().map(ChatRoundTripProperties::callWithArguments).toList()));
  }

  private static Json callWithArguments(Json call) {
    Json.Obj one = (Json.Obj) call;
    Json.Obj function = Objects.requireNonNull(one.object("function"));
    boolean none = Objects.requireNonNull(function.text("arguments")).isBlank();
    return none ? one.with("function", function.with("arguments", Json.of("{}"))) : one;
  }

  private static Json.Obj spaced(Json.Obj made, Random random) {
    return TestJson.parse(
        new UnusualJsonWriter(random).write(made).getBytes(StandardCharsets.UTF_8));
  }

  private static void assertSameBytes(@Nullable Json actual, @Nullable Json expected, String what) {
    assertThat(actual == null ? null : actual.toBytes())
        .as(what)
        .isEqualTo(expected == null ? null : expected.toBytes());
  }

  private static Json.Arr list(Json.Obj object, String name) {
    return Objects.requireNonNull(object.list(name), name);
  }

  private static InferenceRequest decoded(Json.Obj body) {
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  /** Returns the body for an endpoint that supports every parameter. */
  private static Json.Obj sent(InferenceRequest request) {
    Endpoint endpoint =
        Given.endpoint("alpha", "lab/model", "1").toBuilder()
            .upstreamModel("their-name")
            .parameters(Parameter.ALL)
            .build();
    var call =
        new Call(
            endpoint,
            Credential.NONE,
            GatewayMembers.removeFrom(request, null),
            0,
            null,
            Duration.ofSeconds(30),
            new Cancellation());
    return TestJson.parse(ChatRequestWriter.of(call).toByteArray());
  }
}
