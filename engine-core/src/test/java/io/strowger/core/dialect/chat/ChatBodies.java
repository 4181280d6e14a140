package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.bool;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.spi.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * Generates valid chat bodies. Among them they have every member, role, part, format and tool of
 * the contract, unknown members, and features that this version does not support.
 */
public final class ChatBodies {
  private static final String[] EFFORTS = {
    "'max'", "'xhigh'", "'high'", "'medium'", "'low'", "'minimal'", "'none'"
  };

  private ChatBodies() {}

  public static Arbitrary<Json.Obj> valid() {
    // reasoning.effort and its shorthand reasoning_effort must be equal
    return Arbitraries.of(EFFORTS).flatMap(ChatBodies::withEffort);
  }

  private static Arbitrary<Json.Obj> withEffort(String effort) {
    ObjectArbitrary body =
        ObjectArbitrary.object()
            .sometimes("model", text(1, 12))
            .always("messages", list(ChatMessageBodies.message(), 1, 4))
            .sometimes("reasoning", reasoning(effort))
            .sometimes("reasoning_effort", oneOf(effort, "null"));
    return caller(gateway(shape(sampling(body)))).build();
  }

  private static ObjectArbitrary sampling(ObjectArbitrary body) {
    return body.sometimes("temperature", oneOf("0", "2", "1.50", "2.0e0", "null"))
        .sometimes("top_p", oneOf("0", "1", "0.9", "null"))
        .sometimes("top_k", oneOf("0", "1", "40", "null"))
        .sometimes("min_p", oneOf("0", "1.0", "0.05", "null"))
        .sometimes("top_a", oneOf("0.0", "1", "null"))
        .sometimes("frequency_penalty", oneOf("-2", "2.0", "0", "null"))
        .sometimes("presence_penalty", oneOf("-2.0", "2", "-0.5", "null"))
        .sometimes("repetition_penalty", oneOf("0", "2", "1.1", "null"))
        .sometimes("seed", oneOf("0", "-7", "9223372036854775807", "null"))
        .sometimes("logit_bias", oneOf("{}", "{'50256':-100,'1':100,'2':0.5}", "null"))
        .sometimes("logprobs", oneOf("true", "false", "null"))
        .sometimes("top_logprobs", oneOf("0", "20", "5.0", "null"))
        .sometimes("max_tokens", oneOf("1", "1e3", "2147483647", "null"))
        .sometimes("max_completion_tokens", oneOf("1", "2147483647", "null"))
        .sometimes("stop", oneOf("''", "'x'", "[]", "['a','b','c','d']", "null"))
        .sometimes("n", oneOf("1", "2", "null"))
        .sometimes("verbosity", oneOf("'low'", "'max'", "null"));
  }

  private static ObjectArbitrary shape(ObjectArbitrary body) {
    return body.sometimes("stream", bool())
        .sometimes("stream_options", oneOf("null", "{}", "{'include_usage':false,'x':1}"))
        .sometimes("tools", list(ChatMessageBodies.tool(), 0, 3))
        .sometimes("tool_choice", toolChoice())
        .sometimes("parallel_tool_calls", oneOf("true", "false", "null"))
        .sometimes("response_format", responseFormat())
        .sometimes("include_reasoning", bool())
        .sometimes("prediction", prediction())
        .sometimes("modalities", oneOf("[]", "['text']", "['text','image','audio']"))
        .sometimes("image_config", oneOf("{}", "{'a':'b','c':1.0,'d':[null,{}]}"))
        .sometimes("web_search_options", oneOf("{}", "{'search_context_size':'low','x':1}"));
  }

  private static ObjectArbitrary gateway(ObjectArbitrary body) {
    return body.sometimes("models", list(text(1, 8), 0, 3))
        .sometimes("provider", oneOf("null", "{}", "{'order':['a'],'allow_fallbacks':false}"))
        .sometimes("plugins", oneOf("[]", "[{'id':'web'}]", "[{'id':'web','enabled':false,'x':1}]"))
        .sometimes("route", oneOf("'fallback'", "'sort'", "null"))
        .sometimes("preset", oneOf("'support-bot_2'", "null"))
        .sometimes("service_tier", oneOf("'auto'", "'fast'", "'flex'", "'scale'", "null"))
        .sometimes("max_tool_calls", oneOf("1", "30", "1000", "null"))
        .sometimes(
            "stop_server_tools_when",
            oneOf(
                "[{'type':'step_count_is','step_count':1}]",
                "[{'type':'has_tool_call','tool_name':'t'},{'type':'max_tokens_used',"
                    + "'max_tokens':5},{'type':'max_cost','max_cost_in_dollars':0.5,'x':1},"
                    + "{'type':'finish_reason_is','reason':'stop'}]"));
  }

  private static ObjectArbitrary caller(ObjectArbitrary body) {
    return body.sometimes("cache_control", ChatMessageBodies.CACHE)
        .sometimes("prompt_cache_key", Arbitraries.oneOf(text(0, 8), oneOf("null")))
        .sometimes("prompt_cache_options", oneOf("null", "{'mode':'explicit','ttl':'30m'}"))
        .sometimes("session_id", text(0, 256))
        .sometimes("user", text(0, 300))
        .sometimes("metadata", oneOf("{}", "{'k':'v','':''}"))
        .sometimes("trace", oneOf("{}", "{'trace_id':'t','other':[1]}"))
        .sometimes("debug", oneOf("{}", "{'echo_upstream_body':true}"))
        .sometimes("unknown", anything())
        .sometimes("x_un\\u006bnown", oneOf("{'b' : [1,2e3]}", "0.10"));
  }

  private static Arbitrary<Json.Obj> reasoning(String effort) {
    return ObjectArbitrary.object()
        .sometimes("effort", oneOf(effort, "null"))
        .sometimes("summary", oneOf("'auto'", "'concise'", "'detailed'", "null"))
        .sometimes("max_tokens", oneOf("0", "1024"))
        .sometimes("exclude", bool())
        .sometimes("enabled", bool())
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json> toolChoice() {
    return oneOf(
        "'none'",
        "'auto'",
        "'required'",
        "{'type':'function','function':{'name':'f','x':1}}",
        "{'type':'router:datetime','x':[]}",
        "{'type':'web_search'}");
  }

  private static Arbitrary<Json> responseFormat() {
    return oneOf(
        "{'type':'text'}",
        "{'type':'json_object','x':1}",
        "{'type':'json_schema','json_schema':{'name':'n'}}",
        "{'type':'json_schema','json_schema':{'name':'n','description':'d','strict':null,"
            + "'schema':{'type':'object'},'x':1}}",
        "{'type':'grammar','grammar':''}",
        "{'type':'python'}");
  }

  private static Arbitrary<Json> prediction() {
    return oneOf(
        "null",
        "{'type':'content','content':''}",
        "{'content':[{'type':'text','text':'t'}],'type':'content','x':1}");
  }
}
