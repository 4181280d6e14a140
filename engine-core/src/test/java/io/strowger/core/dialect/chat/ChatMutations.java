package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.ArrayList;
import java.util.List;

/** Mutations that each break one rule of a chat body, whatever else is in it. */
public final class ChatMutations {
  private static final String EFFORTS =
      "must be one of max, xhigh, high, medium, low, minimal, none";
  private static final String PARTS =
      "must be one of text, image_url, input_audio, video_url, input_video, file";

  private ChatMutations() {}

  public static List<Mutation> all() {
    var all = new ArrayList<Mutation>();
    all.addAll(sampling());
    all.addAll(shape());
    all.addAll(gateway());
    all.addAll(caller());
    all.addAll(messages());
    all.addAll(parts());
    all.addAll(assistants());
    return all;
  }

  private static List<Mutation> sampling() {
    return List.of(
        set("temperature", "2.1", "must be a number from 0 to 2"),
        set("top_p", "-0.1", "must be a number from 0 to 1"),
        set("top_k", "-1", "must be a whole number of at least 0"),
        set("min_p", "1.1", "must be a number from 0 to 1"),
        set("top_a", "1.1", "must be a number from 0 to 1"),
        set("frequency_penalty", "2.1", "must be a number from -2 to 2"),
        set("presence_penalty", "-2.1", "must be a number from -2 to 2"),
        set("repetition_penalty", "2.1", "must be a number from 0 to 2"),
        set("seed", "0.5", "must be a whole number"),
        set("logit_bias", "{'1':101}", "/1", "must be a number from -100 to 100"),
        set("logprobs", "0", "must be true or false"),
        set("top_logprobs", "21", "must be a whole number from 0 to 20"),
        set("max_tokens", "0", "must be a whole number from 1 to 2147483647"),
        set("max_completion_tokens", "0", "must be a whole number from 1 to 2147483647"),
        set("stop", "0", "must be a string or an array of at most 4 strings"),
        set("stop", "['','','','','']", "must have at most 4 items"),
        set("stop", "[0]", "/0", "must be a string"),
        set("n", "0", "must be a whole number of at least 1"),
        set("verbosity", "'none'", "must be one of low, medium, high, xhigh, max"));
  }

  private static List<Mutation> shape() {
    String schema = "{'type':'json_schema','json_schema':%s}";
    String formats = "must be one of text, json_object, json_schema, grammar, python";
    return List.of(
        set("stream", "null", "must be true or false"),
        set("stream_options", "{'include_usage':0}", "/include_usage", "must be true or false"),
        set("tools", "null", "must be an array"),
        set("tools", "[{'type':'function'}]", "/0/function", "is required"),
        set(
            "tools",
            "[{'type':'function','function':{'name':'a b'}}]",
            "/0/function/name",
            "must be 1 to 64 of A-Z a-z 0-9 _ -"),
        set("tool_choice", "'any'", "must be one of none, auto, required"),
        set("tool_choice", "{'type':'function'}", "/function", "is required"),
        set("parallel_tool_calls", "0", "must be true or false"),
        set("response_format", "null", "must be an object"),
        set("response_format", "{'type':'x'}", "/type", formats),
        set("response_format", "{'type':'grammar'}", "/grammar", "is required"),
        set("response_format", schema.formatted("{}"), "/json_schema/name", "is required"),
        set("include_reasoning", "null", "must be true or false"),
        set("prediction", "{'type':'content'}", "/content", "is required"),
        set("modalities", "['video']", "/0", "must be one of text, image, audio"),
        set("image_config", "{'a':{}}", "/a", "must be a string, number or array"),
        set(
            "web_search_options",
            "{'search_context_size':1}",
            "/search_context_size",
            "must be one of low, medium, high"),
        set("reasoning", "null", "must be an object"),
        set("reasoning", "{'effort':'x'}", "/effort", EFFORTS),
        set("reasoning", "{'enabled':0}", "/enabled", "must be true or false"),
        set("reasoning_effort", "'x'", EFFORTS));
  }

  private static List<Mutation> gateway() {
    return List.of(
        set("model", "''", "must be a string, not empty"),
        set("models", "[null]", "/0", "must be a string, not empty"),
        set("provider", "{'x':1}", "/x", "is not a member of provider"),
        set("plugins", "[{}]", "/0/id", "is required"),
        set("route", "'x'", "must be one of fallback, sort"),
        set("preset", "'A'", "must be 1 to 100 of a-z 0-9, with single - or _ between them"),
        set("service_tier", "'x'", "must be one of auto, default, fast, flex, priority, scale"),
        set("max_tool_calls", "0", "must be a whole number of at least 1"),
        set("stop_server_tools_when", "[]", "must have at least 1 item"));
  }

  private static List<Mutation> caller() {
    return List.of(
        set("cache_control", "{}", "/type", "is required"),
        set("prompt_cache_key", "0", "must be a string"),
        set("prompt_cache_options", "{'ttl':null}", "/mode", "is required"),
        set(
            "session_id",
            "'" + "s".repeat(257) + "'",
            "must be a string of at most 256 characters"),
        set("user", "null", "must be a string"),
        set("metadata", "{'k':null}", "/k", "must be a string of at most 512 characters"),
        set("trace", "{'trace_id':0}", "/trace_id", "must be a string"),
        set("debug", "{'echo_upstream_body':0}", "/echo_upstream_body", "must be true or false"));
  }

  private static List<Mutation> messages() {
    String roles = "must be one of system, user, developer, assistant, tool";
    String content = "must be a string or an array of content parts";
    return List.of(
        Mutation.without("messages"),
        set("messages", "null", "must be an array"),
        set("messages", "[]", "must have at least 1 item"),
        set("messages", "[1]", "/0", "must be an object"),
        set("messages", "[{'content':''}]", "/0/role", "is required"),
        set("messages", "[{'role':'User','content':''}]", "/0/role", roles),
        set("messages", "[{'role':'system'}]", "/0/content", "is required"),
        set("messages", "[{'role':'developer'}]", "/0/content", "is required"),
        set("messages", "[{'role':'user'}]", "/0/content", "is required"),
        set("messages", "[{'role':'user','content':null}]", "/0/content", content),
        set("messages", "[{'role':'user','content':'','name':1}]", "/0/name", "must be a string"),
        set("messages", "[{'role':'tool','tool_call_id':''}]", "/0/content", "is required"),
        set("messages", "[{'role':'tool','content':''}]", "/0/tool_call_id", "is required"));
  }

  private static Mutation part(String role, String part, String under, String allowed) {
    String message = "[{'role':'" + role + "','content':[" + part + "],'tool_call_id':'c'}]";
    return set("messages", message, "/0/content/0" + under, allowed);
  }

  private static List<Mutation> parts() {
    String text = "must be text, the only type allowed here";
    String detail = "must be one of auto, low, high, original";
    return List.of(
        part("system", "{'type':'file','file':{}}", "/type", text),
        part("developer", "{'type':'x'}", "/type", text),
        part("user", "{'type':'x'}", "/type", PARTS),
        part("tool", "{'type':'x'}", "/type", PARTS),
        part("assistant", "{'text':'x'}", "/type", "is required"),
        part("user", "{'type':'text'}", "/text", "is required"),
        part("user", "{'type':'image_url','image_url':{}}", "/image_url/url", "is required"),
        part(
            "tool",
            "{'type':'image_url','image_url':{'url':'data:,x','detail':''}}",
            "/image_url/detail",
            detail),
        part(
            "user",
            "{'type':'input_audio','input_audio':{'data':''}}",
            "/input_audio/format",
            "is required"),
        part("user", "{'type':'video_url','video_url':{}}", "/video_url/url", "is required"),
        part("user", "{'type':'input_video'}", "/video_url", "is required"),
        part("user", "{'type':'file','file':{'file_id':0}}", "/file/file_id", "must be a string"));
  }

  private static Mutation assistant(String members, String under, String allowed) {
    return set("messages", "[{'role':'assistant'," + members + "}]", "/0" + under, allowed);
  }

  private static List<Mutation> assistants() {
    String call = "'tool_calls':[{'id':'','type':'%s','function':%s}]";
    String function = "{'name':'','arguments':''}";
    String details = "'reasoning_details':[%s]";
    return List.of(
        assistant("'tool_calls':null", "/tool_calls", "must be an array"),
        assistant(call.formatted("x", function), "/tool_calls/0/type", "must be function"),
        assistant(
            call.formatted("function", "{'name':''}"),
            "/tool_calls/0/function/arguments",
            "is required"),
        assistant("'refusal':0", "/refusal", "must be a string"),
        assistant("'reasoning':0", "/reasoning", "must be a string"),
        assistant("'images':[{'image_url':{}}]", "/images/0/image_url/url", "is required"),
        assistant("'audio':{'expires_at':''}", "/audio/expires_at", "must be a whole number"),
        assistant(
            details.formatted("{'type':'reasoning.encrypted'}"),
            "/reasoning_details/0/data",
            "is required"),
        assistant(
            details.formatted("{'type':'reasoning.text','index':0.5}"),
            "/reasoning_details/0/index",
            "must be a whole number"));
  }
}
