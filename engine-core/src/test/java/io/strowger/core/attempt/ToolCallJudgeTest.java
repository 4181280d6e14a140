package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The tool calls of an answer")
class ToolCallJudgeTest {
  private static final Tool LOOKUP = new Tool.Function("lookup", null, null, Json.Obj.EMPTY, null);

  private static ToolCallJudge judge(Tool... tools) {
    return new ToolCallJudge(
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).tools(List.of(tools)).build(),
        new JacksonCodec());
  }

  private static Event.ToolCallDelta delta(int index, @Nullable String name, String arguments) {
    return new Event.ToolCallDelta(
        index, name == null ? null : "id", name, Json.of(arguments), null);
  }

  private static boolean isBad(String name, String arguments) {
    ToolCallJudge judge = judge(LOOKUP);
    judge.add(delta(0, name, arguments));
    return judge.hasBadCall();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"a\":1}", " [] ", "null", "{\"a\":{\"b\":[\"\\u00e9\"]}}"})
  @DisplayName("are good if their arguments are JSON and their names were declared")
  void good(String arguments) {
    assertThat(isBad("lookup", arguments)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  @DisplayName("Case 19: are good with empty arguments, which count as none")
  void noArguments(String arguments) {
    assertThat(isBad("lookup", arguments)).isFalse();
  }

  @Proves("routing.exacto.bad-calls")
  @ParameterizedTest
  @ValueSource(strings = {"{", "{'a':1}", "{\"a\":1}}", "{\"a\":1,\"a\":2}", "lookup"})
  @DisplayName("are bad if the arguments of one are not JSON")
  void notJson(String arguments) {
    assertThat(isBad("lookup", arguments)).isTrue();
  }

  @Proves("routing.exacto.bad-calls")
  @ParameterizedTest
  @ValueSource(strings = {"Lookup", "lookups", ""})
  @DisplayName("are bad if the name of one was not declared")
  void unknownName(String name) {
    assertThat(isBad(name, "{}")).isTrue();
  }

  @Proves("routing.exacto.EX-3")
  @Test
  @DisplayName("are bad if one of five is bad (EX-3)")
  void oneOfFive() {
    ToolCallJudge judge = judge(LOOKUP);
    for (int i = 0; i < 5; i++) {
      judge.add(delta(i, "lookup", "{\"n\":"));
      judge.add(delta(i, null, i == 3 ? "oops}" : i + "}"));
    }
    assertThat(judge.hasBadCall()).isTrue();
  }

  @Test
  @DisplayName("are assembled from their deltas, even if those of several calls are mixed")
  void mixed() {
    ToolCallJudge judge = judge(LOOKUP);
    judge.add(delta(1, "lookup", "{\"a\""));
    judge.add(delta(0, "lookup", "["));
    judge.add(delta(1, null, ":1}"));
    judge.add(delta(0, null, "]"));
    assertThat(judge.hasBadCall()).isFalse();
  }

  @Test
  @DisplayName("are not judged by name if a tool was declared whose functions only upstreams know")
  void otherTools() {
    ToolCallJudge judge = judge(LOOKUP, new Tool.Unknown("custom", Json.Obj.EMPTY));
    judge.add(delta(0, "whatever", "{}"));
    assertThat(judge.hasBadCall()).isFalse();
    judge.add(delta(1, "whatever", "{"));
    assertThat(judge.hasBadCall()).isTrue();
  }

  @Test
  @DisplayName("are not judged by arguments longer than a megabyte")
  void tooLong() {
    ToolCallJudge judge = judge(LOOKUP);
    judge.add(delta(0, "lookup", "\"" + "x".repeat(1 << 20)));
    assertThat(judge.hasBadCall()).isFalse();
  }

  @Test
  @DisplayName("of an answer without streaming are judged in the same way")
  void whole() {
    for (boolean bad : new boolean[] {false, true}) {
      ToolCallJudge judge = judge(LOOKUP);
      var call =
          new Part.ToolCall(
              "id", "lookup", new Arguments.Text(Json.of(bad ? "{" : "{}")), Json.Obj.EMPTY, null);
      judge.add(
          new Answer(
              List.of(new Part.Text("hm"), call),
              StopReason.TOOL_CALLS,
              null,
              null,
              Dialect.CHAT,
              null));
      assertThat(judge.hasBadCall()).isEqualTo(bad);
    }
  }

  @Test
  @DisplayName("are good if there are none")
  void none() {
    assertThat(judge().hasBadCall()).isFalse();
  }
}
