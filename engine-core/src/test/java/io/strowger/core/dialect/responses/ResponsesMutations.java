package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.ArrayList;
import java.util.List;

/** Mutations that each break exactly one rule of a valid responses body. */
public final class ResponsesMutations {
  private static final String STRING = "must be a string";
  private static final String OBJECT = "must be an object";
  private static final String ARRAY = "must be an array";
  private static final String BOOL = "must be true or false";
  private static final String REQUIRED = "is required";
  private static final String TEXT = "must be a string, not empty";
  private static final String NAME = "must be 1 to 64 of A-Z a-z 0-9 _ -";

  private ResponsesMutations() {}

  public static List<Mutation> all() {
    var all = new ArrayList<>(stateless());
    all.addAll(ItemMutations.all());
    all.addAll(numbers());
    all.addAll(tools());
    all.addAll(toolChoice());
    all.addAll(shaping());
    all.addAll(handling());
    return List.copyOf(all);
  }

  static List<Mutation> stateless() {
    return List.of(
        set("store", "true", "must be false: no response is stored"),
        set("store", "null", "must be false: no response is stored"),
        set("store", "'false'", "must be false: no response is stored"),
        set("previous_response_id", "'resp_1'", "must be null: no response is stored"),
        set("previous_response_id", "''", "must be null: no response is stored"),
        set("background", "true", "must be false or null: no response is stored"),
        set("background", "0", "must be false or null: no response is stored"));
  }

  static List<Mutation> numbers() {
    String tokens = "must be a whole number from 1 to 2147483647";
    return List.of(
        set("max_output_tokens", "0", tokens),
        set("max_output_tokens", "2147483648", tokens),
        set("max_output_tokens", "1.5", tokens),
        set("max_tool_calls", "0", "must be a whole number of at least 1"),
        set("max_tool_calls", "'3'", "must be a whole number of at least 1"),
        set("temperature", "-0.001", "must be a number from 0 to 2"),
        set("temperature", "2.001", "must be a number from 0 to 2"),
        set("top_p", "-0.1", "must be a number from 0 to 1"),
        set("top_p", "1.01", "must be a number from 0 to 1"),
        set("frequency_penalty", "-2.01", "must be a number from -2 to 2"),
        set("frequency_penalty", "2.01", "must be a number from -2 to 2"),
        set("presence_penalty", "-3", "must be a number from -2 to 2"),
        set("presence_penalty", "3", "must be a number from -2 to 2"),
        set("top_k", "-1", "must be a whole number of at least 0"),
        set("top_k", "null", "must be a whole number of at least 0"),
        set("top_logprobs", "-1", "must be a whole number from 0 to 20"),
        set("top_logprobs", "21", "must be a whole number from 0 to 20"));
  }

  static List<Mutation> tools() {
    return List.of(
        set("tools", "null", ARRAY),
        tool("1", "", OBJECT),
        tool("{}", "/type", REQUIRED),
        tool("{'type':null}", "/type", STRING),
        tool("{'type':'function','parameters':{}}", "/name", REQUIRED),
        tool("{'type':'function','parameters':{},'name':''}", "/name", NAME),
        tool("{'type':'function','parameters':{},'name':'a b'}", "/name", NAME),
        tool("{'type':'function','parameters':{},'name':'" + "n".repeat(65) + "'}", "/name", NAME),
        tool("{'type':'function','name':'f'}", "/parameters", REQUIRED),
        tool("{'type':'function','name':'f','parameters':[]}", "/parameters", OBJECT),
        tool(
            "{'type':'function','name':'f','parameters':null,'description':1}",
            "/description",
            STRING),
        tool("{'type':'function','name':'f','parameters':null,'strict':1}", "/strict", BOOL),
        tool(
            "{'type':'function','name':'f','parameters':null,'defer_loading':null}",
            "/defer_loading",
            BOOL),
        tool("{'type':'custom'}", "/name", REQUIRED),
        tool("{'type':'custom','name':''}", "/name", TEXT),
        tool("{'type':'custom','name':'c','format':null}", "/format", OBJECT),
        tool("{'type':'custom','name':'c','format':{}}", "/format/type", REQUIRED),
        tool(
            "{'type':'custom','name':'c','format':{'type':'json'}}",
            "/format/type",
            "must be one of text, grammar"),
        tool(
            "{'type':'custom','name':'c','format':{'type':'grammar','definition':''}}",
            "/format/syntax",
            REQUIRED),
        tool(
            "{'type':'custom','name':'c','format':{'type':'grammar','syntax':'lark'}}",
            "/format/definition",
            REQUIRED),
        tool(
            "{'type':'custom','name':'c',"
                + "'format':{'type':'grammar','syntax':'ebnf','definition':''}}",
            "/format/syntax",
            "must be one of lark, regex"),
        tool("{'type':'namespace','name':1}", "/name", STRING),
        tool("{'type':'namespace','tools':[{'type':'shell'},1]}", "/tools/1", OBJECT),
        tool("{'type':'router:datetime','parameters':null}", "/parameters", OBJECT));
  }

  static List<Mutation> toolChoice() {
    String allowed = "must be none, auto, required or an object that names a tool";
    return List.of(
        set("tool_choice", "null", allowed),
        set("tool_choice", "[]", allowed),
        set("tool_choice", "'any'", "must be one of none, auto, required"),
        set("tool_choice", "{}", "/type", REQUIRED),
        set("tool_choice", "{'type':1}", "/type", STRING),
        set("tool_choice", "{'type':'function'}", "/name", REQUIRED),
        set("tool_choice", "{'type':'function','name':''}", "/name", NAME),
        set("tool_choice", "{'type':'allowed_tools','tools':[]}", "/mode", REQUIRED),
        set(
            "tool_choice",
            "{'type':'allowed_tools','mode':'none','tools':[]}",
            "/mode",
            "must be one of auto, required"),
        set("tool_choice", "{'type':'allowed_tools','mode':'auto'}", "/tools", REQUIRED),
        set(
            "tool_choice",
            "{'type':'allowed_tools','mode':'auto','tools':[{}]}",
            "/tools/0/type",
            REQUIRED));
  }

  static List<Mutation> shaping() {
    String schema = "{'format':{'type':'json_schema',";
    return List.of(
        set("text", "null", OBJECT),
        set("text", "{'format':null}", "/format", OBJECT),
        set(
            "text",
            "{'format':{'type':'grammar'}}",
            "/format/type",
            "must be one of text, json_object, json_schema"),
        set("text", schema + "'schema':{}}}", "/format/name", REQUIRED),
        set(
            "text",
            schema + "'schema':{},'name':''}}",
            "/format/name",
            "must be a string of 1 to 64 characters"),
        set(
            "text",
            schema + "'schema':{},'name':'" + "n".repeat(65) + "'}}",
            "/format/name",
            "must be a string of 1 to 64 characters"),
        set("text", schema + "'name':'n'}}", "/format/schema", REQUIRED),
        set("text", schema + "'name':'n','schema':null}}", "/format/schema", OBJECT),
        set("text", schema + "'name':'n','schema':{},'strict':1}}", "/format/strict", BOOL),
        set(
            "text",
            schema + "'name':'n','schema':{},'description':null}}",
            "/format/description",
            STRING),
        set(
            "text",
            "{'verbosity':'min'}",
            "/verbosity",
            "must be one of low, medium, high, xhigh, max"),
        set("reasoning", "'high'", OBJECT),
        set(
            "reasoning",
            "{'effort':'huge'}",
            "/effort",
            "must be one of max, xhigh, high, medium, low, minimal, none"),
        set("reasoning", "{'summary':''}", "/summary", "must be one of auto, concise, detailed"),
        set("reasoning", "{'mode':null}", "/mode", "must be one of standard, pro"),
        set(
            "reasoning",
            "{'context':'none'}",
            "/context",
            "must be one of auto, all_turns, current_turn"),
        set("reasoning", "{'enabled':1}", "/enabled", BOOL),
        set(
            "reasoning",
            "{'max_tokens':-1}",
            "/max_tokens",
            "must be a whole number from 0 to 2147483647"),
        set("parallel_tool_calls", "1", BOOL),
        set("instructions", "[]", STRING),
        set("modalities", "null", ARRAY),
        set("modalities", "['text','audio']", "/1", "must be one of text, image"),
        set("image_config", "null", OBJECT),
        set("image_config", "{'a':true}", "/a", "must be a string, number or array"));
  }

  static List<Mutation> handling() {
    String id = "must be a string of at most 256 characters";
    return List.of(
        set("model", "''", TEXT),
        set("model", "null", TEXT),
        set("models", "null", ARRAY),
        set("models", "['a','']", "/1", TEXT),
        set("include", "{}", ARRAY),
        set(
            "include",
            "['usage']",
            "/0",
            "must be one of reasoning.encrypted_content, file_search_call.results,"
                + " message.input_image.image_url, computer_call_output.output.image_url,"
                + " code_interpreter_call.outputs"),
        set("truncation", "'none'", "must be one of auto, disabled"),
        set("prompt", "'p'", OBJECT),
        set("prompt", "{}", "/id", REQUIRED),
        set("prompt", "{'id':'p','variables':[]}", "/variables", OBJECT),
        set("safety_identifier", "1", STRING),
        set("prompt_cache_key", "1", STRING),
        set("prompt_cache_options", "{'mode':'auto'}", "/mode", "must be explicit"),
        set("service_tier", "'slow'", "must be one of auto, default, fast, flex, priority, scale"),
        set("metadata", "[]", OBJECT),
        set("metadata", "{'a[0]':''}", "must have keys without [ and ]"),
        set("metadata", "{'a':null}", "/a", "must be a string of at most 512 characters"),
        set("plugins", "null", ARRAY),
        set("plugins", "[{}]", "/0/id", REQUIRED),
        set("provider", "{'nope':1}", "/nope", "is not a member of provider"),
        set("route", "'model'", "must be one of fallback, sort"),
        set("session_id", "'" + "s".repeat(257) + "'", id),
        set("session_id", "null", id),
        set("user", "'" + "u".repeat(257) + "'", id),
        set("user", "null", id),
        set("trace", "null", OBJECT),
        set("trace", "{'trace_id':1}", "/trace_id", STRING),
        set("debug", "null", OBJECT),
        set("debug", "{'echo_upstream_body':'yes'}", "/echo_upstream_body", BOOL),
        set("cache_control", "null", OBJECT),
        set("cache_control", "{'type':'ephemeral','ttl':'2h'}", "/ttl", "must be one of 5m, 1h"),
        set("stop_server_tools_when", "[]", "must have at least 1 item"),
        set("stream", "null", BOOL),
        set("stream", "'true'", BOOL));
  }

  private static Mutation tool(String json, String under, String allowed) {
    return set("tools", "[" + json + "]", "/0" + under, allowed);
  }
}
