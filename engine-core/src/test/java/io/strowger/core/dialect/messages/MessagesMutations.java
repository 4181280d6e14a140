package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Mutations that each break exactly one rule of any valid messages body: of its members, blocks and
 * tools.
 */
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
    return Stream.of(members(), output(), context(), BlockMutations.all(), ToolMutations.all())
        .flatMap(List::stream)
        .toList();
  }

  static List<Mutation> members() {
    return List.of(
        set("fallbacks", "{}", ARRAY),
        set("fallbacks", repeated(4, "{'model':'a'}"), "must have at most 3 items"),
        set("fallbacks", "['a']", "/0", OBJECT),
        set("fallbacks", "[{'model':'a'},{}]", "/1/model", REQUIRED),
        set("fallbacks", "[{'model':''}]", "/0/model", TEXT),
        set("fallbacks", "[{'model':null}]", "/0/model", TEXT),
        set(
            "fallbacks",
            "[{'model':'a','provider':{}}]",
            "/0/provider",
            "is not allowed here: a fallback has the member model only"),
        set("stop_server_tools_when", "null", ARRAY),
        set("stop_server_tools_when", "[]", "must have at least 1 item"),
        set(
            "stop_server_tools_when",
            "[{'type':'step_count_is','step_count':0}]",
            "/0/step_count",
            "must be a whole number of at least 1"),
        set("max_tool_calls", "0", "must be a whole number of at least 1"),
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
        clearToolUses("'trigger':null", "/trigger", OBJECT),
        clearToolUses("'trigger':{'type':'turns','value':1}", "/trigger/type", tokensOrUses),
        clearToolUses("'trigger':{'type':'input_tokens'}", "/trigger/value", REQUIRED),
        clearToolUses("'trigger':{'type':'tool_uses','value':1.5}", "/trigger/value", WHOLE),
        clearToolUses(
            "'keep':{'type':'input_tokens','value':1}", "/keep/type", "must be tool_uses"),
        clearToolUses("'keep':{'type':'tool_uses','value':null}", "/keep/value", WHOLE),
        clearToolUses(
            "'clear_at_least':{'type':'tool_uses','value':1}",
            "/clear_at_least/type",
            "must be input_tokens"),
        clearToolUses(
            "'clear_tool_inputs':1",
            "/clear_tool_inputs",
            "must be true, false or an array of tool names"),
        clearToolUses("'clear_tool_inputs':['f',null]", "/clear_tool_inputs/1", STRING),
        clearToolUses("'exclude_tools':'f'", "/exclude_tools", ARRAY),
        clearToolUses("'exclude_tools':[1]", "/exclude_tools/0", STRING),
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

  private static String repeated(int count, String item) {
    return "[" + String.join(",", Collections.nCopies(count, item)) + "]";
  }

  private static Mutation edit(String json, String under, String allowed) {
    return set("context_management", "{'edits':[" + json + "]}", "/edits/0" + under, allowed);
  }

  private static Mutation clearToolUses(String members, String under, String allowed) {
    return edit("{'type':'clear_tool_uses_20250919'," + members + "}", under, allowed);
  }
}
