package io.strowger.core.decode;

import static io.strowger.core.decode.TestRules.problems;
import static io.strowger.core.decode.TestRules.readValid;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The parameters of a server tool")
class ServerToolParametersTest {
  private static final Rule<List<Tool>> RESPONSES =
      ServerTools.listRule(ServerTools.addTo(Union.on("type"), Dialect.RESPONSES));

  private static String tool(String type, String parameters) {
    return "[{'type':'" + type + "','parameters':" + parameters + "}]";
  }

  private static List<String> problemsOf(String type, String parameters) {
    return problems(RESPONSES, tool(type, parameters));
  }

  @Proves({
    "limit.fusion.analysis_models",
    "plugins.fusion.analysis_models",
    "plugins.fusion.max_completion_tokens",
    "plugins.fusion.reasoning",
    "plugins.loop.web_search",
    "plugins.loop.web_fetch",
    "plugins.loop.image_generation",
    "plugins.loop.shell",
    "chat.tool.web_search",
    "chat.tool.web_fetch",
    "chat.tool.datetime",
    "chat.tool.files",
    "chat.tool.bash",
    "chat.tool.image_generation",
    "chat.tool.search_models",
    "chat.tool.fusion",
    "chat.tool.advisor",
    "chat.tool.subagent"
  })
  @ParameterizedTest(name = "{0} accepts {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "router:web_search | {}",
        "router:web_search | {'allowed_domains':['a.b'],'max_results':1}",
        "router:web_search | {'excluded_domains':[],'max_results':25}",
        "router:web_search | {'engine':'native','mode':'deep-lite','max_uses':1}",
        "router:web_search | {'engine':'perplexity','mode':'basic','max_total_results':1}",
        "router:web_search | {'max_characters':1,'search_context_size':'low'}",
        "router:web_search | {'max_characters':100000,'later':{'x':null}}",
        "router:web_search | {'user_location':{'type':'approximate'}}",
        "router:web_search | {'user_location':{}}",
        "router:web_search | {'user_location':{'city':'C','country':'DE'}}",
        "router:web_search | {'user_location':{'type':'approximate','city':'C','region':null,"
            + "'country':'DE','timezone':null,'later':1}}",
        "router:web_fetch | {'allowed_domains':['a'],'blocked_domains':['b']}",
        "router:web_fetch | {'engine':'router','max_content_tokens':1,'max_uses':1}",
        "router:datetime | {'timezone':'UTC'}",
        "router:datetime | {'timezone':'America/Argentina/Buenos_Aires'}",
        "router:datetime | {'timezone':'Etc/GMT+2'}",
        "router:files | {'later':1}",
        "router:bash | {'engine':'native','environment':{'type':'container_auto'}}",
        "router:bash | {'environment':{'type':'container_reference','container_id':'a_b-C1'}}",
        "router:bash | {'sleep_after_seconds':1}",
        "router:bash | {'sleep_after_seconds':2592000}",
        "router:shell | {'engine':'router','environment':{'type':'container_auto'}}",
        "router:shell | {'sleep_after_seconds':2592000}",
        "router:image_generation | {'model':'a/b','size':'1x1','n':2,'list':[1]}",
        "router:experimental__search_models | {'max_results':1}",
        "router:experimental__search_models | {'max_results':20}",
        "router:tool_search | {'max_results':1}",
        "router:tool_search | {'max_results':50}",
        "router:apply_patch | {}",
        "router:fusion | {'analysis_models':['a'],'model':'m','tools':[],'max_tool_calls':1}",
        "router:fusion | {'analysis_models':['1','2','3','4','5','6','7','8']}",
        "router:fusion | {'tools':[{'type':'a'},{'type':'b','parameters':{}}]}",
        "router:fusion | {'max_tool_calls':16,'max_completion_tokens':1,'temperature':0}",
        "router:fusion | {'temperature':2,'cache_control':{'type':'ephemeral'}}",
        "router:fusion | {'reasoning':{'effort':'high','max_tokens':0}}",
        "router:advisor | {'name':'A b_c-1','model':'m','instructions':'','stream':true}",
        "router:advisor | {'forward_transcript':false,'max_tool_calls':1,'temperature':0}",
        "router:advisor | {'max_tool_calls':25,'max_completion_tokens':1,'temperature':2}",
        "router:advisor | {'reasoning':{'effort':null}}",
        "router:subagent | {'name':'s','tools':[],'max_tool_calls':25}",
        "router:subagent | {'tools':[{'type':'router:web_search'},{'type':'web_search'}]}",
        "router:subagent | {'tools':[{'type':'router:advisor','parameters':{'name':'a'}}]}",
        "router:subagent | {'inherit_functions':true,'inherited_function_names':['f']}",
      })
  void takes(String type, String parameters) {
    List<Tool> read = readValid(RESPONSES, tool(type, parameters));
    assertThat(read)
        .singleElement()
        .isEqualTo(
            new Tool.Server(
                type,
                (Json.Obj) value(parameters),
                ((Json.Arr) value(tool(type, parameters))).get(0)));
  }

  @Proves({
    "limit.fusion.analysis_models",
    "limit.fusion.tools",
    "plugins.fusion.analysis_models",
    "plugins.fusion.tools",
    "plugins.fusion.max_tool_calls",
    "plugins.fusion.max_completion_tokens",
    "plugins.fusion.reasoning",
    "plugins.loop.web_search",
    "plugins.loop.web_fetch",
    "plugins.loop.datetime",
    "plugins.loop.search_models",
    "plugins.loop.tool_search",
    "plugins.loop.advisor",
    "plugins.loop.subagent",
    "plugins.loop.image_generation",
    "plugins.loop.shell",
    "chat.tool.web_search",
    "chat.tool.web_fetch",
    "chat.tool.datetime",
    "chat.tool.bash",
    "chat.tool.image_generation",
    "chat.tool.search_models",
    "chat.tool.fusion",
    "chat.tool.advisor",
    "chat.tool.subagent"
  })
  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "router:web_search | {'allowed_domains':['a'],'excluded_domains':['b']} |"
            + " excluded_domains: must not be given together with allowed_domains, was an array"
            + " of 1",
        "router:web_search | {'allowed_domains':'a'} | allowed_domains: must be an array, was"
            + " \"a\"",
        "router:web_search | {'allowed_domains':'a','excluded_domains':[]} | allowed_domains: must"
            + " be an array, was \"a\"",
        "router:web_search | {'allowed_domains':[],'excluded_domains':'a'} | excluded_domains:"
            + " must be an array, was \"a\"",
        "router:web_search | {'excluded_domains':['']} | excluded_domains/0: must be a string, not"
            + " empty, was \"\"",
        "router:web_search | {'engine':'x'} | engine: must be one of native, exa, parallel,"
            + " firecrawl, perplexity, auto, was \"x\"",
        "router:web_search | {'engine':null} | engine: must be one of native, exa, parallel,"
            + " firecrawl, perplexity, auto, was null",
        "router:web_search | {'mode':'x'} | mode: must be one of instant, fast, auto, deep-lite,"
            + " deep, deep-reasoning, turbo, basic, advanced, was \"x\"",
        "router:web_search | {'max_results':0} | max_results: must be a whole number from 1 to 25,"
            + " was 0",
        "router:web_search | {'max_results':26} | max_results: must be a whole number from 1 to"
            + " 25, was 26",
        "router:web_search | {'max_total_results':0} | max_total_results: must be a whole number"
            + " of at least 1, was 0",
        "router:web_search | {'max_uses':0} | max_uses: must be a whole number of at least 1, was"
            + " 0",
        "router:web_search | {'max_characters':0} | max_characters: must be a whole number from 1"
            + " to 100000, was 0",
        "router:web_search | {'max_characters':100001} | max_characters: must be a whole number"
            + " from 1 to 100000, was 100001",
        "router:web_search | {'search_context_size':'max'} | search_context_size: must be one of"
            + " low, medium, high, was \"max\"",
        "router:web_search | {'user_location':{'type':'exact'}} | user_location/type: must be"
            + " approximate, was \"exact\"",
        "router:web_search | {'user_location':{'type':'approximate','city':1}} |"
            + " user_location/city: must be a string, was 1",
        "router:web_search | {'user_location':null} | user_location: must be an object, was null",
        "router:web_fetch | {'allowed_domains':[1]} | allowed_domains/0: must be a string, not"
            + " empty, was 1",
        "router:web_fetch | {'blocked_domains':1} | blocked_domains: must be an array, was 1",
        "router:web_fetch | {'engine':'perplexity'} | engine: must be one of auto, native, router,"
            + " exa, parallel, firecrawl, was \"perplexity\"",
        "router:web_fetch | {'max_content_tokens':0} | max_content_tokens: must be a whole number"
            + " of at least 1, was 0",
        "router:web_fetch | {'max_uses':0} | max_uses: must be a whole number of at least 1, was"
            + " 0",
        "router:datetime | {'timezone':'Europe//Paris'} | timezone: must be the name of a time"
            + " zone, such as Europe/Paris, was \"Europe//Paris\"",
        "router:datetime | {'timezone':''} | timezone: must be the name of a time zone, such as"
            + " Europe/Paris, was \"\"",
        "router:bash | {'engine':'exa'} | engine: must be one of auto, native, router, was"
            + " \"exa\"",
        "router:bash | {'environment':'container_auto'} | environment: must be an object, was"
            + " \"container_auto\"",
        "router:bash | {'environment':{'type':'x'}} | environment/type: must be one of"
            + " container_auto, container_reference, was \"x\"",
        "router:bash | {'environment':{'type':'container_reference'}} | environment/container_id:"
            + " is required",
        "router:bash | {'environment':{'type':'container_reference','container_id':''}} |"
            + " environment/container_id: must be 1 to 20 of A-Z a-z 0-9 _ -, was \"\"",
        "router:bash | {'environment':{'type':'container_reference','container_id':'a.b'}} |"
            + " environment/container_id: must be 1 to 20 of A-Z a-z 0-9 _ -, was \"a.b\"",
        "router:bash | {'sleep_after_seconds':0} | sleep_after_seconds: must be a whole number"
            + " from 1 to 2592000, was 0",
        "router:bash | {'sleep_after_seconds':2592001} | sleep_after_seconds: must be a whole"
            + " number from 1 to 2592000, was 2592001",
        "router:shell | {'engine':'native'} | engine: must be one of auto, router, was \"native\"",
        "router:shell | {'sleep_after_seconds':2592001} | sleep_after_seconds: must be a whole"
            + " number from 1 to 2592000, was 2592001",
        "router:image_generation | {'model':''} | model: must be a string, not empty, was \"\"",
        "router:image_generation | {'size':{}} | size: must be a string, number or array, was an"
            + " object",
        "router:image_generation | {'size':null} | size: must be a string, number or array, was"
            + " null",
        "router:experimental__search_models | {'max_results':0} | max_results: must be a whole"
            + " number from 1 to 20, was 0",
        "router:experimental__search_models | {'max_results':21} | max_results: must be a whole"
            + " number from 1 to 20, was 21",
        "router:tool_search | {'max_results':0} | max_results: must be a whole number from 1 to"
            + " 50, was 0",
        "router:tool_search | {'max_results':51} | max_results: must be a whole number from 1 to"
            + " 50, was 51",
        "router:fusion | {'analysis_models':[]} | analysis_models: must have 1 to 8 items, was an"
            + " array of 0",
        "router:fusion | {'analysis_models':[1,2,3,4,5,6,7,8,9]} | analysis_models: must have 1 to"
            + " 8 items, was an array of 9",
        "router:fusion | {'model':1} | model: must be a string, not empty, was 1",
        "router:fusion | {'tools':[{}]} | tools/0/type: is required",
        "router:fusion | {'tools':[{'type':'a','parameters':1}]} | tools/0/parameters: must be an"
            + " object, was 1",
        "router:fusion | {'tools':[1,2,3,4,5,6,7,8,9]} | tools: must have at most 8 items, was an"
            + " array of 9",
        "router:fusion | {'max_tool_calls':0} | max_tool_calls: must be a whole number from 1 to"
            + " 16, was 0",
        "router:fusion | {'max_tool_calls':17} | max_tool_calls: must be a whole number from 1 to"
            + " 16, was 17",
        "router:fusion | {'max_completion_tokens':0} | max_completion_tokens: must be a whole"
            + " number of at least 1, was 0",
        "router:fusion | {'temperature':2.1} | temperature: must be a number from 0 to 2, was 2.1",
        "router:fusion | {'temperature':-0.1} | temperature: must be a number from 0 to 2, was"
            + " -0.1",
        "router:fusion | {'cache_control':{}} | cache_control/type: is required",
        "router:fusion | {'reasoning':{'effort':'x'}} | reasoning/effort: must be one of max,"
            + " xhigh, high, medium, low, minimal, none, was \"x\"",
        "router:fusion | {'reasoning':{'max_tokens':-1}} | reasoning/max_tokens: must be a whole"
            + " number from 0 to 2147483647, was -1",
        "router:advisor | {'name':''} | name: must be 1 to 64 of A-Z a-z 0-9 _ - and space, was"
            + " \"\"",
        "router:advisor | {'name':'a/b'} | name: must be 1 to 64 of A-Z a-z 0-9 _ - and space, was"
            + " \"a/b\"",
        "router:advisor | {'instructions':1} | instructions: must be a string, was 1",
        "router:advisor | {'forward_transcript':1} | forward_transcript: must be true or false,"
            + " was 1",
        "router:advisor | {'stream':null} | stream: must be true or false, was null",
        "router:advisor | {'max_tool_calls':0} | max_tool_calls: must be a whole number from 1 to"
            + " 25, was 0",
        "router:advisor | {'max_tool_calls':26} | max_tool_calls: must be a whole number from 1 to"
            + " 25, was 26",
        "router:advisor | {'temperature':3} | temperature: must be a number from 0 to 2, was 3",
        "router:subagent | {'max_tool_calls':26} | max_tool_calls: must be a whole number from 1"
            + " to 25, was 26",
        "router:subagent | {'tools':{}} | tools: must be an array, was an object",
        "router:subagent | {'tools':[{'type':'router:web_search','parameters':{'max_uses':0}}]} |"
            + " tools/0/parameters/max_uses: must be a whole number of at least 1, was 0",
        "router:subagent | {'inherit_functions':1} | inherit_functions: must be true or false, was"
            + " 1",
        "router:subagent | {'inherited_function_names':['']} | inherited_function_names/0: must be"
            + " a string, not empty, was \"\"",
      })
  void refuses(String type, String parameters, String problem) {
    assertThat(problemsOf(type, parameters)).containsExactly("/0/parameters/" + problem);
  }

  @Proves("chat.tool.bash")
  @Test
  @DisplayName("may have container ids of at most 20 characters")
  void containers() {
    String tool = "{'environment':{'type':'container_reference','container_id':'%s'}}";
    assertThat(problemsOf("router:bash", tool.formatted("c".repeat(20)))).isEmpty();
    assertThat(problemsOf("router:bash", tool.formatted("c".repeat(21)))).hasSize(1);
  }
}
