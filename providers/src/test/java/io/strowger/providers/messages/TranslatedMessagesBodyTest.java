package io.strowger.providers.messages;

import static io.strowger.providers.messages.MessagesTestRequest.HI;
import static io.strowger.providers.messages.MessagesTestRequest.chat;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The messages body of a request in another dialect")
class TranslatedMessagesBodyTest {
  /** Returns an assistant message with a tool call for each id. */
  private static String assistantCalling(String... ids) {
    var calls = new StringBuilder();
    for (String id : ids) {
      calls
          .append(calls.isEmpty() ? "" : ",")
          .append("{'id':'" + id + "','type':'function',")
          .append("'function':{'name':'look','arguments':'{}'}}");
    }
    return "{'role':'assistant','content':null,'tool_calls':[" + calls + "]}";
  }

  private static String result(String id, String text) {
    return "{'role':'tool','tool_call_id':'" + id + "','content':'" + text + "'}";
  }

  private static String tool(String name, String more) {
    return "{'type':'function','function':{'name':'" + name + "'" + more + "}}";
  }

  private static MessagesTestRequest user(String content) {
    return chat("{'role':'user','content':[" + content + "]}");
  }

  private static String content(String part) {
    return user(part).member("messages").replace("[{'role':'user','content':", "");
  }

  @Nested
  @DisplayName("for a conversation")
  class Messages {
    @Test
    @DisplayName("has a system text and a user message")
    void plain() {
      assertThat(chat("{'role':'system','content':'S'}," + HI, "'max_tokens':5").written())
          .isEqualTo("{'model':'their-name','system':'S','messages':[" + HI + "],'max_tokens':5}");
    }

    @Proves("translation.request.systems")
    @Test
    @DisplayName("joins system texts, also late ones, with a blank line, and reports the change")
    void system() {
      MessagesTestRequest request =
          chat(
              "{'role':'system','content':'A'}," + HI + ",{'role':'developer','content':'B'}," + HI,
              "'max_tokens':5");
      assertThat(request.member("system")).isEqualTo("'A\\n\\nB'");
      assertThat(request.member("messages"))
          .isEqualTo(
              "[{'role':'user','content':[{'type':'text','text':'hi'},"
                  + "{'type':'text','text':'hi'}]}]");
      assertThat(request.lost()).contains("~system");
    }

    @Proves({"translation.request.result", "translation.case.1"})
    @Test
    @DisplayName("Case 1: has all results of a turn in one user message, before its text")
    void results() {
      MessagesTestRequest request =
          chat(
              HI
                  + ","
                  + assistantCalling("c1", "c2")
                  + ","
                  + result("c1", "one")
                  + ",{'role':'user','content':'and?'},"
                  + result("c2", "two"));
      assertThat(request.member("messages"))
          .endsWith(
              "{'role':'user','content':["
                  + "{'type':'tool_result','tool_use_id':'c1','content':'one'},"
                  + "{'type':'tool_result','tool_use_id':'c2','content':'two'},"
                  + "{'type':'text','text':'and?'}]}]");
    }

    @Proves("translation.case.2")
    @Test
    @DisplayName("Case 2: has one result for each parallel call and adds none")
    void noFakeResult() {
      String written =
          chat(HI, "'n':1")
              .with(
                  chat(HI
                          + ","
                          + assistantCalling("c1", "c2")
                          + ","
                          + result("c1", "one")
                          + ","
                          + result("c2", "two"))
                      .decoded())
              .member("messages");
      assertThat(written.split("tool_result", -1)).hasSize(3);
      assertThat(written).doesNotContain("is_error");
    }

    @Proves({"translation.request.call", "translation.case.19"})
    @Test
    @DisplayName("Case 19: has an empty object for missing arguments, never a string")
    void noArguments() {
      for (String arguments : new String[] {"", " ", "null", "{}"}) {
        String call = assistantCalling("c1").replace("'{}'", "'" + arguments + "'");
        assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
            .contains("{'type':'tool_use','id':'c1','name':'look','input':{}}");
      }
    }

    @Test
    @DisplayName("has malformed arguments as text within an object, and reports the change")
    void malformed() {
      MessagesTestRequest request =
          chat(HI + "," + assistantCalling("c1").replace("'{}'", "'[1'") + "," + result("c1", "x"));
      assertThat(request.member("messages")).contains("'input':{'unparsed':'[1'}");
      assertThat(request.lost()).contains("~a tool call's arguments");
    }

    @Proves("translation.case.21")
    @Test
    @DisplayName("Case 21: leaves out blank texts, but not the calls beside them")
    void emptyText() {
      String call = assistantCalling("c1").replace("'content':null", "'content':' '");
      assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
          .contains("{'role':'assistant','content':[{'type':'tool_use',")
          .doesNotContain("' '");
    }

    @Test
    @DisplayName("Case 22: keeps a text beside calls, before them")
    void textAndCalls() {
      String call = assistantCalling("c1").replace("'content':null", "'content':'Let me see'");
      assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
          .contains("[{'type':'text','text':'Let me see'},{'type':'tool_use',");
    }

    @Proves("routing.other.eager")
    @Test
    @DisplayName("asks for eager streaming of arguments if the answer is streamed")
    void eager() {
      String tools = "'tools':[{'type':'function','function':{'name':'t'}}]";
      assertThat(chat(HI, tools).member("tools")).doesNotContain("eager");
      assertThat(chat(HI, tools, "'stream':true").member("tools"))
          .contains("'eager_input_streaming':true");
    }

    @Test
    @DisplayName("has ids and tool names in characters that the upstream accepts")
    void names() {
      String call = assistantCalling("c:1").replace("'look'", "'a.b'");
      MessagesTestRequest request =
          chat(HI + "," + call + "," + result("c:1", "x")).declaring("a.b");
      assertThat(request.written())
          .contains("'id':'c_x3a1','name':'a_x2eb'")
          .contains("'tool_use_id':'c_x3a1'")
          .contains("'tools':[{'name':'a_x2eb',");
    }

    @Test
    @DisplayName("begins with a user message even if the model spoke first")
    void begins() {
      MessagesTestRequest request = chat("{'role':'assistant','content':'Hello'}," + HI);
      assertThat(request.member("messages")).startsWith("[{'role':'user','content':'Begin.'},");
      assertThat(request.lost()).contains("~messages");
      assertThat(chat("{'role':'system','content':'S'}").member("messages"))
          .isEqualTo("[{'role':'user','content':'Begin.'}]");
    }
  }

  @Nested
  @DisplayName("for media")
  class Media {
    @Proves({"translation.request.image", "translation.request.detail"})
    @Test
    @DisplayName("has images as base64 and by URL, and reports their detail as lost")
    void images() {
      assertThat(content("{'type':'image_url','image_url':{'url':'data:image/png;base64,AA=='}}"))
          .isEqualTo(
              "[{'type':'image','source':{'type':'base64','media_type':'image/png',"
                  + "'data':'AA=='}}]}]");
      MessagesTestRequest request =
          user("{'type':'image_url','image_url':{'url':'https://x/y','detail':'high'}}");
      assertThat(request.member("messages"))
          .contains("{'type':'image','source':{'type':'url','url':'https://x/y'}}");
      assertThat(request.lost()).contains("-image detail");
    }

    @Proves("translation.request.pdf")
    @Test
    @DisplayName("has documents as base64, by URL and by id")
    void documents() {
      assertThat(
              content(
                  "{'type':'file','file':{'filename':'a.pdf',"
                      + "'file_data':'data:application/pdf;base64,AA=='}}"))
          .isEqualTo(
              "[{'type':'document','source':{'type':'base64','media_type':'application/pdf',"
                  + "'data':'AA=='},'title':'a.pdf'}]}]");
      assertThat(content("{'type':'file','file':{'file_data':'https://x/a.pdf'}}"))
          .contains("'source':{'type':'url','url':'https://x/a.pdf'}");
      assertThat(content("{'type':'file','file':{'file_id':'f1'}}"))
          .contains("'source':{'type':'file','file_id':'f1'}");
    }

    @Test
    @DisplayName("has text files as text")
    void texts() {
      assertThat(
              content(
                  "{'type':'file','file':{'filename':'a.txt',"
                      + "'file_data':'data:text/plain;base64,aGk='}}"))
          .contains("'source':{'type':'text','media_type':'text/plain','data':'hi'}");
    }

    @Proves({"translation.request.audio", "translation.request.video"})
    @Test
    @DisplayName("drops audio and video as a reported loss, and leaves no message empty")
    void dropped() {
      MessagesTestRequest request =
          user(
              "{'type':'input_audio','input_audio':{'data':'AA==','format':'wav'}},"
                  + "{'type':'video_url','video_url':{'url':'https://x/v'}}");
      assertThat(request.member("messages")).contains("'content':'(Left out");
      assertThat(request.lost()).contains("-audio", "-video");
    }

    @Proves("translation.request.result-image")
    @Test
    @DisplayName("has an image of a tool result as an image")
    void imageInResult() {
      String image =
          "{'role':'tool','tool_call_id':'c1','content':[{'type':'image_url',"
              + "'image_url':{'url':'https://x/y'}}]}";
      assertThat(chat(HI + "," + assistantCalling("c1") + "," + image).member("messages"))
          .contains(
              "{'type':'tool_result','tool_use_id':'c1','content':[{'type':'image',"
                  + "'source':{'type':'url','url':'https://x/y'}}]}");
    }
  }

  @Nested
  @DisplayName("for tools")
  class Tools {
    private MessagesTestRequest tools(String... more) {
      String[] all = new String[more.length + 1];
      all[0] = "'tools':[" + tool("look", "") + "]";
      System.arraycopy(more, 0, all, 1, more.length);
      return chat(HI, all);
    }

    @Proves({"translation.request.tool", "translation.request.no-parameters"})
    @Test
    @DisplayName("has a schema for each")
    void schema() {
      assertThat(tools().member("tools"))
          .isEqualTo("[{'name':'look','input_schema':{'type':'object','properties':{}}}]");
      String given = ",'description':'d','parameters':{'properties':{}}";
      assertThat(chat(HI, "'tools':[" + tool("t", given) + "]").member("tools"))
          .isEqualTo(
              "[{'name':'t','description':'d',"
                  + "'input_schema':{'type':'object','properties':{}}}]");
    }

    @Proves("routing.other.features")
    @Test
    @DisplayName("has strict only if the caller requested that feature")
    void strict() {
      MessagesTestRequest request = chat(HI, "'tools':[" + tool("t", ",'strict':true") + "]");
      assertThat(request.features("structured-outputs-2025-11-13").member("tools"))
          .contains("'strict':true");
      assertThat(request.member("tools")).doesNotContain("strict");
      assertThat(request.lost()).contains("-strict");
    }

    @Proves("translation.request.tool_choice")
    @Test
    @DisplayName("has the tool choice in the form of the dialect")
    void choice() {
      assertThat(tools().member("tool_choice")).isEqualTo("absent");
      assertThat(tools("'tool_choice':'auto'").member("tool_choice")).isEqualTo("{'type':'auto'}");
      assertThat(tools("'tool_choice':'required'").member("tool_choice"))
          .isEqualTo("{'type':'any'}");
      assertThat(tools("'tool_choice':'none'").member("tool_choice")).isEqualTo("{'type':'none'}");
      assertThat(
              tools("'tool_choice':{'type':'function','function':{'name':'look'}}")
                  .member("tool_choice"))
          .isEqualTo("{'type':'tool','name':'look'}");
      MessagesTestRequest request = tools();
      assertThat(
              request
                  .with(request.decoded().toBuilder().mayCallTools(false).build())
                  .member("tool_choice"))
          .isEqualTo("{'type':'none'}");
    }

    @Proves("translation.request.parallel")
    @Test
    @DisplayName("has a choice to forbid parallel calls, unless none may be called")
    void parallel() {
      String one = "'parallel_tool_calls':false";
      assertThat(tools(one).member("tool_choice"))
          .isEqualTo("{'type':'auto','disable_parallel_tool_use':true}");
      assertThat(tools(one, "'tool_choice':'none'").member("tool_choice"))
          .isEqualTo("{'type':'none'}");
      assertThat(chat(HI, one).member("tool_choice")).isEqualTo("absent");
    }

    @Proves("translation.case.24")
    @Test
    @DisplayName("Case 24: forces no call if reasoning is on")
    void thinking() {
      for (String choice :
          new String[] {"'required'", "{'type':'function','function':{'name':'look'}}"}) {
        MessagesTestRequest request =
            tools("'tool_choice':" + choice, "'reasoning':{'effort':'high'}", "'max_tokens':4000");
        assertThat(request.member("tool_choice")).isEqualTo("{'type':'auto'}");
        assertThat(request.lost()).contains("~tool_choice");
      }
    }
  }

  @Proves("translation.request.cache")
  @Test
  @DisplayName("has at most four cache marks, the last ones, with their ttl")
  void marks() {
    String marked = "{'type':'text','text':'%s','cache_control':{'type':'ephemeral','ttl':'1h'}}";
    String broken = "{'type':'text','text':'e','prompt_cache_breakpoint':{'mode':'explicit'}}";
    MessagesTestRequest request =
        chat(
            "{'role':'system','content':["
                + marked.formatted("a")
                + "]},"
                + "{'role':'user','content':["
                + marked.formatted("b")
                + ","
                + marked.formatted("c")
                + ","
                + broken
                + "]}",
            "'cache_control':{'type':'ephemeral'}");
    assertThat(request.member("system")).doesNotContain("cache_control");
    assertThat(request.member("messages"))
        .contains("'b','cache_control':{'type':'ephemeral','ttl':'1h'}}")
        .contains("'c','cache_control'")
        .contains("'e','cache_control':{'type':'ephemeral'}}");
    assertThat(request.member("cache_control")).isEqualTo("{'type':'ephemeral'}");
    assertThat(request.lost()).containsExactly("-cache_control");
  }
}
