package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.PluginGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.plugins.contextcompression.ContextCompressionProvider;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A long conversation")
class ContextCompressionPathsTest {
  private static final String MODELS =
      """
      [{'id':'acme/small','endpoints':[{'provider':'alpha','upstream_model':'m','context_length':1000,
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]},
       {'id':'acme/large','endpoints':[{'provider':'alpha','upstream_model':'m','context_length':9000,
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]}]
      """;

  private static PluginGateway gateway() {
    var gateway =
        new PluginGateway(MODELS, "{}", Plugins.none().add(new ContextCompressionProvider()));
    gateway.upstream.script("m", Script.answer("fine"));
    return gateway;
  }

  /**
   * Returns a body with turns of about 50 tokens each, and one call with its result in the middle.
   */
  private static String body(String path, String model, int turns, String members) {
    var conversation = new ArrayList<String>();
    for (int i = 0; i < turns; i++) {
      String text = "n" + i + " " + "x".repeat(196);
      if (i == turns / 2) {
        conversation.add(
            switch (path) {
              case "/messages" ->
                  "{'role':'assistant','content':[{'type':'tool_use','id':'c1','name':'f','input':{}}]},"
                      + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1','content':'r'}]}";
              case "/responses" ->
                  "{'type':'function_call','call_id':'c1','name':'f','arguments':'{}'},"
                      + "{'type':'function_call_output','call_id':'c1','output':'r'}";
              default ->
                  "{'role':'assistant','tool_calls':[{'id':'c1','type':'function','function':{'name':'f','arguments':'{}'}}]},"
                      + "{'role':'tool','tool_call_id':'c1','content':'r'}";
            });
      }
      conversation.add(
          "{'role':'%s','content':'%s'}".formatted(i % 2 == 0 ? "user" : "assistant", text));
    }
    String rules =
        switch (path) {
          case "/messages" -> "'system':'the rules','max_tokens':100";
          case "/responses" -> "'instructions':'the rules'";
          default -> "'max_tokens':100";
        };
    if (path.equals("/chat/completions")) {
      conversation.addFirst("{'role':'system','content':'the rules'}");
    }
    return "{'model':'%s','%s':[%s],%s%s}"
        .formatted(
            model,
            path.equals("/responses") ? "input" : "messages",
            String.join(",", conversation),
            rules,
            members)
        .replace('\'', '"');
  }

  private static List<String> sent(Json.Obj body) {
    return Objects.requireNonNull(body.list("messages")).stream().map(Object::toString).toList();
  }

  @Proves("plugins.other.compression.default")
  @AtEveryPathAndStreaming
  @DisplayName(
      "Row 9 default on: is sent to a model of small context without its middle, even if the"
          + " request does not ask for that")
  void unasked(String path, boolean stream) throws IOException {
    try (var gateway = gateway()) {
      TestResponse response =
          gateway.post(path, body(path, "acme/small", 31, ",'stream':" + stream));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      List<String> sent = sent(gateway.upstreamBodies().getFirst());
      assertThat(sent.getFirst()).contains("the rules");
      assertThat(sent.get(1)).contains("n0 x");
      assertThat(sent.getLast()).contains("n30 x");
      assertThat(sent.toString()).doesNotContain("n15 x").doesNotContain("c1");
      assertThat(sent.toString().length()).isBetween(2500, 4500);
      assertThat(response.text())
          .contains("\"context_compression\"")
          .contains("\"engine\":\"middle-out\"")
          .contains("\"input_type\":\"messages\"")
          .contains("\"original_count\":");
      assertThat(gateway.account().settled().credits().nanos()).isPositive();
    }
  }

  @Proves({"plugins.other.compression.default", "plugins.other.compression.off"})
  @AtEveryPath
  @DisplayName(
      "Row 9 off and too long: is refused if compression is switched off, with advice to use the"
          + " plugin")
  void off(String path) throws IOException {
    try (var gateway = gateway()) {
      String off = ",'plugins':[{'id':'context-compression','enabled':false}]";
      TestResponse response = gateway.post(path, body(path, "acme/small", 31, off));
      assertThat(response.status()).isEqualTo(404);
      assertThat(response.text()).contains("context-compression").contains("has a context of 1000");
      assertThat(gateway.upstreamBodies()).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "is sent to a model of large context without its middle only if the request asks for that")
  void large() throws IOException {
    try (var gateway = gateway()) {
      String path = "/chat/completions";
      TestResponse refused = gateway.post(path, body(path, "acme/large", 201, ""));
      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.text()).contains("context-compression");
      String on = ",'plugins':[{'id':'context-compression'}]";
      TestResponse response = gateway.post(path, body(path, "acme/large", 201, on));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(sent(gateway.upstreamBodies().getFirst()).toString()).doesNotContain("n100 x");
    }
  }

  @Proves("plugins.other.compression.model")
  @Test
  @DisplayName(
      "Row 9 model choice: goes to the first model with half of the context that it needs, and is"
          + " not shortened if it fits there")
  void halfOfWhatIsNeeded() throws IOException {
    try (var gateway = gateway()) {
      String body =
          body("/chat/completions", "acme/small", 61, ",'models':['acme/small','acme/large']")
              .replace("\"model\":\"acme/small\",", "");
      TestResponse response = gateway.post("/chat/completions", body);
      assertThat(response.json().text("model")).as(response.text()).isEqualTo("acme/large");
      assertThat(sent(gateway.upstreamBodies().getFirst())).hasSize(64);
      assertThat(response.text()).doesNotContain("context_compression");
    }
  }

  @Test
  @DisplayName("that cannot be shortened enough is refused before anything is sent")
  void never() throws IOException {
    try (var gateway = gateway()) {
      String body =
          "{'model':'acme/small','messages':[{'role':'system','content':'%s'},{'role':'user','content':'hi'}]}"
              .formatted("r".repeat(7000))
              .replace('\'', '"');
      TestResponse response = gateway.post("/chat/completions", body);
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).contains("context_length_exceeded").contains("of 1000 tokens");
      assertThat(gateway.upstreamBodies()).isEmpty();
    }
  }

  @Test
  @DisplayName("that fits is sent unchanged, and the answer does not mention compression")
  void fits() throws IOException {
    try (var gateway = gateway()) {
      TestResponse response =
          gateway.post("/chat/completions", body("/chat/completions", "acme/small", 5, ""));
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.text()).doesNotContain("context_compression");
      assertThat(sent(gateway.upstreamBodies().getFirst())).hasSize(8);
    }
  }
}
