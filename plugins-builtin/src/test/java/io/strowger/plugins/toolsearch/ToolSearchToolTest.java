package io.strowger.plugins.toolsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.plugin.ServerTool.ToolException;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The search for tools")
class ToolSearchToolTest extends ServerToolContract {
  private static final Json.Obj DEFERRED = Json.object().put("defer_loading", true).build();

  @Override
  protected ServerTool tool() {
    return new ToolSearchTool();
  }

  @Override
  protected SchemaValidator schemaValidator() {
    return new JsonSchemaValidator();
  }

  @Override
  protected InferenceRequest request() {
    return requestWith(tools());
  }

  @Override
  protected List<Json.Obj> parameters() {
    return List.of(Json.object().put("max_results", 1).build());
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(query("weather"), query("^nothing$"));
  }

  private static Json.Obj query(String pattern) {
    return Json.object().put("query", pattern).build();
  }

  private static InferenceRequest requestWith(List<Tool> tools) {
    return Given.request("acme/large-1", "hi").toBuilder().tools(tools).build();
  }

  private static List<Tool> tools() {
    Json.Obj nested =
        Json.object()
            .put(
                "properties",
                Json.object()
                    .put(
                        "where",
                        Json.object()
                            .put(
                                "properties",
                                Json.object()
                                    .put(
                                        "street",
                                        Json.object().put("description", "Of the house.").build())
                                    .build())
                            .build())
                    .build())
            .build();
    return List.of(
        new Tool.Function("get_weather", "Rain and sun.", null, DEFERRED, null),
        new Tool.Function("known_weather", "Rain, at once.", null, Json.Obj.EMPTY, null),
        new Tool.Function("send", null, nested, DEFERRED, null),
        new Tool.Unknown(
            "custom",
            Json.object()
                .put("type", "custom")
                .put("name", "draw")
                .put("description", "A picture of the weather.")
                .put("defer_loading", true)
                .build()),
        new Tool.Server("router:tool_search", Json.Obj.EMPTY, null));
  }

  private static Json.Obj search(String pattern, Json.Obj parameters, List<Tool> tools)
      throws ToolException {
    return (Json.Obj)
        new ToolSearchTool()
            .run(
                new Invocation(query(pattern), parameters, requestWith(tools)),
                FakeChain.of(List.of()));
  }

  private static List<String> names(Json.Obj result) {
    var names = new ArrayList<String>();
    for (Json one : (Json.Arr) Objects.requireNonNull(result.get("tool_references"))) {
      names.add(((Json.Obj) one).text("tool_name"));
    }
    return names;
  }

  @Proves("plugins.loop.tool_search")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "WEATHER, get_weather draw",
    "^Rain, get_weather",
    "str.*t$, send",
    "of the (house|picture), send",
    "^where$, send",
    "picture, draw",
    "known, ''",
    "custom, ''",
  })
  @DisplayName(
      "finds deferred tools by the names and descriptions of the tools and of their arguments")
  void finds(String pattern, String names) throws ToolException {
    assertThat(String.join(" ", names(search(pattern, Json.Obj.EMPTY, tools())))).isEqualTo(names);
  }

  @Test
  @DisplayName("returns references to the tools in the form of the contract")
  void form() throws ToolException {
    assertThat(search("sun", Json.Obj.EMPTY, tools()).toString())
        .isEqualTo(
            "{\"tool_references\":[{\"type\":\"tool_reference\",\"tool_name\":\"get_weather\"}],"
                + "\"total_results\":1,\"showing\":1}");
  }

  @ParameterizedTest(name = "max_results {0}")
  @CsvSource({"0, 5", "1, 1", "50, 50"})
  @DisplayName("returns five tools, or as many as were declared, and the number of all matches")
  void maxResults(int declared, int expected) throws ToolException {
    List<Tool> manyTools =
        IntStream.range(0, 60)
            .<Tool>mapToObj(i -> new Tool.Function("f" + i, null, null, DEFERRED, null))
            .toList();
    Json.Obj parameters =
        declared == 0 ? Json.Obj.EMPTY : Json.object().put("max_results", declared).build();
    Json.Obj found = search("f", parameters, manyTools);
    assertThat(names(found)).hasSize(expected).startsWith("f0");
    assertThat(found.longValue("total_results", 0)).isEqualTo(60);
    assertThat(found.longValue("showing", 0)).isEqualTo(expected);
  }

  @Test
  @DisplayName("finds nothing if no tool is deferred")
  void nothing() throws ToolException {
    assertThat(search(".", Json.Obj.EMPTY, List.of()).toString())
        .isEqualTo("{\"tool_references\":[],\"total_results\":0,\"showing\":0}");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"(", "[", "a{2,1}", "(?=x)", "(a)\\1"})
  @DisplayName("reports a malformed pattern")
  void malformed(String pattern) {
    assertThatThrownBy(() -> search(pattern, Json.Obj.EMPTY, tools()))
        .isInstanceOf(ToolException.class)
        .hasMessageStartingWith("query is not a regular expression in the syntax of RE2: ");
  }

  @Proves("plugins.loop.tool_search")
  @Test
  @DisplayName("accepts patterns of up to 200 characters")
  void length() throws ToolException {
    assertThat(search("x".repeat(200), Json.Obj.EMPTY, tools()).longValue("showing", -1)).isZero();
    assertThatThrownBy(() -> search("x".repeat(201), Json.Obj.EMPTY, tools()))
        .isInstanceOf(ToolException.class)
        .hasMessage("query must have at most 200 characters");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"((a{100}){100}){100}", "a{99999}", "(a{900}b){900}", "((x{1000,}){9}){99}"})
  @DisplayName("refuses a pattern that would become large, before it is compiled")
  void large(String pattern) {
    assertThatThrownBy(() -> search(pattern, Json.Obj.EMPTY, tools()))
        .isInstanceOf(ToolException.class)
        .hasMessageStartingWith("query would take too long to run");
  }

  @Test
  @DisplayName("refuses a pattern with large counts for long descriptions, but not a simple one")
  void work() throws ToolException {
    List<Tool> longDescription =
        List.of(new Tool.Function("f", "a".repeat(400_000), null, DEFERRED, null));
    assertThat(names(search("(a*)*b|f", Json.Obj.EMPTY, longDescription))).containsExactly("f");
    assertThatThrownBy(() -> search("(a{0,50}){1,9}b", Json.Obj.EMPTY, longDescription))
        .isInstanceOf(ToolException.class)
        .hasMessageStartingWith("query would take too long to run");
  }
}
