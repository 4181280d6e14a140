package io.strowger.providers.messages;

import static io.strowger.providers.messages.Asked.HI;
import static io.strowger.providers.messages.Asked.chat;
import static io.strowger.providers.messages.Asked.messages;
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

@DisplayName("A wish for reasoning")
class ThinkingPlanTest {
  private static final String CALLED =
      "{'role':'assistant','content':null,'tool_calls':[{'id':'c1','type':'function',"
          + "'function':{'name':'look','arguments':'{}'}}]},"
          + "{'role':'tool','tool_call_id':'c1','content':'x'}";

  private static Asked wishing(String reasoning, int limit) {
    return chat(HI, "'reasoning':" + reasoning, "'max_tokens':" + limit);
  }

  @Proves({"routing.variant.budget", "translation.request.reasoning"})
  @Test
  @DisplayName("becomes a budget: an effort its share of the limit")
  void effort() {
    assertThat(wishing("{'effort':'high'}", 10000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':8000}");
    assertThat(wishing("{'max_tokens':2000}", 10000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':2000}");
    assertThat(wishing("{'max_tokens':2000}", 10000).reasoning(false, false).member("thinking"))
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
    assertThat(wishing("{'effort':'" + effort + "'}", limit).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':" + budget + "}");
  }

  @Proves({"routing.variant.budget", "translation.case.23"})
  @Test
  @DisplayName("Case 23: its budget is below the limit and at least 1,024, or there is none")
  void clamped() {
    Asked much = wishing("{'max_tokens':9000}", 3000);
    assertThat(much.member("thinking")).isEqualTo("{'type':'enabled','budget_tokens':2999}");
    assertThat(much.lost()).containsExactly("~reasoning");
    assertThat(wishing("{'effort':'minimal'}", 1025).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':1024}");
    Asked little = wishing("{'effort':'high'}", 1024);
    assertThat(little.member("thinking")).isEqualTo("absent");
    assertThat(little.lost()).containsExactly("-reasoning");
  }

  @Proves({"translation.request.temperature", "translation.case.23"})
  @Test
  @DisplayName("Case 23: and without temperature and top_k, with top_p from 0.95")
  void sampling() {
    Asked asked =
        chat(
            HI,
            "'reasoning':{'effort':'low'}",
            "'max_tokens':9000",
            "'temperature':1",
            "'top_k':2",
            "'top_p':0.5");
    assertThat(asked.written())
        .contains("'top_p':0.95")
        .doesNotContain("temperature")
        .doesNotContain("top_k");
    assertThat(asked.lost()).containsExactlyInAnyOrder("-temperature", "-top_k", "~top_p");
  }

  @Proves({"routing.variant.nearest-effort", "translation.request.reasoning"})
  @Test
  @DisplayName("becomes adaptive with the nearest effort where a model knows only efforts")
  void adaptive() {
    Asked high = wishing("{'effort':'high'}", 9000).reasoning(false, false, "low", "high");
    assertThat(high.member("thinking")).isEqualTo("{'type':'adaptive'}");
    assertThat(high.member("output_config")).isEqualTo("{'effort':'high'}");
    Asked medium = wishing("{'effort':'medium'}", 9000).reasoning(false, false, "low", "high");
    assertThat(medium.member("output_config")).isEqualTo("{'effort':'low'}");
    assertThat(medium.lost()).containsExactly("~reasoning");
    Asked budget = wishing("{'max_tokens':5000}", 10000).reasoning(false, false, "low", "high");
    assertThat(budget.member("output_config")).isEqualTo("{'effort':'low'}");
  }

  @Test
  @DisplayName("for none is told, or becomes the least where a model cannot but think")
  void off() {
    assertThat(wishing("{'effort':'none'}", 9000).member("thinking"))
        .isEqualTo("{'type':'disabled'}");
    Asked must = wishing("{'effort':'none'}", 9000).reasoning(true, false, "low", "high");
    assertThat(must.member("thinking")).isEqualTo("{'type':'adaptive'}");
    assertThat(must.member("output_config")).isEqualTo("{'effort':'low'}");
    assertThat(must.lost()).contains("~reasoning");
  }

  @Test
  @DisplayName("to have it but not to see it leaves the signature and no text")
  void hidden() {
    assertThat(wishing("{'effort':'low','exclude':true}", 9000).member("thinking"))
        .isEqualTo("{'type':'enabled','budget_tokens':1800,'display':'omitted'}");
  }

  @Proves("translation.case.4")
  @Test
  @DisplayName("Case 4: is off where the last turn with calls does not begin with its thought")
  void unproven() {
    Asked asked = chat(HI + "," + CALLED, "'reasoning':{'effort':'high'}", "'max_tokens':9000");
    assertThat(asked.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(asked.lost()).contains("~reasoning");
    String own =
        "{'role':'assistant','content':[{'type':'tool_use','id':'c1','name':'l','input':{}}]},"
            + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1'}]}";
    Asked same = messages(HI + "," + own, "'thinking':{'type':'enabled','budget_tokens':2000}");
    assertThat(same.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(same.lost()).contains("~reasoning");
  }

  private static Asked thought(Part.Thinking... thoughts) {
    Asked asked = chat(HI + "," + CALLED, "'reasoning':{'effort':'high'}", "'max_tokens':9000");
    List<Message> messages = new ArrayList<>(asked.request().messages());
    Message called = messages.get(1);
    var parts = new ArrayList<Part>(List.of(thoughts));
    parts.addAll(called.parts());
    messages.set(1, called.withParts(parts));
    return asked.with(asked.request().toBuilder().messages(messages).build());
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
  @DisplayName("Case 5: a signed thought that says nothing goes back, and thinking stays on")
  void signedAndEmpty() {
    Asked asked = thought(thinking(Part.Thinking.Kind.TEXT, "", "sig", MessagesCodec.FORMAT));
    assertThat(asked.member("messages"))
        .contains("[{'type':'thinking','thinking':'','signature':'sig'},{'type':'tool_use'");
    assertThat(asked.member("thinking")).startsWith("{'type':'enabled'");
  }

  @Proves("translation.case.6")
  @Test
  @DisplayName("Case 6: thoughts go back in their order, each with its own signature")
  void order() {
    assertThat(
            thought(
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
  @DisplayName("never sends a thought of another vendor, or one without a signature")
  void foreign() {
    Asked asked =
        thought(
            thinking(Part.Thinking.Kind.TEXT, "secret", "s1", "google-gemini-v1"),
            thinking(Part.Thinking.Kind.TEXT, "unsigned", null, MessagesCodec.FORMAT));
    assertThat(asked.written()).doesNotContain("secret").doesNotContain("unsigned");
    assertThat(asked.member("thinking")).isEqualTo("{'type':'disabled'}");
    assertThat(asked.lost()).contains("-reasoning");
  }
}
