package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.List;

/** Mutations of tools that each break exactly one rule of a messages body. */
final class ToolMutations {
  private static final String STRING = "must be a string";
  private static final String TEXT = "must be a string, not empty";
  private static final String BOOL = "must be true or false";
  private static final String WHOLE = "must be a whole number";
  private static final String OBJECT = "must be an object";
  private static final String ARRAY = "must be an array";
  private static final String REQUIRED = "is required";
  private static final String TYPE = "/type";

  private ToolMutations() {}

  static List<Mutation> all() {
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

  private static Mutation tool(String members, String under, String allowed) {
    return set("tools", "[{" + members + "}]", "/0" + under, allowed);
  }
}
