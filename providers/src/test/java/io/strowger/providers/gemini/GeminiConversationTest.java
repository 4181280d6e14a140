package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static io.strowger.providers.gemini.GeminiTestRequest.messages;
import static io.strowger.providers.gemini.GeminiTestRequest.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A conversation in the gemini dialect")
class GeminiConversationTest {
  private static final String USER = "{'role':'user','content':'hi'}";
  private static final String TWO_CALLS =
      "{'role':'assistant','content':null,'tool_calls':["
          + "{'id':'c1','type':'function','function':{'name':'f','arguments':'{\\'x\\':1}'}},"
          + "{'id':'c2','type':'function','function':{'name':'g.h','arguments':''}}]}";
  private static final String RESULTS =
      "{'role':'tool','tool_call_id':'c2','content':'two'},"
          + "{'role':'tool','tool_call_id':'c1','content':'{\\'ok\\':true}'}";

  private static String calls(String rest) {
    return USER
        + ","
        + TWO_CALLS.replace("\\'", "\\\"")
        + ","
        + RESULTS.replace("\\'", "\\\"")
        + rest;
  }

  @Proves({"translation.request.system", "translation.request.user-turn"})
  @Test
  @DisplayName("has a system instruction, and turns of user and model")
  void plain() {
    var body =
        chat(
            "{'role':'system','content':'be brief'},{'role':'developer','content':'be kind'},"
                + USER
                + ",{'role':'assistant','content':'hello'},{'role':'user','content':'bye'}");
    assertThat(body.contents())
        .isEqualTo(
            """
            user [{'text':'hi'}]
            model [{'text':'hello'}]
            user [{'text':'bye'}]\
            """);
    assertThat(body.member("systemInstruction"))
        .isEqualTo("{'parts':[{'text':'be brief'},{'text':'be kind'}]}");
    assertThat(body.losses()).isEmpty();
  }

  @Proves({"translation.request.systems", "translation.request.neighbours"})
  @Test
  @DisplayName("joins adjacent turns of one role, and moves late system texts to the front")
  void merged() {
    var body =
        chat(
            USER
                + ",{'role':'user','content':'there'},{'role':'assistant','content':'a'},"
                + "{'role':'system','content':'late'},{'role':'assistant','content':'b'}");
    assertThat(body.contents())
        .isEqualTo(
            """
            user [{'text':'hi'},{'text':'there'}]
            model [{'text':'a'},{'text':'b'}]\
            """);
    assertThat(body.member("systemInstruction")).isEqualTo("{'parts':[{'text':'late'}]}");
    assertThat(body.losses()).containsExactly("CHANGED system");
  }

  @Test
  @DisplayName("begins with a user turn even if the model spoke first")
  void modelFirst() {
    var body = chat("{'role':'assistant','content':'welcome'}," + USER);
    assertThat(body.contents())
        .isEqualTo(
            """
            user [{'text':'Begin.'}]
            model [{'text':'welcome'}]
            user [{'text':'hi'}]\
            """);
    assertThat(body.losses()).containsExactly("CHANGED messages");
  }

  @Test
  @DisplayName("has its system text as a user turn when there is no other turn")
  void systemOnly() {
    var body = chat("{'role':'system','content':'go'}");
    assertThat(body.contents()).isEqualTo("user [{'text':'go'}]");
    assertThat(body.member("systemInstruction")).isEmpty();
    assertThat(body.losses()).containsExactly("CHANGED system");
  }

  @Proves({"translation.request.result", "translation.case.3"})
  @Test
  @DisplayName("Case 3: has the results of parallel calls in one user turn, by name and id")
  void parallelResults() {
    assertThat(chat(calls(",{'role':'user','content':'and?'}")).contents())
        .isEqualTo(
            """
            user [{'text':'hi'}]
            model [{'functionCall':{'id':'c1','name':'f','args':{'x':1}}},\
            {'functionCall':{'id':'c2','name':'g_x2eh','args':{}}}]
            user [{'functionResponse':{'id':'c1','name':'f','response':{'ok':true}}},\
            {'functionResponse':{'id':'c2','name':'g_x2eh','response':{'result':'two'}}},\
            {'text':'and?'}]\
            """);
  }

  @Proves("translation.request.call")
  @Test
  @DisplayName("Case 19: has an object as arguments, whatever the caller sent")
  void arguments() {
    for (String[] row :
        new String[][] {
          {"", "{}"},
          {"null", "{}"},
          {"  ", "{}"},
          {"[1]", "{'unparsed':[1]}"},
          {"3", "{'unparsed':3}"},
          {"{broken", "{'unparsed':'{broken'}"}
        }) {
      String call =
          "{'role':'assistant','content':'','tool_calls':[{'id':'c','type':'function',"
              + "'function':{'name':'f','arguments':'"
              + row[0]
              + "'}}]}";
      assertThat(chat(USER + "," + call).contents()).as(row[0]).contains("'args':" + row[1]);
    }
  }

  @Proves("translation.request.tool-error")
  @Test
  @DisplayName("wraps results that are no objects, as a result or an error")
  void results() {
    String call =
        "{'role':'assistant','content':[{'type':'tool_use','id':'t1','name':'f','input':{}}]}";
    for (String[] row :
        new String[][] {
          {"'content':'12'", "{'result':'12'}"},
          {"'content':'[1]'", "{'result':[1]}"},
          {"'content':'{a'", "{'result':'{a'}"},
          {"'content':''", "{'result':''}"},
          {"'is_error':false", "{'result':''}"},
          {
            "'content':[{'type':'text','text':'a'},{'type':'text','text':'b'}]",
            "{'result':'a\\nb'}"
          },
          {"'content':'no','is_error':true", "{'error':'no'}"}
        }) {
      String result = "{'type':'tool_result','tool_use_id':'t1'," + row[0] + "}";
      String body =
          messages(USER + "," + call + ",{'role':'user','content':[" + result + "]}").contents();
      assertThat(body).as(row[0]).contains("'name':'f','response':" + row[1] + "}");
    }
  }

  @Proves("translation.request.result-image")
  @Test
  @DisplayName("has the images of results as separate parts after all results")
  void imagesInResults() {
    String image =
        "{'type':'image','source':{'type':'base64','media_type':'image/png','data':'AAAA'}}";
    String body =
        messages(
                USER
                    + ",{'role':'assistant','content':["
                    + "{'type':'tool_use','id':'t1','name':'f','input':{}},"
                    + "{'type':'tool_use','id':'t2','name':'g','input':{}}]},"
                    + "{'role':'user','content':["
                    + "{'type':'tool_result','tool_use_id':'t1','content':[{'type':'text','text':'see'},"
                    + image
                    + "]},{'type':'tool_result','tool_use_id':'t2','content':'b'}]}")
            .contents();
    assertThat(body)
        .endsWith(
            """
            user [{'functionResponse':{'id':'t1','name':'f','response':{'result':'see'}}},\
            {'functionResponse':{'id':'t2','name':'g','response':{'result':'b'}}},\
            {'inlineData':{'mimeType':'image/png','data':'AAAA'}}]\
            """);
  }

  @Proves("translation.case.21")
  @Test
  @DisplayName("Case 21: has no blank text, and keeps the calls of a turn with no other text")
  void blankTexts() {
    String body =
        messages(
                USER
                    + ",{'role':'assistant','content':[{'type':'text','text':' '},"
                    + "{'type':'tool_use','id':'t1','name':'f','input':{'a':1}}]}")
            .contents();
    assertThat(body)
        .contains("model [{'functionCall':{'id':'t1','name':'f','args':{'a':1}}}]\n")
        .contains("{'functionResponse':{'id':'t1','name':'f','response':{'error':");
  }

  @Test
  @DisplayName("Case 22: has text and calls in order, and no calls for an empty list")
  void textAndCalls() {
    String both = TWO_CALLS.replace("\\'", "\\\"").replace("null", "'so'");
    assertThat(chat(USER + "," + both).contents())
        .contains("model [{'text':'so'},{'functionCall':{'id':'c1'");
    assertThat(chat(USER + ",{'role':'assistant','content':'x','tool_calls':[]}").contents())
        .endsWith("model [{'text':'x'}]");
  }

  @Test
  @DisplayName("is made from the items of the responses dialect, too")
  void items() {
    String body =
        responses(
                "{'type':'message','role':'user','content':[{'type':'input_text','text':'hi'}]},"
                    + "{'type':'function_call','call_id':'c1','name':'f','arguments':'{}'},"
                    + "{'type':'function_call','call_id':'c2','name':'g','arguments':'{}'},"
                    + "{'type':'function_call_output','call_id':'c1','output':'one'},"
                    + "{'type':'function_call_output','call_id':'c2','output':'two'}",
                "'instructions':'be brief'")
            .contents();
    assertThat(body)
        .isEqualTo(
            """
            user [{'text':'hi'}]
            model [{'functionCall':{'id':'c1','name':'f','args':{}}},\
            {'functionCall':{'id':'c2','name':'g','args':{}}}]
            user [{'functionResponse':{'id':'c1','name':'f','response':{'result':'one'}}},\
            {'functionResponse':{'id':'c2','name':'g','response':{'result':'two'}}}]\
            """);
  }
}
