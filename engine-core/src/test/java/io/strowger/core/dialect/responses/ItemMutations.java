package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Mutation.set;

import io.strowger.core.decode.Mutation;
import java.util.List;
import java.util.stream.Stream;

/** Mutations of the input that each break exactly one rule of a responses body. */
final class ItemMutations {
  private static final String STRING = "must be a string";
  private static final String OBJECT = "must be an object";
  private static final String ARRAY = "must be an array";
  private static final String BOOL = "must be true or false";
  private static final String REQUIRED = "is required";
  private static final String TEXT = "must be a string, not empty";
  private static final String INPUT_PART =
      "must be one of input_text, input_image, input_file, input_audio, input_video";

  private ItemMutations() {}

  static List<Mutation> all() {
    return Stream.of(input(), messages(), parts(), calls(), replayed())
        .flatMap(List::stream)
        .toList();
  }

  static List<Mutation> input() {
    return List.of(
        Mutation.without("input"),
        set("input", "null", "must be a string or an array of items"),
        set("input", "{}", "must be a string or an array of items"),
        set("input", "''", TEXT),
        set("input", "[]", "must have at least 1 item"),
        set("input", "['a']", "/0", OBJECT),
        item("{}", "/type", REQUIRED),
        item("{'type':1}", "/type", STRING),
        item("{'type':null,'role':'user','content':''}", "/type", STRING));
  }

  static List<Mutation> messages() {
    return List.of(
        item("{'type':'message','content':''}", "/role", REQUIRED),
        item(
            "{'role':'tool','content':''}",
            "/role",
            "must be one of user, system, developer, assistant"),
        item("{'role':'user'}", "/content", REQUIRED),
        item(
            "{'role':'user','content':null}",
            "/content",
            "must be a string or an array of content parts"),
        item("{'role':'user','content':'','id':null}", "/id", STRING),
        item("{'role':'user','content':'','status':1}", "/status", STRING),
        item(
            "{'role':'user','content':'','phase':'late'}",
            "/phase",
            "must be one of commentary, final_answer"),
        item("{'role':'user','content':['a']}", "/content/0", OBJECT),
        item("{'role':'user','content':[{}]}", "/content/0/type", REQUIRED),
        item("{'role':'user','content':[{'type':1}]}", "/content/0/type", STRING),
        item(
            "{'role':'user','content':[{'type':'output_text','text':''}]}",
            "/content/0/type",
            INPUT_PART),
        item(
            "{'role':'system','id':'i','content':[{'type':'x'},{'type':'refusal','refusal':''}]}",
            "/content/1/type",
            INPUT_PART),
        item(
            "{'role':'assistant','content':[{'type':'output_text','text':''},"
                + "{'type':'refusal','refusal':''}]}",
            "/id",
            REQUIRED),
        item(
            "{'role':'assistant','id':7,'content':[{'type':'output_text','text':''}]}",
            "/id",
            STRING));
  }

  static List<Mutation> parts() {
    String url = "must have exactly one of image_url, file_id";
    String file = "must have exactly one of file_data, file_url, file_id";
    return List.of(
        part("{'type':'input_text'}", "/text", REQUIRED),
        part("{'type':'input_text','text':null}", "/text", STRING),
        part(
            "{'type':'input_text','text':'','prompt_cache_breakpoint':{}}",
            "/prompt_cache_breakpoint/mode",
            REQUIRED),
        part(
            "{'type':'input_text','text':'','prompt_cache_breakpoint':{'mode':'x'}}",
            "/prompt_cache_breakpoint/mode",
            "must be explicit"),
        part("{'type':'input_image'}", "", url),
        part("{'type':'input_image','image_url':null,'file_id':null}", "", url),
        part("{'type':'input_image','image_url':'https://u','file_id':'f'}", "", url),
        part("{'type':'input_image','image_url':{'url':'https://u'}}", "/image_url", STRING),
        part("{'type':'input_image','file_id':1}", "/file_id", STRING),
        part(
            "{'type':'input_image','file_id':'f','detail':'huge'}",
            "/detail",
            "must be one of auto, low, high, original"),
        part("{'type':'input_file','filename':'f'}", "", file),
        part("{'type':'input_file','file_url':'https://u','file_id':'f'}", "", file),
        part("{'type':'input_file','file_data':1}", "/file_data", STRING),
        part("{'type':'input_file','file_url':1}", "/file_url", STRING),
        part("{'type':'input_file','file_id':[]}", "/file_id", STRING),
        part("{'type':'input_file','file_id':'f','filename':1}", "/filename", STRING),
        part("{'type':'input_audio'}", "/input_audio", REQUIRED),
        part("{'type':'input_audio','input_audio':'QQ=='}", "/input_audio", OBJECT),
        part(
            "{'type':'input_audio','input_audio':{'format':'wav'}}", "/input_audio/data", REQUIRED),
        part("{'type':'input_audio','input_audio':{'data':''}}", "/input_audio/format", REQUIRED),
        part("{'type':'input_video'}", "/video_url", REQUIRED),
        part(
            "{'type':'input_video','video_url':null}",
            "/video_url",
            "must be a string or an object with a url"),
        part("{'type':'input_video','video_url':{}}", "/video_url/url", REQUIRED),
        outputPart("{'type':'output_text'}", "/text", REQUIRED),
        outputPart("{'type':'output_text','text':'','annotations':null}", "/annotations", ARRAY),
        outputPart("{'type':'output_text','text':'','logprobs':{}}", "/logprobs", ARRAY),
        outputPart("{'type':'refusal'}", "/refusal", REQUIRED),
        outputPart("{'type':'refusal','refusal':null}", "/refusal", STRING));
  }

  static List<Mutation> calls() {
    return List.of(
        item("{'type':'function_call','name':'n','arguments':''}", "/call_id", REQUIRED),
        item("{'type':'function_call','call_id':'c','arguments':''}", "/name", REQUIRED),
        item("{'type':'function_call','call_id':'c','name':'n'}", "/arguments", REQUIRED),
        item(
            "{'type':'function_call','call_id':'c','name':'n','arguments':{}}",
            "/arguments",
            STRING),
        item(
            "{'type':'function_call','call_id':'c','name':'n','arguments':'','namespace':1}",
            "/namespace",
            STRING),
        item(
            "{'type':'function_call','call_id':'c','name':'n','arguments':'','id':1}",
            "/id",
            STRING),
        item("{'type':'function_call_output','output':''}", "/call_id", REQUIRED),
        item("{'type':'function_call_output','call_id':'c'}", "/output", REQUIRED),
        item(
            "{'type':'function_call_output','call_id':'c','output':null}",
            "/output",
            "must be a string or an array of input parts"),
        item(
            "{'type':'function_call_output','call_id':'c','output':[{'type':'input_text'}]}",
            "/output/0/text",
            REQUIRED),
        item(
            "{'type':'function_call_output','call_id':'c','output':[{'type':'refusal'}]}",
            "/output/0/type",
            INPUT_PART),
        item(
            "{'type':'function_call_output','call_id':'c','output':'','status':[]}",
            "/status",
            STRING),
        item("{'type':'custom_tool_call'}", "/call_id", REQUIRED),
        item("{'type':'custom_tool_call','call_id':'c','input':{}}", "/input", STRING),
        item("{'type':'custom_tool_call_output'}", "/call_id", REQUIRED),
        item("{'type':'apply_patch_call'}", "/call_id", REQUIRED),
        item("{'type':'apply_patch_call','call_id':'c','operation':''}", "/operation", OBJECT),
        item("{'type':'apply_patch_call_output'}", "/call_id", REQUIRED),
        item("{'type':'shell_call'}", "/call_id", REQUIRED),
        item("{'type':'shell_call','call_id':'c','action':[]}", "/action", OBJECT),
        item("{'type':'shell_call_output','call_id':null}", "/call_id", STRING),
        item("{'type':'local_shell_call','action':1}", "/action", OBJECT),
        item("{'type':'local_shell_call_output','id':1}", "/id", STRING));
  }

  static List<Mutation> replayed() {
    return List.of(
        item("{'type':'reasoning','summary':[]}", "/id", REQUIRED),
        item("{'type':'reasoning','id':'i'}", "/summary", REQUIRED),
        item("{'type':'reasoning','id':'i','summary':null}", "/summary", ARRAY),
        item("{'type':'reasoning','id':'i','summary':['s']}", "/summary/0", OBJECT),
        item("{'type':'reasoning','id':'i','summary':[],'content':''}", "/content", ARRAY),
        item(
            "{'type':'reasoning','id':'i','summary':[],'encrypted_content':1}",
            "/encrypted_content",
            STRING),
        item("{'type':'reasoning','id':'i','summary':[],'signature':1}", "/signature", STRING),
        item("{'type':'reasoning','id':'i','summary':[],'format':1}", "/format", STRING),
        item("{'type':'web_search_call','action':''}", "/action", OBJECT),
        item("{'type':'file_search_call','queries':[1]}", "/queries/0", STRING),
        item("{'type':'image_generation_call','result':{}}", "/result", STRING),
        item("{'type':'code_interpreter_call','code':1}", "/code", STRING),
        item("{'type':'computer_call','call_id':1}", "/call_id", STRING),
        item("{'type':'mcp_list_tools','tools':{}}", "/tools", ARRAY),
        item("{'type':'mcp_approval_request','arguments':{}}", "/arguments", STRING),
        item("{'type':'mcp_approval_response','approve':'yes'}", "/approve", BOOL),
        item("{'type':'mcp_call','name':1}", "/name", STRING),
        item("{'type':'compaction','encrypted_content':1}", "/encrypted_content", STRING),
        item("{'type':'context_compaction','id':1}", "/id", STRING),
        item("{'type':'item_reference'}", "/id", REQUIRED),
        item("{'type':'item_reference','id':null}", "/id", STRING),
        item("{'type':'additional_tools','tools':[{}]}", "/tools/0/type", REQUIRED),
        item("{'type':'agent_message','author':1}", "/author", STRING),
        item("{'type':'router:web_search','status':1}", "/status", STRING));
  }

  private static Mutation item(String json, String under, String allowed) {
    return set("input", "[" + json + "]", "/0" + under, allowed);
  }

  private static Mutation part(String json, String under, String allowed) {
    return item("{'role':'user','content':[" + json + "]}", "/content/0" + under, allowed);
  }

  /** Returns a mutation that puts this part into an output message. */
  private static Mutation outputPart(String json, String under, String allowed) {
    return item(
        "{'role':'assistant','id':'i','content':[" + json + "]}", "/content/0" + under, allowed);
  }
}
