package io.strowger.core.decode.messages;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What breaks exactly one rule of any good messages body: members, then blocks, then tools. */
public final class MessagesMutations {
  private static final String STRING = "must be a string";
  private static final String TEXT = "must be a string, not empty";
  private static final String BOOL = "must be true or false";
  private static final String WHOLE = "must be a whole number";
  private static final String OBJECT = "must be an object";
  private static final String ARRAY = "must be an array";
  private static final String REQUIRED = "is required";
  private static final String TYPE = "/type";

  private MessagesMutations() {}

  public static List<Mutation> all() {
    return Stream.of(members(), output(), context(), turns(), blocks(), results(), tools())
        .flatMap(List::stream)
        .toList();
  }

  static List<Mutation> members() {
    return List.of(
        set("fallbacks", "{}", ARRAY),
        set("fallbacks", many(4, "{'model':'a'}"), "must have at most 3 items"),
        set("fallbacks", "['a']", "/0", OBJECT),
        set("fallbacks", "[{'model':'a'},{}]", "/1/model", REQUIRED),
        set("fallbacks", "[{'model':''}]", "/0/model", TEXT),
        set("fallbacks", "[{'model':null}]", "/0/model", TEXT),
        set(
            "fallbacks",
            "[{'model':'a','provider':{}}]",
            "/0/provider",
            "is not a member of a fallback, which has only model"),
        set("stop_server_tools_when", "null", ARRAY),
        set("stop_server_tools_when", "[]", "must have at least 1 item"),
        set(
            "stop_server_tools_when",
            "[{'type':'step_count_is','step_count':0}]",
            "/0/step_count",
            "must be a whole number of at least 1"),
        set("trace", "null", OBJECT),
        set("trace", "{'trace_id':1}", "/trace_id", STRING),
        Mutation.without("model"),
        set("model", "''", TEXT),
        set("model", "null", TEXT),
        set("models", "null", ARRAY),
        set("models", "['a','']", "/1", TEXT),
        set("models", "[null]", "/0", TEXT),
        set("metadata", "null", OBJECT),
        set("metadata", "{'user_id':1}", "/user_id", STRING),
        set("service_tier", "null", STRING),
        set("cache_control", "null", OBJECT),
        set("cache_control", "{}", TYPE, REQUIRED),
        set("cache_control", "{'type':'forever'}", TYPE, "must be ephemeral"),
        set("cache_control", "{'type':'ephemeral','ttl':'2h'}", "/ttl", "must be one of 5m, 1h"),
        set("plugins", "null", ARRAY),
        set("plugins", "[{}]", "/0/id", REQUIRED),
        set("provider", "[]", OBJECT),
        set("route", "'both'", "must be one of fallback, sort"),
        set(
            "session_id",
            "'" + "s".repeat(257) + "'",
            "must be a string of at most 256 characters"),
        set("session_id", "null", "must be a string of at most 256 characters"),
        set("user", "'" + "u".repeat(257) + "'", "must be a string of at most 256 characters"),
        set("user", "null", "must be a string of at most 256 characters"));
  }

  static List<Mutation> output() {
    String display = "must be one of summarized, omitted";
    return List.of(
        set("speed", "'slow'", "must be one of fast, standard"),
        set("max_tokens", "0", "must be a whole number from 1 to 2147483647"),
        set("max_tokens", "2147483648", "must be a whole number from 1 to 2147483647"),
        set("max_tokens", "null", "must be a whole number from 1 to 2147483647"),
        set("stop_sequences", "'x'", ARRAY),
        set("stop_sequences", "null", ARRAY),
        set("stop_sequences", "['a',1]", "/1", STRING),
        set("temperature", "-0.01", "must be a number from 0 to 1"),
        set("temperature", "1.01", "must be a number from 0 to 1"),
        set("temperature", "null", "must be a number from 0 to 1"),
        set("top_p", "'1'", "must be a number"),
        set("top_p", "null", "must be a number"),
        set("top_k", "0.5", WHOLE),
        set("top_k", "null", WHOLE),
        set("stream", "null", BOOL),
        set("stream", "1", BOOL),
        set("thinking", "null", OBJECT),
        set("thinking", "{}", TYPE, REQUIRED),
        set("thinking", "{'type':'on'}", TYPE, "must be one of enabled, adaptive, disabled"),
        set("thinking", "{'type':'enabled'}", "/budget_tokens", REQUIRED),
        set(
            "thinking",
            "{'type':'enabled','budget_tokens':1023}",
            "/budget_tokens",
            "must be a whole number of at least 1024"),
        set(
            "thinking",
            "{'type':'enabled','budget_tokens':null}",
            "/budget_tokens",
            "must be a whole number of at least 1024"),
        set(
            "thinking",
            "{'type':'enabled','budget_tokens':1024,'display':'all'}",
            "/display",
            display),
        set("thinking", "{'type':'adaptive','display':true}", "/display", display),
        set("tool_choice", "null", OBJECT),
        set("tool_choice", "'auto'", OBJECT),
        set("tool_choice", "{'type':'required'}", TYPE, "must be one of auto, any, tool, none"),
        set(
            "tool_choice",
            "{'type':'any','disable_parallel_tool_use':null}",
            "/disable_parallel_tool_use",
            BOOL),
        set("tool_choice", "{'type':'tool'}", "/name", REQUIRED),
        set("tool_choice", "{'type':'tool','name':''}", "/name", TEXT),
        set(
            "tool_choice",
            "{'type':'tool','name':'f','disable_parallel_tool_use':1}",
            "/disable_parallel_tool_use",
            BOOL),
        set("output_config", "null", OBJECT),
        set(
            "output_config",
            "{'effort':'minimal'}",
            "/effort",
            "must be one of low, medium, high, xhigh, max"),
        set("output_config", "{'format':{'schema':{}}}", "/format/type", REQUIRED),
        set(
            "output_config",
            "{'format':{'type':'json_object','schema':{}}}",
            "/format/type",
            "must be json_schema"),
        set("output_config", "{'format':{'type':'json_schema'}}", "/format/schema", REQUIRED),
        set(
            "output_config",
            "{'format':{'type':'json_schema','schema':null}}",
            "/format/schema",
            OBJECT),
        set(
            "output_config",
            "{'task_budget':{'type':'usd','total':20000}}",
            "/task_budget/type",
            "must be tokens"),
        set("output_config", "{'task_budget':{'type':'tokens'}}", "/task_budget/total", REQUIRED),
        set(
            "output_config", "{'task_budget':{'type':'tokens','total':19999}}",
            "/task_budget/total", "must be a whole number of at least 20000"),
        set(
            "output_config", "{'task_budget':{'type':'tokens','total':20000,'remaining':-1}}",
            "/task_budget/remaining", "must be a whole number of at least 0"));
  }

  static List<Mutation> context() {
    String tokensOrUses = "must be one of input_tokens, tool_uses";
    return List.of(
        set("context_management", "[]", OBJECT),
        set("context_management", "{'edits':null}", "/edits", ARRAY),
        edit("{}", TYPE, REQUIRED),
        edit(
            "{'type':'later'}",
            TYPE,
            "must be one of clear_tool_uses_20250919, clear_thinking_20251015, compact_20260112"),
        uses("'trigger':null", "/trigger", OBJECT),
        uses("'trigger':{'type':'turns','value':1}", "/trigger/type", tokensOrUses),
        uses("'trigger':{'type':'input_tokens'}", "/trigger/value", REQUIRED),
        uses("'trigger':{'type':'tool_uses','value':1.5}", "/trigger/value", WHOLE),
        uses("'keep':{'type':'input_tokens','value':1}", "/keep/type", "must be tool_uses"),
        uses("'keep':{'type':'tool_uses','value':null}", "/keep/value", WHOLE),
        uses(
            "'clear_at_least':{'type':'tool_uses','value':1}",
            "/clear_at_least/type",
            "must be input_tokens"),
        uses(
            "'clear_tool_inputs':1",
            "/clear_tool_inputs",
            "must be true, false or an array of tool names"),
        uses("'clear_tool_inputs':['f',null]", "/clear_tool_inputs/1", STRING),
        uses("'exclude_tools':'f'", "/exclude_tools", ARRAY),
        uses("'exclude_tools':[1]", "/exclude_tools/0", STRING),
        edit("{'type':'clear_thinking_20251015','keep':'some'}", "/keep", "must be all"),
        edit("{'type':'clear_thinking_20251015','keep':null}", "/keep", "must be all or an object"),
        edit(
            "{'type':'clear_thinking_20251015','keep':{'type':'none'}}",
            "/keep/type",
            "must be one of all, thinking_turns"),
        edit(
            "{'type':'clear_thinking_20251015','keep':{'type':'thinking_turns'}}",
            "/keep/value",
            REQUIRED),
        edit(
            "{'type':'compact_20260112','trigger':{'type':'tool_uses','value':1}}",
            "/trigger/type",
            "must be input_tokens"),
        edit("{'type':'compact_20260112','instructions':1}", "/instructions", STRING),
        edit(
            "{'type':'compact_20260112','pause_after_compaction':null}",
            "/pause_after_compaction",
            BOOL));
  }

  static List<Mutation> turns() {
    String only = "is only for messages of role system";
    String system = "must be one of text, tool_addition, tool_removal in a message of role system";
    return List.of(
        Mutation.without("messages"),
        set("messages", "null", ARRAY),
        set("messages", "[]", "must have at least 1 item"),
        set("messages", "['hi']", "/0", OBJECT),
        set("messages", "[{'content':'x'}]", "/0/role", REQUIRED),
        set(
            "messages",
            "[{'role':'tool','content':'x'}]",
            "/0/role",
            "must be one of user, assistant, system"),
        set(
            "messages",
            "[{'role':null,'content':'x'}]",
            "/0/role",
            "must be one of user, assistant, system"),
        set(
            "messages",
            "[{'role':'user','content':'x'},{'role':'assistant'}]",
            "/1/content",
            REQUIRED),
        set(
            "messages",
            "[{'role':'user','content':null}]",
            "/0/content",
            "must be a string or an array of blocks"),
        set("messages", "[{'role':'user','content':['x']}]", "/0/content/0", OBJECT),
        block("{}", TYPE, REQUIRED),
        block("{'type':1}", TYPE, STRING),
        block("{'type':'tool_addition','tool':{}}", TYPE, only),
        block("{'type':'tool_removal','tool':{}}", TYPE, only),
        inSystem("{'type':'image'}", TYPE, system),
        inSystem("{'type':'tool_result'}", TYPE, system),
        inSystem("{'type':'router_bash_tool_result'}", TYPE, system),
        inSystem("{'type':'tool_addition'}", "/tool", REQUIRED),
        inSystem(
            "{'type':'tool_removal','tool':{'type':'tool'}}",
            "/tool/type",
            "must be one of tool_reference, mcp_tool_reference, mcp_toolset_reference"),
        inSystem(
            "{'type':'tool_addition','tool':{'type':'tool_reference'}}", "/tool/name", REQUIRED),
        inSystem(
            "{'type':'tool_addition','tool':{'type':'mcp_tool_reference','name':'f'}}",
            "/tool/server_name",
            REQUIRED),
        inSystem(
            "{'type':'tool_addition','tool':{'type':'mcp_toolset_reference',"
                + "'server_name':null}}",
            "/tool/server_name",
            STRING),
        set("system", "null", "must be a string or an array of text blocks"),
        set("system", "[{'type':'image'}]", "/0/type", "must be text"),
        set("system", "[{'type':'text'}]", "/0/text", REQUIRED));
  }

  static List<Mutation> blocks() {
    return List.of(
        block("{'type':'text','text':null}", "/text", STRING),
        block("{'type':'text','text':'t','cache_control':null}", "/cache_control", OBJECT),
        block("{'type':'text','text':'t','citations':{}}", "/citations", ARRAY),
        block(
            "{'type':'text','text':'t','citations':[{'type':'line'}]}",
            "/citations/0/type",
            "must be one of char_location, page_location, content_block_location,"
                + " web_search_result_location, search_result_location"),
        block(
            "{'type':'text','text':'t','citations':[{'type':'char_location',"
                + "'start_char_index':null}]}",
            "/citations/0/start_char_index",
            WHOLE),
        block("{'type':'image'}", "/source", REQUIRED),
        block(
            "{'type':'image','source':{'type':'file','file_id':'f'}}",
            "/source/type",
            "must be one of base64, url"),
        block(
            "{'type':'image','source':{'type':'base64','media_type':'image/tiff','data':'A'}}",
            "/source/media_type",
            "must be one of image/jpeg, image/png, image/gif, image/webp"),
        block(
            "{'type':'image','source':{'type':'base64','media_type':'image/png'}}",
            "/source/data",
            REQUIRED),
        block("{'type':'image','source':{'type':'url','url':null}}", "/source/url", STRING),
        document(
            "{'type':'base64','media_type':'text/plain','data':'A'}",
            "/media_type",
            "must be application/pdf"),
        document(
            "{'type':'text','media_type':'application/pdf','data':'A'}",
            "/media_type",
            "must be text/plain"),
        document("{'type':'text','media_type':'text/plain'}", "/data", REQUIRED),
        document("{'type':'url'}", "/url", REQUIRED),
        document("{'type':'file','file_id':1}", "/file_id", STRING),
        document("{'type':'disk'}", TYPE, "must be one of base64, text, url, file, content"),
        document(
            "{'type':'content','content':null}",
            "/content",
            "must be a string or an array of text and image blocks"),
        document(
            "{'type':'content','content':[{'type':'document'}]}",
            "/content/0/type",
            "must be one of text, image"),
        block("{'type':'document','source':{'type':'url','url':'u'},'title':1}", "/title", STRING),
        block(
            "{'type':'document','source':{'type':'url','url':'u'},'citations':{'enabled':1}}",
            "/citations/enabled",
            BOOL),
        block("{'type':'tool_use','name':'f','input':{}}", "/id", REQUIRED),
        block("{'type':'tool_use','id':'i','name':null}", "/name", STRING),
        block("{'type':'thinking','thinking':'t'}", "/signature", REQUIRED),
        block("{'type':'thinking','thinking':null,'signature':'s'}", "/thinking", STRING),
        block("{'type':'redacted_thinking'}", "/data", REQUIRED),
        block("{'type':'server_tool_use','id':'i'}", "/name", REQUIRED),
        block("{'type':'compaction'}", "/content", REQUIRED),
        block("{'type':'compaction','content':1}", "/content", STRING));
  }

  static List<Mutation> results() {
    return List.of(
        block("{'type':'tool_result'}", "/tool_use_id", REQUIRED),
        result("'content':null", "/content", "must be a string or an array of blocks"),
        result("'content':[{'type':'tool_reference'}]", "/content/0/tool_name", REQUIRED),
        result("'content':[{'type':'image'}]", "/content/0/source", REQUIRED),
        result("'content':[{'type':'document'}]", "/content/0/source", REQUIRED),
        result("'is_error':null", "/is_error", BOOL),
        block("{'type':'search_result','source':'s','content':[]}", "/title", REQUIRED),
        block("{'type':'search_result','source':'s','title':'t','content':'c'}", "/content", ARRAY),
        block(
            "{'type':'search_result','source':'s','title':'t','content':[{'type':'image'}]}",
            "/content/0/type",
            "must be text"),
        block(
            "{'type':'search_result','source':'s','title':'t','content':[],'citations':null}",
            "/citations",
            OBJECT),
        searched("'c'", "/content", "must be an array of results or an error"),
        searched("[{'type':'hit'}]", "/content/0/type", "must be web_search_result"),
        searched(
            "[{'type':'web_search_result','url':'u','title':'t'}]",
            "/content/0/encrypted_content",
            REQUIRED),
        searched(
            "{'type':'web_search_tool_result_error','error_code':'request_too_large'}",
            "/content/error_code",
            "must be one of invalid_tool_input, unavailable, max_uses_exceeded, too_many_requests,"
                + " query_too_long"),
        block("{'type':'advisor_tool_result','tool_use_id':'i','content':'c'}", "/content", OBJECT),
        block("{'type':'router_shell_tool_result','content':{}}", "/tool_use_id", REQUIRED),
        block("{'type':'router_bash_tool_result','tool_use_id':'i'}", "/content", REQUIRED));
  }

  static List<Mutation> tools() {
    String callers = "must be one of direct, code_execution_20250825, code_execution_20260120";
    return List.of(
        set("tools", "null", ARRAY),
        set("tools", "['f']", "/0", OBJECT),
        tool("'type':null", TYPE, STRING),
        tool("'input_schema':{'type':'object'}", "/name", REQUIRED),
        tool("'name':''," + "'input_schema':{'type':'object'}", "/name", TEXT),
        tool("'type':'custom','name':'f'", "/input_schema", REQUIRED),
        tool("'name':'f','input_schema':{}", "/input_schema/type", REQUIRED),
        tool("'name':'f','input_schema':{'type':'array'}", "/input_schema/type", "must be object"),
        tool(
            "'name':'f','input_schema':{'type':'object','properties':[]}",
            "/input_schema/properties",
            OBJECT),
        tool(
            "'name':'f','input_schema':{'type':'object','required':['a',1]}",
            "/input_schema/required/1",
            STRING),
        tool(
            "'name':'f','input_schema':{'type':'object'},'description':null",
            "/description",
            STRING),
        tool(
            "'name':'f','input_schema':{'type':'object'},'defer_loading':null",
            "/defer_loading",
            BOOL),
        tool("'type':'bash_20250124'", "/name", REQUIRED),
        tool("'type':'bash_20250124','name':'sh'", "/name", "must be bash"),
        tool("'type':'text_editor_20250124','name':'vi'", "/name", "must be str_replace_editor"),
        tool("'type':'web_search_20250305','name':'search'", "/name", "must be web_search"),
        tool("'type':'web_search_20250305','name':'web_search','max_uses':0.5", "/max_uses", WHOLE),
        tool(
            "'type':'web_search_20250305','name':'web_search','allowed_domains':[null]",
            "/allowed_domains/0",
            STRING),
        tool(
            "'type':'web_search_20260209','name':'web_search','user_location':{'city':'c'}",
            "/user_location/type",
            REQUIRED),
        tool(
            "'type':'web_search_20260209','name':'web_search','allowed_callers':['me']",
            "/allowed_callers/0",
            callers),
        tool("'type':'advisor_20260301','name':'advisor'", "/model", REQUIRED),
        tool(
            "'type':'advisor_20260301','name':'advisor','model':'m','caching':{}",
            "/caching/type",
            REQUIRED),
        tool(
            "'type':'tool_search_tool_bm25_20251119','name':'tool_search'",
            "/name",
            "must be tool_search_tool_bm25"),
        tool(
            "'type':'tool_search_tool_regex','name':'tool_search_tool_regex','strict':null",
            "/strict",
            BOOL),
        tool(
            "'type':'router:datetime','parameters':{'timezone':1}",
            "/parameters/timezone",
            "must be the name of a time zone, such as Europe/Paris"));
  }

  private static String many(int count, String item) {
    return "[" + String.join(",", Collections.nCopies(count, item)) + "]";
  }

  private static Mutation edit(String json, String under, String allowed) {
    return set("context_management", "{'edits':[" + json + "]}", "/edits/0" + under, allowed);
  }

  private static Mutation uses(String members, String under, String allowed) {
    return edit("{'type':'clear_tool_uses_20250919'," + members + "}", under, allowed);
  }

  private static Mutation block(String json, String under, String allowed) {
    return in("user", json, under, allowed);
  }

  private static Mutation inSystem(String json, String under, String allowed) {
    return in("system", json, under, allowed);
  }

  private static Mutation in(String role, String json, String under, String allowed) {
    String turn = "[{'role':'" + role + "','content':[" + json + "]}]";
    return set("messages", turn, "/0/content/0" + under, allowed);
  }

  private static Mutation document(String source, String under, String allowed) {
    return block("{'type':'document','source':" + source + "}", "/source" + under, allowed);
  }

  private static Mutation result(String members, String under, String allowed) {
    return block("{'type':'tool_result','tool_use_id':'i'," + members + "}", under, allowed);
  }

  private static Mutation searched(String content, String under, String allowed) {
    String json = "{'type':'web_search_tool_result','tool_use_id':'i','content':" + content + "}";
    return block(json, under, allowed);
  }

  private static Mutation tool(String members, String under, String allowed) {
    return set("tools", "[{" + members + "}]", "/0" + under, allowed);
  }
}
