package io.strowger.providers.responses;

import static io.strowger.providers.responses.Bodies.chat;
import static io.strowger.providers.responses.Bodies.endpoint;
import static io.strowger.providers.responses.Bodies.messages;
import static io.strowger.providers.responses.Bodies.sent;
import static io.strowger.providers.responses.Bodies.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A conversation of another dialect as items")
class ForeignInputTest {
  private static final String CALL =
      "{'role':'assistant','tool_calls':[{'id':'%s','type':'function',"
          + "'function':{'name':'f','arguments':'%s'}}]}";

  private static Bodies.Sent inChat(String messages) {
    return sent(chat("{'messages':[" + messages + "]}"));
  }

  private static Bodies.Sent inMessages(String messages) {
    return sent(messages("{'max_tokens':9,'messages':[" + messages + "]}"));
  }

  private static Bodies.Sent asked(String part) {
    return inChat("{'role':'user','content':[" + part + "]}");
  }

  private static Bodies.Sent askedInMessages(String block) {
    return inMessages("{'role':'user','content':[" + block + "]}");
  }

  /** The one part of the one item. */
  private static Json part(Bodies.Sent sent) {
    var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
    assertThat(input).hasSize(1);
    var content = Objects.requireNonNull(((Json.Obj) input.get(0)).list("content"));
    assertThat(content).hasSize(1);
    return content.get(0);
  }

  @Nested
  @DisplayName("has what the system says")
  class System {
    @Proves("translation.request.system")
    @Test
    @DisplayName("first as instructions, and later where it says it")
    void leading() {
      Bodies.Sent sent =
          inChat(
              "{'role':'system','content':'a'},{'role':'developer','content':'b'},"
                  + "{'role':'user','content':'c'},{'role':'system','content':'d'}");
      assertThat(sent.get("instructions")).isEqualTo(Json.of("a\n\nb"));
      assertThat(sent.get("input"))
          .isEqualTo(value("[{'role':'user','content':'c'},{'role':'system','content':'d'}]"));
      assertThat(sent.losses()).isEmpty();
    }

    @Test
    @DisplayName("as an item where instructions cannot say it: marked for a cache, or alone")
    void marked() {
      Bodies.Sent sent =
          sent(
              messages(
                  "{'max_tokens':9,'system':[{'type':'text','text':'a',"
                      + "'cache_control':{'type':'ephemeral','ttl':'1h'}}],"
                      + "'messages':[{'role':'user','content':'b'}]}"));
      assertThat(sent.get("instructions")).isNull();
      assertThat(sent.get("input"))
          .isEqualTo(
              value(
                  "[{'role':'system','content':[{'type':'input_text','text':'a',"
                      + "'prompt_cache_breakpoint':{'mode':'explicit'}}]},"
                      + "{'role':'user','content':'b'}]"));
      assertThat(sent.lost()).containsExactly("cache_control CHANGED");
      assertThat(inChat("{'role':'system','content':'a'}").get("input"))
          .isEqualTo(value("[{'role':'system','content':'a'}]"));
    }
  }

  @Nested
  @DisplayName("has what the user says:")
  class User {
    @Proves("translation.request.detail")
    @Test
    @DisplayName("pictures by address or as data, with their detail")
    void images() {
      assertThat(part(asked("{'type':'image_url','image_url':{'url':'http://x','detail':'low'}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'http://x','detail':'low'}"));
      assertThat(
              part(
                  askedInMessages(
                      "{'type':'image','source':{'type':'base64','media_type':'image/png',"
                          + "'data':'QQ=='}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'data:image/png;base64,QQ=='}"));
      assertThat(part(askedInMessages("{'type':'image','source':{'type':'url','url':'http://x'}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'http://x'}"));
    }

    @Test
    @DisplayName("documents as data with a name, by address or by id, or as text")
    void files() {
      assertThat(
              part(
                  askedInMessages(
                      "{'type':'document','source':{'type':'base64',"
                          + "'media_type':'application/pdf','data':'QQ=='}}")))
          .isEqualTo(
              value(
                  "{'type':'input_file','filename':'document.pdf',"
                      + "'file_data':'data:application/pdf;base64,QQ=='}"));
      assertThat(part(asked("{'type':'file','file':{'file_data':'http://x/a.pdf'}}")))
          .isEqualTo(value("{'type':'input_file','file_url':'http://x/a.pdf'}"));
      assertThat(part(asked("{'type':'file','file':{'file_id':'f1'}}")))
          .isEqualTo(value("{'type':'input_file','file_id':'f1'}"));
      Bodies.Sent text =
          askedInMessages(
              "{'type':'document','title':'T','source':{'type':'text',"
                  + "'media_type':'text/plain','data':'said'}}");
      assertThat(part(text)).isEqualTo(value("{'type':'input_text','text':'T\\n\\nsaid'}"));
      assertThat(text.lost()).containsExactly("document CHANGED");
    }

    @Proves({"translation.request.audio", "translation.request.video"})
    @Test
    @DisplayName("sound, and films where the endpoint takes them")
    void soundAndFilm() {
      assertThat(part(asked("{'type':'input_audio','input_audio':{'data':'QQ','format':'wav'}}")))
          .isEqualTo(value("{'type':'input_audio','input_audio':{'data':'QQ','format':'wav'}}"));
      String film = "{'type':'video_url','video_url':{'url':'http://x'}}";
      var seeing =
          endpoint().toBuilder()
              .inputModalities(Modality.TEXT.bit() | Modality.VIDEO.bit())
              .build();
      var request = chat("{'messages':[{'role':'user','content':[" + film + "]}]}");
      assertThat(part(sent(seeing, request)))
          .isEqualTo(value("{'type':'input_video','video_url':'http://x'}"));
      Bodies.Sent blind = asked("{'type':'text','text':'a'}," + film);
      assertThat(part(blind)).isEqualTo(value("{'type':'input_text','text':'a'}"));
      assertThat(blind.lost()).containsExactly("video DROPPED");
    }

    @Proves("translation.request.cache")
    @Test
    @DisplayName("marks for a cache on texts, and nowhere else")
    void marks() {
      assertThat(part(asked("{'type':'text','text':'a','cache_control':{'type':'ephemeral'}}")))
          .isEqualTo(
              value(
                  "{'type':'input_text','text':'a',"
                      + "'prompt_cache_breakpoint':{'mode':'explicit'}}"));
      Bodies.Sent image =
          askedInMessages(
              "{'type':'image','source':{'type':'url','url':'http://x'},"
                  + "'cache_control':{'type':'ephemeral'}}");
      assertThat(image.lost()).containsExactly("cache_control DROPPED");
    }

    @Test
    @DisplayName("a name before the text, since there is no other place for it")
    void name() {
      Bodies.Sent sent = inChat("{'role':'user','name':'Ann','content':'hi'}");
      assertThat(sent.get("input")).isEqualTo(value("[{'role':'user','content':'Ann: hi'}]"));
      assertThat(sent.lost()).containsExactly("name CHANGED");
    }

    @Proves("translation.case.21")
    @Test
    @DisplayName("Case 21: no text that is empty")
    void blank() {
      assertThat(
              inChat(
                      "{'role':'user','content':[{'type':'text','text':' '},"
                          + "{'type':'text','text':'a'}]}")
                  .get("input"))
          .isEqualTo(value("[{'role':'user','content':'a'}]"));
    }
  }

  @Nested
  @DisplayName("has what the model said:")
  class Model {
    @Proves("translation.request.assistant")
    @Test
    @DisplayName("Case 22: text and calls, each an item, in their order")
    void items() {
      Bodies.Sent sent =
          inChat(
              "{'role':'user','content':'a'},{'role':'assistant','content':'b','tool_calls':["
                  + "{'id':'c1','type':'function','function':{'name':'f','arguments':'{}'}},"
                  + "{'id':'c2','type':'function','function':{'name':'g.h','arguments':'[1'}}]},"
                  + "{'role':'tool','tool_call_id':'c1','content':'r1'},"
                  + "{'role':'tool','tool_call_id':'c2','content':'r2'}");
      assertThat(sent.get("input"))
          .isEqualTo(
              value(
                  "[{'role':'user','content':'a'},"
                      + "{'role':'assistant','content':'b'},"
                      + "{'type':'function_call','call_id':'c1','name':'f','arguments':'{}'},"
                      + "{'type':'function_call','call_id':'c2','name':'g_x2eh',"
                      + "'arguments':'[1'},"
                      + "{'type':'function_call_output','call_id':'c1','output':'r1'},"
                      + "{'type':'function_call_output','call_id':'c2','output':'r2'}]"));
    }

    @Proves("translation.case.2")
    @Test
    @DisplayName("Case 2: two parallel calls with their results, and no result that was made up")
    void parallel() {
      Bodies.Sent sent =
          inMessages(
              "{'role':'user','content':'a'},{'role':'assistant','content':["
                  + "{'type':'tool_use','id':'c1','name':'f','input':{'x':1}},"
                  + "{'type':'tool_use','id':'c2','name':'f','input':{}}]},"
                  + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c2',"
                  + "'content':'r2'}]},{'role':'user','content':[{'type':'tool_result',"
                  + "'tool_use_id':'c1','content':[{'type':'text','text':'r1'},"
                  + "{'type':'image','source':{'type':'url','url':'http://x'}}]},"
                  + "{'type':'text','text':'go on'}]}");
      assertThat(sent.get("input"))
          .isEqualTo(
              value(
                  "[{'role':'user','content':'a'},"
                      + "{'type':'function_call','call_id':'c1','name':'f',"
                      + "'arguments':'{\\\"x\\\":1}'},"
                      + "{'type':'function_call','call_id':'c2','name':'f','arguments':'{}'},"
                      + "{'type':'function_call_output','call_id':'c1','output':["
                      + "{'type':'input_text','text':'r1'},"
                      + "{'type':'input_image','image_url':'http://x'}]},"
                      + "{'type':'function_call_output','call_id':'c2','output':'r2'},"
                      + "{'role':'user','content':'go on'}]"));
      assertThat(sent.losses()).isEmpty();
    }

    @Test
    @DisplayName("Case 19: a call without arguments has an empty object")
    void noArguments() {
      String result = ",{'role':'tool','tool_call_id':'c','content':'r'}";
      for (String nothing : new String[] {"", " ", "null"}) {
        Bodies.Sent sent =
            inChat("{'role':'user','content':'a'}," + CALL.formatted("c", nothing) + result);
        var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
        assertThat(((Json.Obj) input.get(1)).text("arguments")).isEqualTo("{}");
      }
    }

    @Proves("translation.request.tool-error")
    @Test
    @DisplayName("an error of a tool by its text, which is told; an empty result too")
    void results() {
      Bodies.Sent sent =
          inMessages(
              "{'role':'user','content':'a'},{'role':'assistant','content':["
                  + "{'type':'tool_use','id':'c1','name':'f','input':{}}]},"
                  + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1',"
                  + "'is_error':true,'content':[]}]}");
      var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
      assertThat(input.get(2))
          .isEqualTo(value("{'type':'function_call_output','call_id':'c1','output':''}"));
      assertThat(sent.lost()).containsExactly("is_error CHANGED");
    }

    @Test
    @DisplayName("ids that are too long under shorter ones, alike for call and result")
    void longIds() {
      String id = "c".repeat(65);
      Bodies.Sent sent =
          inChat(
              "{'role':'user','content':'a'},"
                  + CALL.formatted(id, "{}")
                  + ",{'role':'tool','tool_call_id':'"
                  + id
                  + "','content':'r'}");
      var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
      assertThat(((Json.Obj) input.get(1)).text("call_id")).isEqualTo("call_shortened_0");
      assertThat(((Json.Obj) input.get(2)).text("call_id")).isEqualTo("call_shortened_0");
    }
  }

  @Nested
  @DisplayName("has what the model thought")
  class Thoughts {
    private static final Part SUMMARY =
        thought(Kind.SUMMARY, "s", null, ResponsesReasoningItem.FORMAT);
    private static final Part ENCRYPTED =
        thought(Kind.ENCRYPTED, "e", null, ResponsesReasoningItem.FORMAT);

    private static Part thought(
        Kind kind, String text, Json.@Nullable Str signature, String format) {
      return new Part.Thinking(kind, Json.of(text), signature, format, "rs", Json.Obj.EMPTY, null);
    }

    private static Bodies.Sent said(Part... parts) {
      var request =
          chat(
              "{'messages':[{'role':'user','content':'a'},{'role':'assistant','content':'b'},"
                  + "{'role':'user','content':'c'}]}");
      var changed = new ArrayList<>(request.messages());
      changed.set(1, changed.get(1).withParts(List.of(parts)));
      return sent(request.toBuilder().messages(changed).build());
    }

    @Test
    @DisplayName("Case 6: as the items it came in, before what it was thought for")
    void replayed() {
      Part other =
          new Part.Thinking(
              Kind.ENCRYPTED,
              Json.of("f"),
              null,
              ResponsesReasoningItem.FORMAT,
              "rs2",
              Json.Obj.EMPTY,
              null);
      Bodies.Sent sent = said(SUMMARY, ENCRYPTED, other, new Part.Text("b"));
      assertThat(sent.get("input"))
          .isEqualTo(
              value(
                  "[{'role':'user','content':'a'},{'type':'reasoning','id':'rs','summary':["
                      + "{'type':'summary_text','text':'s'}],'encrypted_content':'e'},"
                      + "{'type':'reasoning','id':'rs2','summary':[],'encrypted_content':'f'},"
                      + "{'role':'assistant','content':'b'},"
                      + "{'role':'user','content':'c'}]"));
      assertThat(sent.losses()).isEmpty();
    }

    @Test
    @DisplayName("without its id when it is not all there, since nothing is stored")
    void idOnly() {
      var input = (Json.Arr) Objects.requireNonNull(said(SUMMARY, new Part.Text("b")).get("input"));
      assertThat(input.get(1))
          .isEqualTo(value("{'type':'reasoning','summary':[{'type':'summary_text','text':'s'}]}"));
    }

    @Test
    @DisplayName("only when its own vendor is asked again, and something comes after it")
    void dropped() {
      Bodies.Sent foreign =
          said(thought(Kind.TEXT, "t", Json.of("sig"), "anthropic-claude-v1"), new Part.Text("b"));
      assertThat(foreign.text()).doesNotContain("reasoning");
      assertThat(foreign.lost()).containsExactly("reasoning DROPPED");
      Bodies.Sent last = said(new Part.Text("b"), ENCRYPTED);
      assertThat(last.text()).doesNotContain("reasoning");
      assertThat(last.lost()).containsExactly("reasoning DROPPED");
    }
  }
}
