package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.bool;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.spi.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * Generates valid tools of messages bodies, without gateway tools that a body may have only once.
 */
public final class MessagesToolBodies {
  private MessagesToolBodies() {}

  public static Arbitrary<Json> valid() {
    return Arbitraries.oneOf(custom().map(tool -> tool), search().map(tool -> tool), otherTool());
  }

  private static Arbitrary<Json.Obj> custom() {
    return ObjectArbitrary.object()
        .sometimes("type", oneOf("'custom'"))
        .always("name", text(1, 8))
        .always(
            "input_schema",
            oneOf(
                "{'type':'object'}",
                "{'type':'object','properties':{'a':{}},'required':['a'],'additionalProperties':false}",
                "{'type':'object','properties':{},'required':null}"))
        .sometimes("description", text(0, 20))
        .sometimes("cache_control", oneOf("{'type':'ephemeral'}"))
        .sometimes("defer_loading", bool())
        .sometimes("unknown", anything())
        .build();
  }

  private static Arbitrary<Json.Obj> search() {
    return ObjectArbitrary.object()
        .always("type", oneOf("'web_search_20250305'", "'web_search_20260209'"))
        .always("name", oneOf("'web_search'"))
        .sometimes("max_uses", oneOf("1", "null"))
        .sometimes("allowed_domains", oneOf("null", "[]", "['a.b']"))
        .sometimes("blocked_domains", oneOf("null", "['c.d']"))
        .sometimes(
            "user_location",
            oneOf(
                "null",
                "{'type':'approximate'}",
                "{'type':'approximate','city':'c','region':'r','country':'DE','timezone':null}"))
        .sometimes("allowed_callers", oneOf("[]", "['direct']"))
        .sometimes("cache_control", oneOf("{'type':'ephemeral','ttl':'1h'}"))
        .build();
  }

  private static Arbitrary<Json> otherTool() {
    return oneOf(
        "{'type':'bash_20250124','name':'bash'}",
        "{'type':'text_editor_20250124','name':'str_replace_editor','cache_control':{'type':'ephemeral'}}",
        "{'type':'advisor_20260301','name':'advisor','model':'a/b'}",
        "{'type':'advisor_20260301','name':'advisor','model':'a/b','max_uses':2,'caching':null,"
            + "'allowed_callers':['code_execution_20250825','code_execution_20260120'],'defer_loading':true}",
        "{'type':'advisor_20260301','name':'advisor','model':'m','caching':{'type':'ephemeral','ttl':'5m'}}",
        "{'type':'tool_search_tool_bm25','name':'tool_search_tool_bm25'}",
        "{'type':'tool_search_tool_bm25_20251119','name':'tool_search_tool_bm25','strict':true}",
        "{'type':'tool_search_tool_regex','name':'tool_search_tool_regex','defer_loading':false}",
        "{'type':'tool_search_tool_regex_20251119','name':'tool_search_tool_regex',"
            + "'allowed_callers':['direct']}",
        "{'type':'router:datetime'}",
        "{'type':'router:datetime','parameters':{'timezone':'UTC'},'later':1}",
        "{'type':'router:web_search','parameters':{'max_results':3}}",
        "{'type':'router:shell'}",
        "{'type':'computer_20300101','name':'computer','display_width_px':1}");
  }
}
