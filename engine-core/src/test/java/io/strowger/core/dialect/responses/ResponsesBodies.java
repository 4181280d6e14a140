package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.bool;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.spi.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generates valid responses bodies; {@link ResponsesMutations} breaks one rule of such a body. */
public final class ResponsesBodies {
  private ResponsesBodies() {}

  public static Arbitrary<Json.Obj> valid() {
    return ObjectArbitrary.object()
        .sometimes("store", oneOf("false"))
        .sometimes("previous_response_id", oneOf("null"))
        .always("input", input())
        .sometimes("instructions", orNull(text(0, 12)))
        .sometimes("model", oneOf("'a/b'", "'a/b:free'", "'a/b:x:y'"))
        .sometimes("models", oneOf("[]", "['a/b']", "['c/d','e/f:free','c/d']"))
        .sometimes("max_output_tokens", oneOf("null", "1", "16.0", "2147483647"))
        .sometimes("max_tool_calls", oneOf("null", "1", "30", "31"))
        .sometimes("temperature", oneOf("null", "0", "0.70", "2", "2.0e0"))
        .sometimes("top_p", oneOf("null", "0", "1", "1.0"))
        .sometimes("frequency_penalty", oneOf("null", "-2", "0", "2"))
        .sometimes("presence_penalty", oneOf("null", "-2.0", "0.5", "2"))
        .sometimes("top_k", oneOf("0", "1", "40"))
        .sometimes("top_logprobs", oneOf("null", "0", "20"))
        .sometimes("tools", tools())
        .sometimes("tool_choice", toolChoice())
        .sometimes("parallel_tool_calls", orNull(bool()))
        .sometimes("text", textOptions())
        .sometimes("reasoning", orNull(reasoning()))
        .sometimes("include", oneOf("null", "[]", "['reasoning.encrypted_content']"))
        .sometimes("truncation", oneOf("null", "'auto'", "'disabled'"))
        .sometimes("background", oneOf("null", "false"))
        .sometimes("prompt", oneOf("null", "{'id':'p'}", "{'id':'','variables':{'a':1}}"))
        .sometimes("safety_identifier", orNull(text(0, 12)))
        .sometimes("prompt_cache_key", orNull(text(0, 12)))
        .sometimes("prompt_cache_options", oneOf("null", "{'mode':'explicit','ttl':null}"))
        .sometimes("service_tier", oneOf("null", "'auto'", "'fast'", "'scale'"))
        .sometimes("metadata", oneOf("null", "{}", "{'a b':'','" + "k".repeat(64) + "':'v'}"))
        .sometimes("modalities", oneOf("[]", "['text','image']"))
        .sometimes("image_config", oneOf("{}", "{'a':'x','b':1.5,'c':[1,'y']}"))
        .sometimes("plugins", oneOf("[]", "[{'id':'web'}]", "[{'enabled':false,'id':'web'}]"))
        .sometimes("provider", oneOf("null", "{}", "{'order':['a'],'allow_fallbacks':null}"))
        .sometimes("route", oneOf("null", "'fallback'", "'sort'"))
        .sometimes("session_id", text(0, 256))
        .sometimes("user", text(0, 256))
        .sometimes("trace", oneOf("{}", "{'trace_id':'t','other':[1]}"))
        .sometimes("debug", oneOf("{}", "{'echo_upstream_body':true}"))
        .sometimes(
            "cache_control", oneOf("{'type':'ephemeral'}", "{'ttl':'1h','type':'ephemeral'}"))
        .sometimes(
            "stop_server_tools_when",
            oneOf(
                "[{'type':'step_count_is','step_count':2}]",
                "[{'type':'max_cost','max_cost_in_dollars':0.01}]"))
        .sometimes("stream", bool())
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json> orNull(Arbitrary<? extends Json> value) {
    return Arbitraries.oneOf(Arbitraries.just(Json.NULL), value.map(v -> v));
  }

  private static Arbitrary<Json> input() {
    return Arbitraries.oneOf(text(1, 40), list(item(), 1, 5));
  }

  /** Generates items of an input, of every type. */
  public static Arbitrary<Json.Obj> item() {
    return Arbitraries.oneOf(
        message(), outputMessage(), call(), callOutput(), reasoningItem(), otherItem());
  }

  private static Arbitrary<Json.Obj> message() {
    return ObjectArbitrary.object()
        .sometimes("type", oneOf("'message'"))
        .always("role", oneOf("'user'", "'system'", "'developer'", "'assistant'"))
        .sometimes("id", text(1, 8))
        .sometimes("phase", oneOf("null", "'commentary'", "'final_answer'"))
        .always("content", Arbitraries.oneOf(text(0, 20), list(inputPart(), 0, 4)))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> outputMessage() {
    Arbitrary<Json.Obj> textPart =
        ObjectArbitrary.object()
            .always("type", oneOf("'output_text'"))
            .always("text", text(0, 20))
            .sometimes("annotations", oneOf("[]", "[{'type':'url_citation','url':'https://u'}]"))
            .sometimes("logprobs", oneOf("null", "[]"))
            .sometimes("unknown", anything())
            .build();
    Arbitrary<Json.Obj> refusalPart =
        ObjectArbitrary.object()
            .always("type", oneOf("'refusal'"))
            .always("refusal", text(0, 20))
            .build();
    return ObjectArbitrary.object()
        .sometimes("type", oneOf("'message'"))
        .always("id", text(1, 8))
        .always("role", oneOf("'assistant'"))
        .sometimes("status", oneOf("null", "'completed'"))
        .always("content", list(Arbitraries.oneOf(textPart, refusalPart, inputPart()), 0, 3))
        .build();
  }

  /** Generates parts of a caller's message or of a tool's output. */
  public static Arbitrary<Json.Obj> inputPart() {
    Arbitrary<Json.Obj> textPart =
        ObjectArbitrary.object()
            .always("type", oneOf("'input_text'"))
            .always("text", text(0, 20))
            .sometimes("prompt_cache_breakpoint", oneOf("null", "{'mode':'explicit'}"))
            .sometimes("unknown", anything())
            .build();
    return Arbitraries.oneOf(
        textPart,
        objects(
            "{'type':'input_image','image_url':'https://a/b.png','detail':'original'}",
            "{'image_url':'data:image/png;base64,QQ==','type':'input_image','file_id':null}",
            "{'type':'input_image','file_id':'file-1','detail':'auto','image_url':null}",
            "{'type':'input_image','file_id':'file-1','x':{}}",
            "{'type':'input_file','file_data':'data:application/pdf;base64,QQ==','filename':'a.pdf'}",
            "{'type':'input_file','file_url':'https://a/b.pdf','x':[1]}",
            "{'filename':null,'type':'input_file','file_id':'file-2','file_url':null}",
            "{'type':'input_audio','input_audio':{'data':'QQ==','format':'wav'}}",
            "{'type':'input_audio','x':1,'input_audio':{'format':'mp3','y':2,'data':'QQ=='}}",
            "{'type':'input_video','video_url':'https://a/b.mp4','x':1}",
            "{'type':'input_video','video_url':{'url':'https://a/b.mp4'}}",
            "{'x':1,'video_url':{'y':2,'url':'https://a/b.mp4'},'type':'input_video'}",
            "{'type':'input_smell','of':'roses'}"));
  }

  private static Arbitrary<Json.Obj> call() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'function_call'"))
        .sometimes("id", orNull(text(1, 8)))
        .always("call_id", text(1, 8))
        .always("name", text(1, 8))
        .always("arguments", oneOf("''", "'{}'", "'not json'"))
        .sometimes("namespace", orNull(text(1, 8)))
        .sometimes("status", oneOf("null", "'completed'"))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> callOutput() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'function_call_output'"))
        .always("call_id", text(1, 8))
        .always("output", Arbitraries.oneOf(text(0, 20), list(inputPart(), 0, 3)))
        .sometimes("id", orNull(text(1, 8)))
        .sometimes("status", oneOf("null", "'incomplete'"))
        .sometimes("unknown", anything())
        .build();
  }

  /**
   * Generates reasoning items that are encrypted or signed: each vendor does only one of the two.
   */
  private static Arbitrary<Json.Obj> reasoningItem() {
    return Arbitraries.oneOf(
        reasoningMembers()
            .sometimes("content", oneOf("null", "[]", "[{'type':'reasoning_text','text':'t'}]"))
            .sometimes("encrypted_content", oneOf("null", "'gA=='"))
            .sometimes("signature", oneOf("null"))
            .sometimes("format", oneOf("null", "'unknown'"))
            .build(),
        reasoningMembers()
            .always("content", oneOf("[{'type':'reasoning_text','text':'t'}]"))
            .sometimes("encrypted_content", oneOf("null"))
            .always("signature", oneOf("'sig'"))
            .always("format", oneOf("'anthropic-claude-v1'"))
            .build());
  }

  private static ObjectArbitrary reasoningMembers() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'reasoning'"))
        .always("id", text(1, 8))
        .always("summary", oneOf("[]", "[{'type':'summary_text','text':'s'}]"))
        .sometimes("status", oneOf("null", "'completed'"));
  }

  private static Arbitrary<Json.Obj> otherItem() {
    return objects(
        "{'type':'custom_tool_call','call_id':'c','name':'n','input':'i','id':null}",
        "{'type':'custom_tool_call_output','call_id':'c','output':'o'}",
        "{'type':'apply_patch_call','call_id':'c','operation':{'type':'delete_file'},'status':'x'}",
        "{'type':'apply_patch_call_output','call_id':'c','status':'failed'}",
        "{'type':'shell_call','call_id':'c','action':{'commands':['ls']},'status':null}",
        "{'type':'shell_call_output','call_id':'c','output':[]}",
        "{'type':'local_shell_call','id':'i','call_id':'c','action':{'type':'exec'}}",
        "{'type':'local_shell_call_output','id':'i','output':'o'}",
        "{'type':'web_search_call','id':'w','status':'completed','action':{'type':'search'}}",
        "{'type':'file_search_call','id':'f','queries':['q'],'results':null}",
        "{'type':'image_generation_call','id':'i','status':'generating','result':null}",
        "{'type':'code_interpreter_call','id':'i','container_id':'c','code':null,'outputs':[]}",
        "{'type':'computer_call','id':'i','call_id':'c','action':{'type':'click'}}",
        "{'type':'mcp_list_tools','id':'i','server_label':'s','tools':[{'name':'t'}]}",
        "{'type':'mcp_approval_request','id':'i','server_label':'s','name':'t','arguments':'{}'}",
        "{'type':'mcp_approval_response','approval_request_id':'i','approve':false}",
        "{'type':'mcp_call','id':'i','server_label':'s','name':'t','arguments':'','output':null}",
        "{'type':'compaction','id':'i','encrypted_content':'gA=='}",
        "{'type':'context_compaction','encrypted_content':null}",
        "{'type':'item_reference','id':'i'}",
        "{'type':'additional_tools','role':'developer','tools':[{'type':'shell'}]}",
        "{'type':'agent_message','author':'a','recipient':'b','content':[]}",
        "{'type':'router:web_search','id':'i','status':'completed','x':1}",
        "{'type':'router:not_known_yet'}",
        "{ 'type' : 'tomorrow', 'role' : 1 , 'x':[ 1, 2e3 ]}");
  }

  private static Arbitrary<Json.Obj> objects(String... json) {
    return oneOf(json).map(Json.Obj.class::cast);
  }

  private static Arbitrary<Json> tools() {
    Arbitrary<Json.Obj> function =
        ObjectArbitrary.object()
            .always("type", oneOf("'function'"))
            .always("name", oneOf("'f'", "'look_up-2'", "'" + "n".repeat(64) + "'"))
            .always("parameters", oneOf("null", "{}", "{'type':'object','properties':{}}"))
            .sometimes("description", orNull(text(0, 12)))
            .sometimes("strict", orNull(bool()))
            .sometimes("defer_loading", bool())
            .sometimes("unknown", anything())
            .build();
    Arbitrary<Json.Obj> builtIn =
        objects(
            "{'type':'web_search','search_context_size':'low','x':1}",
            "{'type':'web_search_preview'}",
            "{'type':'file_search','vector_store_ids':['v']}",
            "{'type':'computer_use','display_width':1}",
            "{'type':'code_interpreter','container':{'type':'auto'}}",
            "{'type':'mcp','server_label':'s','server_url':'https://a'}",
            "{'type':'image_generation'}",
            "{'type':'local_shell'}",
            "{'type':'shell'}",
            "{'type':'apply_patch'}",
            "{'type':'custom','name':'c'}",
            "{'type':'custom','name':'c','format':{'type':'text'},'description':null}",
            "{'type':'custom','name':'c','format':{'type':'grammar','syntax':'lark','definition':'g'}}",
            "{'type':'namespace','name':'n','tools':[{'type':'function','name':'f','parameters':null}]}",
            "{'type':'router:datetime','parameters':{'timezone':'UTC'}}",
            "{'type':'router:subagent','parameters':{'inherit_functions':true}}",
            "{'type':'tomorrow','x':null}");
    return list(Arbitraries.oneOf(function, builtIn), 0, 4)
        .filter(ResponsesBodies::hasAtMostOneSubagent);
  }

  private static boolean hasAtMostOneSubagent(Json tools) {
    return tools.toString().split("router:subagent", -1).length <= 2;
  }

  private static Arbitrary<Json> toolChoice() {
    return oneOf(
        "'none'",
        "'auto'",
        "'required'",
        "{'type':'function','name':'f'}",
        "{'type':'web_search_preview'}",
        "{'type':'web_search_preview_2025_03_11'}",
        "{'type':'allowed_tools','mode':'auto','tools':[]}",
        "{'type':'allowed_tools','mode':'required','tools':[{'type':'function','name':'f'}]}",
        "{'type':'apply_patch'}",
        "{'type':'shell'}",
        "{'type':'tomorrow','x':1}");
  }

  private static Arbitrary<Json.Obj> textOptions() {
    return ObjectArbitrary.object()
        .sometimes(
            "format",
            oneOf(
                "{'type':'text'}",
                "{'type':'json_object'}",
                "{'type':'json_schema','name':'n','schema':{}}",
                "{'type':'json_schema','name':'n','schema':{'type':'object'},'strict':null,"
                    + "'description':'d'}"))
        .sometimes("verbosity", oneOf("null", "'low'", "'medium'", "'high'", "'xhigh'", "'max'"))
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> reasoning() {
    return ObjectArbitrary.object()
        .sometimes("effort", oneOf("null", "'none'", "'minimal'", "'max'"))
        .sometimes("summary", oneOf("null", "'auto'", "'concise'", "'detailed'"))
        .sometimes("mode", oneOf("'standard'", "'pro'"))
        .sometimes("context", oneOf("'auto'", "'all_turns'", "'current_turn'"))
        .sometimes("enabled", orNull(bool()))
        .sometimes("max_tokens", oneOf("null", "0", "1024"))
        .sometimes("unknown", anything())
        .build();
  }
}
