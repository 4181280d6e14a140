package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.chat;
import static io.strowger.providers.messages.MessagesTestRequest.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A request for reasoning")
class ThinkingPlanTest {
  private static final String CALL_AND_RESULT =
      "{'role':'assistant','content':null,'tool_calls':[{'id':'c1','type':'function',"
          + "'function':{'name':'look','arguments':'{}'}}]},"
          + "{'role':'tool','tool_call_id':'c1','content':'x'}";

  private static MessagesTestRequest requesting(String reasoning, int limit) {
    return chat(HI, "'reasoning':" + reasoning, "'max_tokens':" + limit);
  }

  @Proves({"routing.variant.budget", "translation.request.reasoning"})
  @Test
  @DisplayName("becomes a token budget; an effort becomes a share of max_tokens")
  void effort() {
    assertThat(requesting("{'effort':'high'}", 10000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':8000}");
    assertThat(requesting("{'max_tokens':2000}", 10000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':2000}");
    assertThat(requesting("{'max_tokens':2000}", 10000).reasoning(false, false).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':2000}");
  }

  @Proves("routing.variant.budget")
  @ParameterizedTest
  @CsvSource({
    "max, 10000, 9500",
    "xhigh, 10000, 9500",
    "high, 10000, 8000",
    "medium, 10000, 5000",
    "low, 10000, 2000",
    "minimal, 20000, 2000",
    "minimal, 10000, 1024",
    "high, 200000, 128000",
    "high, 160000, 128000",
    "high, 159990, 127992",
  })
  @DisplayName("becomes a budget of 95, 80, 50, 20 or 10 %, from 1,024 to 128,000")
  void shares(String effort, int limit, int budget) {
    assertThat(requesting("{'effort':'" + effort + "'}", limit).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':" + budget + "}");
  }

  @Proves({"routing.variant.budget", "translation.case.23"})
  @Test
  @DisplayName("Case 23: has a budget below the limit and of at least 1,024, or none")
  void clamped() {
    MessagesTestRequest aboveLimit = requesting("{'max_tokens':9000}", 3000);
    assertThat(aboveLimit.member("thinking")).isEqualTo("{'type':'enabled','budget_tokens':2999}");
    assertThat(aboveLimit.lost()).containsExactly("~reasoning");
    assertThat(requesting("{'effort':'minimal'}", 1025).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':1024}");
    MessagesTestRequest smallLimit = requesting("{'effort':'high'}", 1024);
    assertThat(smallLimit.member("thinking")).isEqualTo("absent");
    assertThat(smallLimit.lost()).containsExactly("-reasoning");
  }

  @Proves({"translation.request.temperature", "translation.case.23"})
  @Test
  @DisplayName("Case 23: drops temperature and top_k, and raises top_p to 0.95")
  void sampling() {
    MessagesTestRequest request =
        chat(
            HI,
            "'reasoning':{'effort':'low'}",
            "'max_tokens':9000",
            "'temperature':1",
            "'top_k':2",
            "'top_p':0.5");
    assertThat(request.written())
        .contains("'top_p':0.95")
        .doesNotContain("temperature")
        .doesNotContain("top_k");
    assertThat(request.lost()).containsExactlyInAnyOrder("-temperature", "-top_k", "~top_p");
  }

  @Proves({"routing.variant.nearest-effort", "translation.request.reasoning"})
  @Test
  @DisplayName("becomes adaptive with the nearest effort for a model that supports only efforts")
  void adaptive() {
    MessagesTestRequest high =
        requesting("{'effort':'high'}", 9000).reasoning(false, false, "low", "high");
    assertThat(high.member("thinking")).isEqualTo("{'type':'adaptive'}");
    assertThat(high.member("output_config")).isEqualTo("{'effort':'high'}");
    MessagesTestRequest medium =
        requesting("{'effort':'medium'}", 9000).reasoning(false, false, "low", "high");
    assertThat(medium.member("output_config")).isEqualTo("{'effort':'low'}");
    assertThat(medium.lost()).containsExactly("~reasoning");
    MessagesTestRequest budget =
        requesting("{'max_tokens':5000}", 10000).reasoning(false, false, "low", "high");
    assertThat(budget.member("output_config")).isEqualTo("{'effort':'low'}");
  }

  @Test
  @DisplayName("for no reasoning turns it off, or becomes the least effort if it is mandatory")
  void off() {
    assertThat(requesting("{'effort':'none'}", 9000).member("thinking"))
        .isEqualTo("{'type':'disabled'}");
    MessagesTestRequest mandatory =
        requesting("{'effort':'none'}", 9000).reasoning(true, false, "low", "high");
    assertThat(mandatory.member("thinking")).isEqualTo("{'type':'adaptive'}");
    assertThat(mandatory.member("output_config")).isEqualTo("{'effort':'low'}");
    assertThat(mandatory.lost()).contains("~reasoning");
  }

  @Test
  @DisplayName(
      "asks the upstream to omit the text if the caller excludes reasoning from the answer")
  void hidden() {
    assertThat(requesting("{'effort':'low','exclude':true}", 9000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':1800,'display':'omitted'}");
  }

  @Proves("translation.case.4")
  @Test
  @DisplayName(
      "Case 4: is turned off if the last message with tool calls does not begin with a thinking"
          + " block")
  void missingThought() {
    MessagesTestRequest request =
        chat(HI + "," + CALL_AND_RESULT, "'reasoning':{'effort':'high'}", "'max_tokens':9000");
    assertThat(request.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(request.lost()).contains("~reasoning");
    String own =
        "{'role':'assistant','content':[{'type':'tool_use','id':'c1','name':'l','input':{}}]},"
            + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1'}]}";
    MessagesTestRequest same =
        messages(HI + "," + own, "'thinking':{'type':'enabled','budget_tokens':2000}");
    assertThat(same.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(same.lost()).contains("~reasoning");
  }

  private static MessagesTestRequest withThoughts(Part.Thinking... thoughts) {
    MessagesTestRequest request =
        chat(HI + "," + CALL_AND_RESULT, "'reasoning':{'effort':'high'}", "'max_tokens':9000");
    List<Message> messages = new ArrayList<>(request.decoded().messages());
    Message called = messages.get(1);
    var parts = new ArrayList<Part>(List.of(thoughts));
    parts.addAll(called.parts());
    messages.set(1, called.withParts(parts));
    return request.with(request.decoded().toBuilder().messages(messages).build());
  }

  private static Part.Thinking thinking(
      Part.Thinking.Kind kind, String text, @Nullable String signature, String format) {
    return new Part.Thinking(
        kind,
        Json.of(text),
        signature == null ? null : Json.of(signature),
        format,
        null,
        Json.Obj.EMPTY,
        null);
  }

  @Proves("translation.case.5")
  @Test
  @DisplayName("Case 5: sends back a signed thinking block without text, and keeps reasoning on")
  void signedAndEmpty() {
    MessagesTestRequest request =
        withThoughts(thinking(Part.Thinking.Kind.TEXT, "", "sig", MessagesCodec.FORMAT));
    assertThat(request.member("messages"))
        .contains("[{'type':'thinking','thinking':'','signature':'sig'},{'type':'tool_use'");
    assertThat(request.member("thinking")).startsWith("{'type':'enabled'");
  }

  @Proves("translation.case.6")
  @Test
  @DisplayName("Case 6: sends thinking blocks back in order, each with its own signature")
  void order() {
    assertThat(
            withThoughts(
                    thinking(Part.Thinking.Kind.TEXT, "a", "s1", MessagesCodec.FORMAT),
                    thinking(Part.Thinking.Kind.ENCRYPTED, "data", null, MessagesCodec.FORMAT),
                    thinking(Part.Thinking.Kind.TEXT, "b", "s2", MessagesCodec.FORMAT))
                .member("messages"))
        .contains(
            "[{'type':'thinking','thinking':'a','signature':'s1'},"
                + "{'type':'redacted_thinking','data':'data'},"
                + "{'type':'thinking','thinking':'b','signature':'s2'},{'type':'tool_use'");
  }

  @Test
  @DisplayName("sends back no thinking block of another vendor, and none without a signature")
  void foreign() {
    MessagesTestRequest request =
        withThoughts(
            thinking(Part.Thinking.Kind.TEXT, "secret", "s1", "google-gemini-v1"),
            thinking(Part.Thinking.Kind.TEXT, "unsigned", null, MessagesCodec.FORMAT));
    assertThat(request.written()).doesNotContain("secret").doesNotContain("unsigned");
    assertThat(request.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(request.lost()).contains("-reasoning");
  }
}
