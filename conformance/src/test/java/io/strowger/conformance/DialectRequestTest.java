package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectMatrixTest.Cell;
import io.strowger.simulated.Script;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what upstreams get of requests with many members. Translation fact sheet, section 1. */
@DisplayName("A request of any dialect")
class DialectRequestTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static Stream<Cell> cells() {
    return DialectMatrixTest.whole();
  }

  private JsonNode sent(Cell cell, ObjectNode request) {
    gateway.upstream.script("large", Script.answer("Fine."));
    request.put("model", "acme/" + cell.upstream().slug());
    assertThat(gateway.post(cell.client(), request).content().text()).isEqualTo("Fine.");
    return gateway.sent();
  }

  private static JsonNode json(String text) {
    return DialectClient.json(text);
  }

  /**
   * Returns instructions, a question, an answer and another question, in the form of the caller's
   * dialect.
   */
  private static ObjectNode conversation(DialectClient client) {
    return (ObjectNode)
        switch (client) {
          case CHAT ->
              json(
                  """
                  {'messages':[{'role':'system','content':'Be brief.'},{'role':'developer','content':'Be kind.'},
                    {'role':'user','content':'one'},{'role':'user','content':[{'type':'text','text':'two'},{'type':'text','text':''}]},
                    {'role':'assistant','content':'three'},{'role':'user','content':'four'}],
                   'stop':['END'],'temperature':0.5}\
                  """);
          case MESSAGES ->
              json(
                  """
                  {'system':[{'type':'text','text':'Be brief.'},{'type':'text','text':'Be kind.'}],
                   'messages':[{'role':'user','content':'one'},{'role':'user','content':[{'type':'text','text':'two'},{'type':'text','text':''}]},
                    {'role':'assistant','content':'three'},{'role':'user','content':'four'}],
                   'stop_sequences':['END'],'temperature':0.5}\
                  """);
          case RESPONSES ->
              json(
                  """
                  {'instructions':'Be brief.','input':[{'role':'developer','content':'Be kind.'},
                    {'role':'user','content':'one'},{'role':'user','content':[{'type':'input_text','text':'two'},{'type':'input_text','text':''}]},
                    {'type':'message','id':'msg_1','role':'assistant','status':'completed','content':[{'type':'output_text','text':'three','annotations':[]}]},
                    {'role':'user','content':'four'}],
                   'temperature':0.5}\
                  """);
        };
  }

  @Proves({
    "translation.request.system",
    "translation.request.user-turn",
    "translation.request.assistant",
    "translation.request.text"
  })
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("keeps its texts, their order and their roles")
  void conversation(Cell cell) {
    JsonNode sent = sent(cell, conversation(cell.client()));
    assertThat(sent.toString())
        .containsSubsequence("\"one\"", "\"two\"", "\"three\"", "\"four\"")
        .contains("Be brief.", "Be kind.");
    if (!cell.upstream().speaks(cell.client())) {
      assertThat(sent.toString()).doesNotContain("\"text\":\"\"");
    }
    switch (cell.upstream()) {
      case CHAT -> assertThat(roles(sent.path("messages"))).endsWith("user", "assistant", "user");
      case RESPONSES -> assertThat(roles(sent.path("input"))).endsWith("user", "assistant", "user");
      case MESSAGES -> {
        assertThat(roles(sent.path("messages"))).endsWith("user", "assistant", "user");
        assertThat(sent.path("system").toString()).contains("Be brief.", "Be kind.");
      }
      case GEMINI -> {
        assertThat(roles(sent.path("contents"))).containsExactly("user", "model", "user");
        assertThat(sent.path("systemInstruction").toString()).contains("Be brief.", "Be kind.");
      }
    }
  }

  @Proves("messages.member.max_tokens")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "that limits no output is sent without a limit, unless the upstream's dialect demands one")
  void unlimited(Cell cell) {
    ObjectNode request = conversation(cell.client());
    request.remove("max_tokens");
    JsonNode sent = sent(cell, request);
    if (cell.upstream() == DialectUpstream.MESSAGES) {
      assertThat(sent.path("max_tokens").asInt()).isEqualTo(32_000); // the maximum of its endpoint
    } else {
      assertThat(sent.toString())
          .doesNotContain(
              "max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens");
    }
  }

  private static List<String> roles(JsonNode turns) {
    var roles = new ArrayList<String>();
    turns.forEach(turn -> roles.add(turn.path("role").asText()));
    return roles;
  }

  @Proves({"translation.request.tool_choice", "translation.request.parallel"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("asks for the tool it names, and for one call at a time")
  void toolChoice(Cell cell) {
    ObjectNode request = cell.client().withTool(cell.hello(), "weather");
    switch (cell.client()) {
      case CHAT -> {
        request.set("tool_choice", json("{'type':'function','function':{'name':'weather'}}"));
        request.put("parallel_tool_calls", false);
      }
      case RESPONSES -> {
        request.set("tool_choice", json("{'type':'function','name':'weather'}"));
        request.put("parallel_tool_calls", false);
      }
      case MESSAGES ->
          request.set(
              "tool_choice",
              json("{'type':'tool','name':'weather','disable_parallel_tool_use':true}"));
    }
    JsonNode sent = sent(cell, request);
    String expected =
        switch (cell.upstream()) {
          case CHAT -> "{'type':'function','function':{'name':'weather'}}";
          case RESPONSES -> "{'type':'function','name':'weather'}";
          case MESSAGES -> "{'type':'tool','name':'weather','disable_parallel_tool_use':true}";
          case GEMINI -> "{'mode':'ANY','allowedFunctionNames':['weather']}";
        };
    JsonNode choice =
        cell.upstream() == DialectUpstream.GEMINI
            ? sent.at("/toolConfig/functionCallingConfig")
            : sent.path("tool_choice");
    assertThat(choice).isEqualTo(json(expected));
    if (cell.upstream() == DialectUpstream.CHAT || cell.upstream() == DialectUpstream.RESPONSES) {
      assertThat(sent.path("parallel_tool_calls")).isEqualTo(json("false"));
    }
  }

  @Proves("translation.request.stop")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("keeps its stop sequences if both dialects have them")
  void stop(Cell cell) {
    JsonNode sent = sent(cell, conversation(cell.client()));
    boolean hasStop = cell.client() != DialectClient.RESPONSES;
    JsonNode stop =
        switch (cell.upstream()) {
          case CHAT -> sent.path("stop");
          case RESPONSES -> sent.path("stop");
          case MESSAGES -> sent.path("stop_sequences");
          case GEMINI -> sent.at("/generationConfig/stopSequences");
        };
    if (hasStop && cell.upstream() != DialectUpstream.RESPONSES) {
      assertThat(stop).isEqualTo(json("['END']"));
    } else {
      assertThat(stop.isMissingNode()).isTrue();
    }
    JsonNode temperature =
        cell.upstream() == DialectUpstream.GEMINI
            ? sent.at("/generationConfig/temperature")
            : sent.path("temperature");
    assertThat(temperature.asDouble()).isEqualTo(0.5);
  }

  @Proves("translation.request.pdf")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("passes a document on")
  void document(Cell cell) {
    String data = "JVBERi0xLjQK";
    ObjectNode request = cell.hello();
    String part =
        switch (cell.client()) {
          case CHAT ->
              "{'type':'file','file':{'filename':'a.pdf','file_data':'data:application/pdf;base64,%s'}}";
          case RESPONSES ->
              "{'type':'input_file','filename':'a.pdf','file_data':'data:application/pdf;base64,%s'}";
          case MESSAGES ->
              "{'type':'document','title':'a.pdf','source':{'type':'base64','media_type':'application/pdf','data':'%s'}}";
        };
    String turns = cell.client() == DialectClient.RESPONSES ? "input" : "messages";
    ((ObjectNode) request.path(turns).get(0)).putArray("content").add(json(part.formatted(data)));
    JsonNode sent = sent(cell, request);
    JsonNode document =
        switch (cell.upstream()) {
          case CHAT -> sent.at("/messages/0/content/0/file/file_data");
          case RESPONSES -> sent.at("/input/0/content/0/file_data");
          case MESSAGES -> sent.at("/messages/0/content/0/source/data");
          case GEMINI -> sent.at("/contents/0/parts/0/inlineData/data");
        };
    assertThat(document.asText()).as(sent.toString()).endsWith(data);
  }

  @Proves("translation.request.result-image")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("passes on an image that a tool returned")
  void pictureOfTool(Cell cell) {
    ObjectNode request = cell.client().withTool(cell.hello(), "camera");
    String turns =
        switch (cell.client()) {
          case CHAT ->
              "[{'role':'assistant','content':null,'tool_calls':[{'id':'c1','type':'function','function':{'name':'camera','arguments':''}}]},"
                  + "{'role':'tool','tool_call_id':'c1','content':[{'type':'text','text':'look'},{'type':'image_url','image_url':{'url':'data:image/png;base64,iVBORw0KGgo='}}]}]";
          case MESSAGES ->
              "[{'role':'assistant','content':[{'type':'tool_use','id':'c1','name':'camera','input':{}}]},"
                  + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1','is_error':true,'content':[{'type':'text','text':'look'},{'type':'image','source':{'type':'base64','media_type':'image/png','data':'iVBORw0KGgo='}}]}]}]";
          case RESPONSES ->
              "[{'type':'function_call','call_id':'c1','name':'camera','arguments':''},"
                  + "{'type':'function_call_output','call_id':'c1','output':[{'type':'input_text','text':'look'},{'type':'input_image','detail':'auto','image_url':'data:image/png;base64,iVBORw0KGgo='}]}]";
        };
    String list = cell.client() == DialectClient.RESPONSES ? "input" : "messages";
    json(turns).forEach(request.withArray(list)::add);
    JsonNode sent = sent(cell, request);
    assertThat(sent.toString()).containsSubsequence("camera", "look", "iVBORw0KGgo=");
    JsonNode result =
        switch (cell.upstream()) {
          case CHAT -> sent.at("/messages/2/content");
          case RESPONSES -> sent.at("/input/2/output");
          case MESSAGES -> sent.at("/messages/2/content/0/content");
          case GEMINI -> sent.at("/contents/2/parts/0/functionResponse/response");
        };
    assertThat(result.toString()).as(sent.toString()).contains("look");
    if (cell.client() == DialectClient.MESSAGES && cell.upstream() == DialectUpstream.CHAT) {
      assertThat(gateway.losses().getFirst().losses().toString()).contains("is_error");
    }
  }

  @Proves("translation.fate.copied")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("keeps unknown members, at every depth, only for an upstream of its own dialect")
  void unknownMembers(DialectClient client) {
    ObjectNode request = client.image(DialectUpstream.CHAT, "https://example.com/cat.png");
    client.withTool(request, "weather");
    client.withSchema(request);
    String turns = client == DialectClient.RESPONSES ? "input" : "messages";
    List<JsonNode> holders =
        List.of(
            request,
            request.path(turns).get(0),
            request.path(turns).get(0).path("content").get(0),
            request.path(turns).get(0).path("content").get(1),
            request.path("tools").get(0));
    for (int i = 0; i < holders.size(); i++) {
      ((ObjectNode) holders.get(i)).put("x_unknown_" + i, 1.50);
    }
    for (DialectUpstream upstream : DialectUpstream.values()) {
      JsonNode sent = sent(new Cell(client, upstream, false), request);
      if (upstream.speaks(client)) {
        assertThat(sent.path(turns)).isEqualTo(request.path(turns));
        assertThat(sent.path("tools")).isEqualTo(request.path("tools"));
        assertThat(sent.path("x_unknown_0")).isEqualTo(request.path("x_unknown_0"));
      } else {
        assertThat(sent.toString()).doesNotContain("x_unknown_");
        assertThat(gateway.losses().getFirst().losses().toString()).contains("x_unknown_0");
      }
    }
  }

  @Proves({"chat.user", "translation.request.user", "translation.fate.gateway-only"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("names its end user only by a hash, and loses the members that are for the gateway")
  void ownMembers(Cell cell) {
    ObjectNode request = cell.hello();
    request.put("user", "jane@example.com").put("session_id", "session-secret");
    request.set("provider", json("{'allow_fallbacks':true}"));
    request.set("trace", json("{'trace_id':'trace-secret'}"));
    request.set("metadata", json("{'user_id':'jane@example.com'}"));
    request.set("plugins", json("[{'id':'response-healing','enabled':false}]"));
    request.set("stop_server_tools_when", json("[{'type':'step_count_is','step_count':2}]"));
    request.put("max_tool_calls", 3).put("route", "fallback").put("include_reasoning", true);
    if (cell.client() == DialectClient.MESSAGES) {
      request.set("fallbacks", json("[{'model':'acme/anywhere'}]"));
    } else {
      request.set("models", json("['acme/anywhere']"));
      request.set("debug", json("{'echo_upstream_body':true}"));
    }
    JsonNode sent = sent(cell, request);
    assertThat(sent.toString()).doesNotContain("jane@", "secret", "allow_fallbacks", "anywhere");
    assertThat(sent.properties())
        .extracting(Map.Entry::getKey)
        .doesNotContain(
            "provider",
            "models",
            "fallbacks",
            "plugins",
            "route",
            "session_id",
            "trace",
            "debug",
            "stop_server_tools_when",
            "max_tool_calls");
  }

  @Proves({"routing.fallback.debug", "chat.answer.debug"})
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName(
      "goes to an upstream of another dialect if the first fails, and both bodies are echoed")
  void fallback(DialectClient client) {
    gateway.upstream.answerNextWith(Script.responding(500, Map.of(), "{}"));
    gateway.upstream.answerNextWith(Script.answer("Fine."));
    ObjectNode request = client.hello(DialectUpstream.CHAT).put("model", "acme/anywhere");
    request.put("x_down", "kept");
    if (client != DialectClient.MESSAGES) {
      request.set("debug", json("{'echo_upstream_body':true}"));
    }
    DialectGateway.TestResponse response = gateway.post(client, request, true);
    assertThat(response.content().text()).isEqualTo("Fine.");
    assertThat(gateway.upstream.received()).hasSize(2);
    assertThat(gateway.upstream.received().getFirst().path()).endsWith("/chat/completions");
    assertThat(gateway.upstream.received().getLast().path()).endsWith("/messages");
    if (client != DialectClient.MESSAGES) {
      assertThat(response.frames().stream().filter(frame -> frame.has("debug"))).hasSize(2);
    }
    assertThat(gateway.losses())
        .extracting(TraceEntry.Translated::endpoint)
        .containsExactlyElementsOf(
            switch (client) {
              case CHAT -> List.of("acme/anywhere@messages");
              case MESSAGES -> List.of("acme/anywhere@chat");
              case RESPONSES -> List.of("acme/anywhere@chat", "acme/anywhere@messages");
            });
  }
}
