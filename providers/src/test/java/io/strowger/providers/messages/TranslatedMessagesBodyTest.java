package io.strowger.providers.messages;

import static io.strowger.providers.messages.Asked.HI;
import static io.strowger.providers.messages.Asked.chat;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A request of another dialect leaves as messages")
class TranslatedMessagesBodyTest {
  /** A call with arguments as they are written in JSON text within single-quoted JSON. */
  private static String calling(String... ids) {
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

  private static Asked user(String content) {
    return chat("{'role':'user','content':[" + content + "]}");
  }

  private static String content(String part) {
    return user(part).member("messages").replace("[{'role':'user','content':", "");
  }

  @Nested
  @DisplayName("with its conversation")
  class Messages {
    @Test
    @DisplayName("as system text and one message of the user")
    void plain() {
      assertThat(chat("{'role':'system','content':'S'}," + HI, "'max_tokens':5").written())
          .isEqualTo("{'model':'their-name','system':'S','messages':[" + HI + "],'max_tokens':5}");
    }

    @Proves("translation.request.systems")
    @Test
    @DisplayName("whose system texts, also late ones, are joined with a blank line and told")
    void system() {
      Asked asked =
          chat(
              "{'role':'system','content':'A'}," + HI + ",{'role':'developer','content':'B'}," + HI,
              "'max_tokens':5");
      assertThat(asked.member("system")).isEqualTo("'A\\n\\nB'");
      assertThat(asked.member("messages"))
          .isEqualTo(
              "[{'role':'user','content':[{'type':'text','text':'hi'},"
                  + "{'type':'text','text':'hi'}]}]");
      assertThat(asked.lost()).contains("~system");
    }

    @Proves({"translation.request.result", "translation.case.1"})
    @Test
    @DisplayName("Case 1: results of one turn are one message of the user, results first")
    void results() {
      Asked asked =
          chat(
              HI
                  + ","
                  + calling("c1", "c2")
                  + ","
                  + result("c1", "one")
                  + ",{'role':'user','content':'and?'},"
                  + result("c2", "two"));
      assertThat(asked.member("messages"))
          .endsWith(
              "{'role':'user','content':["
                  + "{'type':'tool_result','tool_use_id':'c1','content':'one'},"
                  + "{'type':'tool_result','tool_use_id':'c2','content':'two'},"
                  + "{'type':'text','text':'and?'}]}]");
    }

    @Proves("translation.case.2")
    @Test
    @DisplayName("Case 2: a second parallel call is answered once")
    void noFakeResult() {
      String written =
          chat(HI, "'n':1")
              .with(
                  chat(HI
                          + ","
                          + calling("c1", "c2")
                          + ","
                          + result("c1", "one")
                          + ","
                          + result("c2", "two"))
                      .request())
              .member("messages");
      assertThat(written.split("tool_result", -1)).hasSize(3);
      assertThat(written).doesNotContain("is_error");
    }

    @Proves({"translation.request.call", "translation.case.19"})
    @Test
    @DisplayName("Case 19: arguments that are none are an empty object, never a string")
    void noArguments() {
      for (String arguments : new String[] {"", " ", "null", "{}"}) {
        String call = calling("c1").replace("'{}'", "'" + arguments + "'");
        assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
            .contains("{'type':'tool_use','id':'c1','name':'look','input':{}}");
      }
    }

    @Test
    @DisplayName("and arguments that are no object as text within one, which is told")
    void malformed() {
      Asked asked =
          chat(HI + "," + calling("c1").replace("'{}'", "'[1'") + "," + result("c1", "x"));
      assertThat(asked.member("messages")).contains("'input':{'unparsed':'[1'}");
      assertThat(asked.lost()).contains("~a tool call's arguments");
    }

    @Proves("translation.case.21")
    @Test
    @DisplayName("Case 21: empty texts are left out, the call beside them stays")
    void emptyText() {
      String call = calling("c1").replace("'content':null", "'content':' '");
      assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
          .contains("{'role':'assistant','content':[{'type':'tool_use',")
          .doesNotContain("' '");
    }

    @Test
    @DisplayName("Case 22: text beside calls stays, in front of them")
    void textAndCalls() {
      String call = calling("c1").replace("'content':null", "'content':'Let me see'");
      assertThat(chat(HI + "," + call + "," + result("c1", "x")).member("messages"))
          .contains("[{'type':'text','text':'Let me see'},{'type':'tool_use',");
    }

    @Proves("routing.other.eager")
    @Test
    @DisplayName("whose tools stream their arguments at once, where the answer is streamed")
    void eager() {
      String tools = "'tools':[{'type':'function','function':{'name':'t'}}]";
      assertThat(chat(HI, tools).member("tools")).doesNotContain("eager");
      assertThat(chat(HI, tools, "'stream':true").member("tools"))
          .contains("'eager_input_streaming':true");
    }

    @Test
    @DisplayName("whose ids and names of tools are those the upstream takes")
    void names() {
      String call = calling("c:1").replace("'look'", "'a.b'");
      Asked asked = chat(HI + "," + call + "," + result("c:1", "x")).declaring("a.b");
      assertThat(asked.written())
          .contains("'id':'c_x3a1','name':'a_x2eb'")
          .contains("'tool_use_id':'c_x3a1'")
          .contains("'tools':[{'name':'a_x2eb',");
    }

    @Test
    @DisplayName("begun by the user when the model began it")
    void begins() {
      Asked asked = chat("{'role':'assistant','content':'Hello'}," + HI);
      assertThat(asked.member("messages")).startsWith("[{'role':'user','content':'Begin.'},");
      assertThat(asked.lost()).contains("~messages");
      assertThat(chat("{'role':'system','content':'S'}").member("messages"))
          .isEqualTo("[{'role':'user','content':'Begin.'}]");
    }
  }

  @Nested
  @DisplayName("with its media")
  class Media {
    @Proves({"translation.request.image", "translation.request.detail"})
    @Test
    @DisplayName("images by base64 and by address, their detail told as lost")
    void images() {
      assertThat(content("{'type':'image_url','image_url':{'url':'data:image/png;base64,AA=='}}"))
          .isEqualTo(
              "[{'type':'image','source':{'type':'base64','media_type':'image/png',"
                  + "'data':'AA=='}}]}]");
      Asked asked = user("{'type':'image_url','image_url':{'url':'https://x/y','detail':'high'}}");
      assertThat(asked.member("messages"))
          .contains("{'type':'image','source':{'type':'url','url':'https://x/y'}}");
      assertThat(asked.lost()).contains("-image detail");
    }

    @Proves("translation.request.pdf")
    @Test
    @DisplayName("documents by base64, address and id")
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
    @DisplayName("text files as text")
    void texts() {
      assertThat(
              content(
                  "{'type':'file','file':{'filename':'a.txt',"
                      + "'file_data':'data:text/plain;base64,aGk='}}"))
          .contains("'source':{'type':'text','media_type':'text/plain','data':'hi'}");
    }

    @Proves({"translation.request.audio", "translation.request.video"})
    @Test
    @DisplayName("without sound and film, which is told, and never as an empty message")
    void dropped() {
      Asked asked =
          user(
              "{'type':'input_audio','input_audio':{'data':'AA==','format':'wav'}},"
                  + "{'type':'video_url','video_url':{'url':'https://x/v'}}");
      assertThat(asked.member("messages")).contains("'content':'(Left out");
      assertThat(asked.lost()).contains("-audio", "-video");
    }

    @Proves("translation.request.result-image")
    @Test
    @DisplayName("a single image in a result as an image")
    void imageInResult() {
      String image =
          "{'role':'tool','tool_call_id':'c1','content':[{'type':'image_url',"
              + "'image_url':{'url':'https://x/y'}}]}";
      assertThat(chat(HI + "," + calling("c1") + "," + image).member("messages"))
          .contains(
              "{'type':'tool_result','tool_use_id':'c1','content':[{'type':'image',"
                  + "'source':{'type':'url','url':'https://x/y'}}]}");
    }
  }

  @Nested
  @DisplayName("with its tools")
  class Tools {
    private Asked tools(String... more) {
      String[] all = new String[more.length + 1];
      all[0] = "'tools':[" + tool("look", "") + "]";
      System.arraycopy(more, 0, all, 1, more.length);
      return chat(HI, all);
    }

    @Proves({"translation.request.tool", "translation.request.no-parameters"})
    @Test
    @DisplayName("each with a schema")
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
    @DisplayName("strict only when its feature was asked for")
    void strict() {
      Asked asked = chat(HI, "'tools':[" + tool("t", ",'strict':true") + "]");
      assertThat(asked.features("structured-outputs-2025-11-13").member("tools"))
          .contains("'strict':true");
      assertThat(asked.member("tools")).doesNotContain("strict");
      assertThat(asked.lost()).contains("-strict");
    }

    @Proves("translation.request.tool_choice")
    @Test
    @DisplayName("and the choice among them in this dialect's words")
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
      Asked asked = tools();
      assertThat(
              asked
                  .with(asked.request().toBuilder().mayCallTools(false).build())
                  .member("tool_choice"))
          .isEqualTo("{'type':'none'}");
    }

    @Proves("translation.request.parallel")
    @Test
    @DisplayName("one call at a time needs a choice, and goes not with none")
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
    @DisplayName("Case 24: no call is forced on a model that thinks")
    void thinking() {
      for (String choice :
          new String[] {"'required'", "{'type':'function','function':{'name':'look'}}"}) {
        Asked asked =
            tools("'tool_choice':" + choice, "'reasoning':{'effort':'high'}", "'max_tokens':4000");
        assertThat(asked.member("tool_choice")).isEqualTo("{'type':'auto'}");
        assertThat(asked.lost()).contains("~tool_choice");
      }
    }
  }

  @Proves("translation.request.cache")
  @Test
  @DisplayName("with at most four cache marks, the last ones, their time kept")
  void marks() {
    String marked = "{'type':'text','text':'%s','cache_control':{'type':'ephemeral','ttl':'1h'}}";
    String broken = "{'type':'text','text':'e','prompt_cache_breakpoint':{'mode':'explicit'}}";
    Asked asked =
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
    assertThat(asked.member("system")).doesNotContain("cache_control");
    assertThat(asked.member("messages"))
        .contains("'b','cache_control':{'type':'ephemeral','ttl':'1h'}}")
        .contains("'c','cache_control'")
        .contains("'e','cache_control':{'type':'ephemeral'}}");
    assertThat(asked.member("cache_control")).isEqualTo("{'type':'ephemeral'}");
    assertThat(asked.lost()).containsExactly("-cache_control");
  }
}
