package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.List;
import java.util.stream.Stream;

/** Mutations of messages and blocks that each break exactly one rule of a messages body. */
final class BlockMutations {
  private static final String STRING = "must be a string";
  private static final String BOOL = "must be true or false";
  private static final String WHOLE = "must be a whole number";
  private static final String OBJECT = "must be an object";
  private static final String ARRAY = "must be an array";
  private static final String REQUIRED = "is required";
  private static final String TYPE = "/type";

  private BlockMutations() {}

  static List<Mutation> all() {
    return Stream.of(messages(), blocks(), results()).flatMap(List::stream).toList();
  }

  static List<Mutation> messages() {
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
        block(
            "{'type':'document','source':{'type':'url','url':'https://u'},'title':1}",
            "/title",
            STRING),
        block(
            "{'type':'document','source':{'type':'url','url':'https://u'},'citations':{'enabled':1}}",
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
    String inResult =
        "must be one of text, image, document, search_result, tool_reference in a tool_result";
    return List.of(
        block("{'type':'tool_result'}", "/tool_use_id", REQUIRED),
        result("'content':null", "/content", "must be a string or an array of blocks"),
        result("'content':[{'type':'tool_reference'}]", "/content/0/tool_name", REQUIRED),
        result("'content':[{'type':'image'}]", "/content/0/source", REQUIRED),
        result("'content':[{'type':'document'}]", "/content/0/source", REQUIRED),
        result("'content':[{'type':'thinking'}]", "/content/0/type", inResult),
        result("'content':[{'type':'tool_result','tool_use_id':1}]", "/content/0/type", inResult),
        result("'content':[{'type':'tool_addition'}]", "/content/0/type", inResult),
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
        searchResult("'c'", "/content", "must be an array of results or an error"),
        searchResult("[{'type':'hit'}]", "/content/0/type", "must be web_search_result"),
        searchResult(
            "[{'type':'web_search_result','url':'https://u','title':'t'}]",
            "/content/0/encrypted_content",
            REQUIRED),
        searchResult(
            "{'type':'web_search_tool_result_error','error_code':'request_too_large'}",
            "/content/error_code",
            "must be one of invalid_tool_input, unavailable, max_uses_exceeded, too_many_requests,"
                + " query_too_long"),
        block("{'type':'advisor_tool_result','tool_use_id':'i','content':'c'}", "/content", OBJECT),
        block("{'type':'router_shell_tool_result','content':{}}", "/tool_use_id", REQUIRED),
        block("{'type':'router_bash_tool_result','tool_use_id':'i'}", "/content", REQUIRED));
  }

  private static Mutation block(String json, String under, String allowed) {
    return in("user", json, under, allowed);
  }

  private static Mutation inSystem(String json, String under, String allowed) {
    return in("system", json, under, allowed);
  }

  private static Mutation in(String role, String json, String under, String allowed) {
    String message = "[{'role':'" + role + "','content':[" + json + "]}]";
    return set("messages", message, "/0/content/0" + under, allowed);
  }

  private static Mutation document(String source, String under, String allowed) {
    return block("{'type':'document','source':" + source + "}", "/source" + under, allowed);
  }

  private static Mutation result(String members, String under, String allowed) {
    return block("{'type':'tool_result','tool_use_id':'i'," + members + "}", under, allowed);
  }

  private static Mutation searchResult(String content, String under, String allowed) {
    String json = "{'type':'web_search_tool_result','tool_use_id':'i','content':" + content + "}";
    return block(json, under, allowed);
  }
}
