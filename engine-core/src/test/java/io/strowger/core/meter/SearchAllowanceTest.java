package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The searches that an upstream may make")
class SearchAllowanceTest {
  private static final PluginRegistry NO_PLUGINS = PluginRegistry.of(Plugins.none());
  private static final String USER = "[{'role':'user','content':'hi'}]";

  private static Json.Obj json(String text) {
    try {
      byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      return (Json.Obj) new JacksonCodec().parse(bytes);
    } catch (MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  private static InferenceRequest messages(String tools) {
    var problems = new Problems();
    Json.Obj body =
        json("{'model':'a/b','max_tokens':9,'messages':%s,'tools':[%s]}".formatted(USER, tools));
    InferenceRequest request = new MessagesDecoder(NO_PLUGINS).decode(body, problems);
    assertThat(problems.list()).isEmpty();
    return request;
  }

  private static InferenceRequest responses(String members) {
    var problems = new Problems();
    Json.Obj body = json("{'model':'a/b'," + members + "}");
    InferenceRequest request = new ResponsesDecoder(NO_PLUGINS).decode(body, problems);
    assertThat(problems.list()).isEmpty();
    return request;
  }

  private static String search(String more) {
    return "{'type':'web_search_20250305','name':'web_search'" + more + "}";
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'type':'web_search_20250305','name':'web_search'}                   | 5
          {'type':'web_search_20250305','name':'web_search','max_uses':null}   | 5
          {'type':'web_search_20250305','name':'web_search','max_uses':-1}     | 5
          {'type':'web_search_20250305','name':'web_search','max_uses':0}      | 0
          {'type':'web_search_20250305','name':'web_search','max_uses':3}      | 3
          {'type':'web_search_20260209','name':'web_search','max_uses':12}     | 12
          {'type':'web_search_20990101','name':'web_search','max_uses':2}      | 2
          {'type':'x_search_1','name':'x'}                                     | 5
          {'type':'tool_search_tool_regex','name':'tool_search_tool_regex'}    | 0
          {'type':'bash_20250124','name':'bash'}                               | 0
          {'name':'web_search','input_schema':{'type':'object'}}               | 0
          """)
  @DisplayName("for a messages request are the max_uses of its search tools")
  void messagesTool(String tool, int searches) {
    assertThat(SearchAllowance.of(messages(tool))).isEqualTo(searches);
  }

  @Test
  @DisplayName("for several tools are their sum, at most Integer.MAX_VALUE")
  void several() {
    String largest = search(",'max_uses':2147483647");
    assertThat(SearchAllowance.of(messages(search(",'max_uses':2") + "," + search(""))))
        .isEqualTo(7);
    assertThat(SearchAllowance.of(messages(largest + "," + largest))).isEqualTo(Integer.MAX_VALUE);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'input':'hi','tools':[{'type':'web_search_2099'}]                                 | 5
          'input':'hi','tools':[{'type':'web_search_2099'}],'max_tool_calls':2              | 2
          'input':'hi','tools':[{'type':'web_search_2099'}],'max_tool_calls':9              | 9
          'input':'hi','tools':[{'type':'file_search'},{'type':'mcp'}],'max_tool_calls':9   | 0
          'input':'hi','tools':[{'type':'namespace','tools':[{'type':'x_search'}]}]         | 5
          'input':[{'type':'additional_tools','role':'developer','tools':[{'type':'x_search'}]}] | 5
          'input':[{'type':'web_search_call','id':'1','status':'completed'}]                | 0
          """)
  @DisplayName("for a responses request are limited for all tools together by max_tool_calls")
  void responsesTool(String members, int searches) {
    assertThat(SearchAllowance.of(responses(members))).isEqualTo(searches);
  }

  @Proves("plugins.web.web_search_options")
  @Test
  @DisplayName("for a chat request are the default when it has web_search_options")
  void options() {
    var problems = new Problems();
    String body = "{'model':'a/b','web_search_options':{},'messages':" + USER + "}";
    InferenceRequest request = new ChatDecoder(NO_PLUGINS).decode(json(body), problems);
    assertThat(SearchAllowance.of(request)).isEqualTo(SearchAllowance.DEFAULT_SEARCHES);
    assertThat(SearchAllowance.of(request.toBuilder().parameters(0).build())).isZero();
    assertThat(SearchAllowance.withBounds(request)).isSameAs(request);
  }

  @Test
  @DisplayName(
      "are bounded by a max_uses that is appended to each search tool without one, and nothing"
          + " else changes")
  void bounded() {
    InferenceRequest request =
        messages(
            search("") + "," + search(",'max_uses':9") + ",{'type':'bash_20250124','name':'bash'}");
    InferenceRequest bounded = SearchAllowance.withBounds(request);
    assertThat(SearchAllowance.of(bounded)).isEqualTo(SearchAllowance.of(request)).isEqualTo(14);
    List<Tool> tools = bounded.tools();
    assertThat(tools.get(0).source()).isEqualTo(json(search(",'max_uses':5")));
    assertThat(tools.subList(1, 3)).isEqualTo(request.tools().subList(1, 3));
    assertThat(SearchAllowance.withBounds(bounded)).isSameAs(bounded);
  }
}
