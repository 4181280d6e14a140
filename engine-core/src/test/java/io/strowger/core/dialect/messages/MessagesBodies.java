package io.strowger.core.dialect.messages;

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
 * Generates valid messages bodies. Among them they have every member, role, block and tool of the
 * contract.
 */
public final class MessagesBodies {
  private static final Arbitrary<Json> CACHE =
      oneOf(
          "{'type':'ephemeral'}",
          "{'type':'ephemeral','ttl':'5m'}",
          "{'ttl':'1h','type':'ephemeral','x':1}");

  private MessagesBodies() {}

  /** Generates bodies with fallbacks, with models or with neither, never with both. */
  public static Arbitrary<Json.Obj> valid() {
    return Arbitraries.oneOf(
        body(ObjectArbitrary.object().sometimes("models", list(text(1, 8), 0, 3))),
        body(
            ObjectArbitrary.object()
                .sometimes(
                    "fallbacks",
                    oneOf(
                        "null",
                        "[]",
                        "[{'model':'a/b'}]",
                        "[{'model':'a'},{'model':'b:free'},{'model':'c'}]"))));
  }

  private static Arbitrary<Json.Obj> body(ObjectArbitrary body) {
    return output(
            routing(body.always("model", text(1, 12)).always("messages", list(message(), 1, 4))))
        .sometimes("system", system())
        .sometimes("tools", list(MessagesToolBodies.valid(), 0, 3))
        .sometimes("unknown", anything())
        .build();
  }

  private static ObjectArbitrary output(ObjectArbitrary body) {
    return body.sometimes("speed", oneOf("'fast'", "'standard'", "null"))
        .sometimes("stop_server_tools_when", oneOf("[{'type':'step_count_is','step_count':1}]"))
        .sometimes("output_config", outputConfig())
        .sometimes("max_tokens", oneOf("9000", "64000", "2147483647"))
        .sometimes("stop_sequences", list(text(0, 4), 0, 6))
        .sometimes("temperature", oneOf("0", "1", "0.5", "1.0", "1e-1"))
        .sometimes("top_p", oneOf("0", "0.9", "1"))
        .sometimes("top_k", oneOf("0", "40"))
        .sometimes("stream", bool())
        .sometimes("thinking", thinking())
        .sometimes(
            "tool_choice",
            oneOf("{'type':'auto'}", "{'type':'auto','disable_parallel_tool_use':true}"))
        .sometimes("context_management", contextManagement());
  }

  private static ObjectArbitrary routing(ObjectArbitrary body) {
    return body.sometimes("metadata", oneOf("{}", "{'user_id':'u'}", "{'user_id':null,'x':{}}"))
        .sometimes("service_tier", text(0, 8))
        .sometimes("cache_control", CACHE)
        .sometimes("trace", oneOf("{}", "{'trace_id':'t','other':[1]}"))
        .sometimes("plugins", oneOf("[]", "[{'id':'web'}]", "[{'id':'web','enabled':false,'x':1}]"))
        .sometimes("provider", oneOf("null", "{}", "{'order':['a'],'allow_fallbacks':false}"))
        .sometimes("route", oneOf("'fallback'", "'sort'", "null"))
        .sometimes("session_id", text(0, 256))
        .sometimes("user", text(0, 256));
  }

  private static Arbitrary<Json> system() {
    return Arbitraries.oneOf(text(0, 20), list(textBlock(), 0, 3));
  }

  private static Arbitrary<Json> thinking() {
    return oneOf(
        "{'type':'enabled','budget_tokens':1024}",
        "{'type':'enabled','budget_tokens':8999,'display':'omitted'}",
        "{'type':'adaptive'}",
        "{'type':'adaptive','display':null}",
        "{'type':'disabled','budget_tokens':1,'later':2}");
  }

  private static Arbitrary<Json> outputConfig() {
    return ObjectArbitrary.object()
        .sometimes("effort", oneOf("'low'", "'medium'", "'high'", "'xhigh'", "'max'", "null"))
        .sometimes("format", oneOf("null", "{'type':'json_schema','schema':{'type':'object'}}"))
        .sometimes(
            "task_budget",
            oneOf(
                "null",
                "{'type':'tokens','total':20000}",
                "{'type':'tokens','total':20001,'remaining':0}",
                "{'type':'tokens','total':99999,'remaining':null}"))
        .sometimes("unknown", anything())
        .build()
        .map(config -> config);
  }

  private static Arbitrary<Json> contextManagement() {
    return oneOf(
        "null",
        "{}",
        "{'edits':[]}",
        "{'edits':[{'type':'clear_tool_uses_20250919'},{'type':'clear_thinking_20251015','keep':'all'}]}",
        "{'edits':[{'type':'clear_tool_uses_20250919','trigger':{'type':'input_tokens','value':1},"
            + "'keep':{'type':'tool_uses','value':3},'clear_at_least':{'type':'input_tokens','value':9},"
            + "'clear_tool_inputs':['f'],'exclude_tools':['g']}]}",
        "{'edits':[{'type':'clear_tool_uses_20250919','trigger':{'type':'tool_uses','value':1},"
            + "'clear_at_least':null,'clear_tool_inputs':null,'exclude_tools':null}]}",
        "{'edits':[{'type':'clear_tool_uses_20250919','clear_tool_inputs':true}]}",
        "{'edits':[{'type':'clear_thinking_20251015','keep':{'type':'all'}}]}",
        "{'edits':[{'type':'clear_thinking_20251015','keep':{'type':'thinking_turns','value':2}}]}",
        "{'edits':[{'type':'compact_20260112','trigger':null,'instructions':null}]}",
        "{'edits':[{'type':'compact_20260112','trigger':{'type':'input_tokens','value':1},"
            + "'instructions':'i','pause_after_compaction':true}]}");
  }

  static Arbitrary<Json.Obj> message() {
    return Arbitraries.oneOf(
        messageOf("'user'", conversationBlock()),
        messageOf("'assistant'", conversationBlock()),
        messageOf("'system'", systemBlock()));
  }

  private static Arbitrary<Json.Obj> messageOf(String role, Arbitrary<? extends Json> block) {
    return ObjectArbitrary.object()
        .always("role", oneOf(role))
        .always("content", Arbitraries.oneOf(text(0, 20), list(block, 0, 4)))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json> systemBlock() {
    return Arbitraries.oneOf(
        textBlock().map(block -> block),
        oneOf(
            "{'type':'tool_addition','tool':{'type':'tool_reference','name':'f'}}",
            "{'type':'tool_removal','tool':{'type':'mcp_tool_reference','name':'f','server_name':'s'}}",
            "{'type':'tool_removal','tool':{'type':'mcp_toolset_reference','server_name':'s'}}",
            "{'type':'later','x':[null]}"));
  }

  private static Arbitrary<Json> conversationBlock() {
    return Arbitraries.oneOf(
        textBlock().map(block -> block),
        image().map(block -> block),
        document().map(block -> block),
        toolUse().map(block -> block),
        toolResult().map(block -> block),
        thinkingBlock().map(block -> block),
        searchResult().map(block -> block),
        otherBlock());
  }

  private static Arbitrary<Json> otherBlock() {
    return oneOf(
        "{'type':'redacted_thinking','data':'AA'}",
        "{'type':'server_tool_use','id':'s','name':'web_search','input':{'query':'q'}}",
        "{'type':'server_tool_use','id':'s','name':'n','cache_control':{'type':'ephemeral'}}",
        "{'type':'web_search_tool_result','tool_use_id':'s','content':[]}",
        "{'type':'web_search_tool_result','tool_use_id':'s','content':[{'type':'web_search_result',"
            + "'url':'https://u','title':'t','encrypted_content':'e'},{'type':'web_search_result','url':'https://u',"
            + "'title':'t','encrypted_content':'e','page_age':null}],'caller':{'type':'direct'}}",
        "{'type':'web_search_tool_result','tool_use_id':'s','content':"
            + "{'type':'web_search_tool_result_error','error_code':'unavailable'}}",
        "{'type':'compaction','content':null}",
        "{'type':'compaction','content':'c','encrypted_content':'e'}",
        "{'type':'advisor_tool_result','tool_use_id':'s','content':{'type':'x'}}",
        "{'type':'router_shell_tool_result','tool_use_id':'s','content':{}}",
        "{'type':'router_bash_tool_result','tool_use_id':'s','content':{}}",
        "{'type':'container_upload','file_id':'f'}",
        "{'type':'never heard of','deep':{'er':[1.50,null]}}");
  }

  private static Arbitrary<Json.Obj> textBlock() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'text'"))
        .always("text", text(0, 20))
        .sometimes("cache_control", CACHE)
        .sometimes("citations", citations())
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json> citations() {
    return oneOf(
        "null",
        "[]",
        "[{'type':'char_location','cited_text':'c','document_index':0,'document_title':null,"
            + "'start_char_index':0,'end_char_index':2,'file_id':null}]",
        "[{'type':'page_location','start_page_number':1,'end_page_number':2,'file_id':'f'}]",
        "[{'type':'content_block_location','start_block_index':0,'end_block_index':1}]",
        "[{'type':'web_search_result_location','cited_text':'c','encrypted_index':'e','title':null,"
            + "'url':'https://u'},{'type':'search_result_location','search_result_index':0,'source':'s',"
            + "'title':'t','start_block_index':0,'end_block_index':1,'later':1}]");
  }

  private static Arbitrary<Json.Obj> image() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'image'"))
        .always(
            "source",
            oneOf(
                "{'type':'base64','media_type':'image/jpeg','data':'AA=='}",
                "{'type':'base64','media_type':'image/png','data':''}",
                "{'data':'AAAA','media_type':'image/gif','type':'base64','later':1}",
                "{'type':'base64','media_type':'image/webp','data':'AAAA'}",
                "{'type':'url','url':'https://a/b.png'}",
                "{'type':'url','url':'https://a/b.png','later':{}}"))
        .sometimes("cache_control", CACHE)
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> document() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'document'"))
        .always(
            "source",
            oneOf(
                "{'type':'base64','media_type':'application/pdf','data':'AA=='}",
                "{'type':'text','media_type':'text/plain','data':'plain'}",
                "{'type':'url','url':'https://a/b.pdf','later':1}",
                "{'type':'file','file_id':'f'}",
                "{'type':'content','content':'said'}",
                "{'type':'content','content':[{'type':'text','text':'t'},{'type':'image',"
                    + "'source':{'type':'url','url':'https://u'}}]}"))
        .sometimes("title", oneOf("'t'", "null"))
        .sometimes("context", oneOf("'c'", "null"))
        .sometimes("citations", oneOf("{'enabled':true}", "{}", "null"))
        .sometimes("cache_control", CACHE)
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> toolUse() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'tool_use'"))
        .always("id", text(0, 8))
        .always("name", text(0, 8))
        .sometimes("input", oneOf("{}", "{'a':1.50,'b':[null]}", "'x'", "null", "[1]"))
        .sometimes("cache_control", CACHE)
        .sometimes("caller", oneOf("{'type':'direct'}"))
        .build();
  }

  private static Arbitrary<Json.Obj> toolResult() {
    Arbitrary<Json> part =
        Arbitraries.oneOf(
            textBlock().map(block -> block),
            image().map(block -> block),
            document().map(block -> block),
            searchResult().map(block -> block),
            oneOf("{'type':'tool_reference','tool_name':'f'}", "{'type':'later'}"));
    return ObjectArbitrary.object()
        .always("type", oneOf("'tool_result'"))
        .always("tool_use_id", text(0, 8))
        .sometimes("content", Arbitraries.oneOf(text(0, 20), list(part, 0, 3)))
        .sometimes("is_error", bool())
        .sometimes("cache_control", CACHE)
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> thinkingBlock() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'thinking'"))
        .always("thinking", text(0, 20))
        .always("signature", text(0, 20))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> searchResult() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'search_result'"))
        .always("source", text(0, 8))
        .always("title", text(0, 8))
        .always("content", list(textBlock(), 0, 2))
        .sometimes("citations", oneOf("{'enabled':false}"))
        .sometimes("cache_control", CACHE)
        .build();
  }
}
