package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesFixtures.chat;
import static io.strowger.providers.responses.ResponsesFixtures.endpoint;
import static io.strowger.providers.responses.ResponsesFixtures.messages;
import static io.strowger.providers.responses.ResponsesFixtures.sent;
import static io.strowger.providers.responses.ResponsesFixtures.value;
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

@DisplayName("The input for a conversation in another dialect")
class ForeignInputTest {
  private static final String CALL =
      "{'role':'assistant','tool_calls':[{'id':'%s','type':'function',"
          + "'function':{'name':'f','arguments':'%s'}}]}";

  private static ResponsesFixtures.SentBody inChat(String messages) {
    return sent(chat("{'messages':[" + messages + "]}"));
  }

  private static ResponsesFixtures.SentBody inMessages(String messages) {
    return sent(messages("{'max_tokens':9,'messages':[" + messages + "]}"));
  }

  private static ResponsesFixtures.SentBody userInChat(String part) {
    return inChat("{'role':'user','content':[" + part + "]}");
  }

  private static ResponsesFixtures.SentBody userInMessages(String block) {
    return inMessages("{'role':'user','content':[" + block + "]}");
  }

  /** Returns the only part of the only item. */
  private static Json part(ResponsesFixtures.SentBody sent) {
    var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
    assertThat(input).hasSize(1);
    var content = Objects.requireNonNull(((Json.Obj) input.get(0)).list("content"));
    assertThat(content).hasSize(1);
    return content.get(0);
  }

  @Nested
  @DisplayName("has system texts")
  class System {
    @Proves("translation.request.system")
    @Test
    @DisplayName("as instructions if they are first, and as items if they are later")
    void leading() {
      ResponsesFixtures.SentBody sent =
          inChat(
              "{'role':'system','content':'a'},{'role':'developer','content':'b'},"
                  + "{'role':'user','content':'c'},{'role':'system','content':'d'}");
      assertThat(sent.get("instructions")).isEqualTo(Json.of("a\n\nb"));
      assertThat(sent.get("input"))
          .isEqualTo(value("[{'role':'user','content':'c'},{'role':'system','content':'d'}]"));
      assertThat(sent.losses()).isEmpty();
    }

    @Test
    @DisplayName("as items if they have cache marks or stand alone")
    void marked() {
      ResponsesFixtures.SentBody sent =
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
  @DisplayName("has from the user")
  class User {
    @Proves("translation.request.detail")
    @Test
    @DisplayName("images by URL or as data, with their detail")
    void images() {
      assertThat(
              part(
                  userInChat("{'type':'image_url','image_url':{'url':'http://x','detail':'low'}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'http://x','detail':'low'}"));
      assertThat(
              part(
                  userInMessages(
                      "{'type':'image','source':{'type':'base64','media_type':'image/png',"
                          + "'data':'QQ=='}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'data:image/png;base64,QQ=='}"));
      assertThat(part(userInMessages("{'type':'image','source':{'type':'url','url':'http://x'}}")))
          .isEqualTo(value("{'type':'input_image','image_url':'http://x'}"));
    }

    @Test
    @DisplayName("documents as data with a name, by URL, by id, or as text")
    void files() {
      assertThat(
              part(
                  userInMessages(
                      "{'type':'document','source':{'type':'base64',"
                          + "'media_type':'application/pdf','data':'QQ=='}}")))
          .isEqualTo(
              value(
                  "{'type':'input_file','filename':'document.pdf',"
                      + "'file_data':'data:application/pdf;base64,QQ=='}"));
      assertThat(part(userInChat("{'type':'file','file':{'file_data':'http://x/a.pdf'}}")))
          .isEqualTo(value("{'type':'input_file','file_url':'http://x/a.pdf'}"));
      assertThat(part(userInChat("{'type':'file','file':{'file_id':'f1'}}")))
          .isEqualTo(value("{'type':'input_file','file_id':'f1'}"));
      ResponsesFixtures.SentBody text =
          userInMessages(
              "{'type':'document','title':'T','source':{'type':'text',"
                  + "'media_type':'text/plain','data':'body'}}");
      assertThat(part(text)).isEqualTo(value("{'type':'input_text','text':'T\\n\\nbody'}"));
      assertThat(text.lost()).containsExactly("document CHANGED");
    }

    @Proves({"translation.request.audio", "translation.request.video"})
    @Test
    @DisplayName("audio, and videos if the endpoint accepts them")
    void audioAndVideo() {
      assertThat(
              part(userInChat("{'type':'input_audio','input_audio':{'data':'QQ','format':'wav'}}")))
          .isEqualTo(value("{'type':'input_audio','input_audio':{'data':'QQ','format':'wav'}}"));
      String video = "{'type':'video_url','video_url':{'url':'http://x'}}";
      var acceptingVideo =
          endpoint().toBuilder()
              .inputModalities(Modality.TEXT.bit() | Modality.VIDEO.bit())
              .build();
      var request = chat("{'messages':[{'role':'user','content':[" + video + "]}]}");
      assertThat(part(sent(acceptingVideo, request)))
          .isEqualTo(value("{'type':'input_video','video_url':'http://x'}"));
      ResponsesFixtures.SentBody withoutVideo = userInChat("{'type':'text','text':'a'}," + video);
      assertThat(part(withoutVideo)).isEqualTo(value("{'type':'input_text','text':'a'}"));
      assertThat(withoutVideo.lost()).containsExactly("video DROPPED");
    }

    @Proves("translation.request.cache")
    @Test
    @DisplayName("cache marks on texts, but nowhere else")
    void marks() {
      assertThat(
              part(userInChat("{'type':'text','text':'a','cache_control':{'type':'ephemeral'}}")))
          .isEqualTo(
              value(
                  "{'type':'input_text','text':'a',"
                      + "'prompt_cache_breakpoint':{'mode':'explicit'}}"));
      ResponsesFixtures.SentBody image =
          userInMessages(
              "{'type':'image','source':{'type':'url','url':'http://x'},"
                  + "'cache_control':{'type':'ephemeral'}}");
      assertThat(image.lost()).containsExactly("cache_control DROPPED");
    }

    @Test
    @DisplayName("a name before the text, since the dialect has no member for it")
    void name() {
      ResponsesFixtures.SentBody sent = inChat("{'role':'user','name':'Ann','content':'hi'}");
      assertThat(sent.get("input")).isEqualTo(value("[{'role':'user','content':'Ann: hi'}]"));
      assertThat(sent.lost()).containsExactly("name CHANGED");
    }

    @Proves("translation.case.21")
    @Test
    @DisplayName("Case 21: no blank text")
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
  @DisplayName("has from the model")
  class Model {
    @Proves("translation.request.assistant")
    @Test
    @DisplayName("Case 22: text and calls as items in their order")
    void items() {
      ResponsesFixtures.SentBody sent =
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
    @DisplayName("Case 2: parallel calls with their results, and no invented result")
    void parallel() {
      ResponsesFixtures.SentBody sent =
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
    @DisplayName("Case 19: calls without arguments with an empty object")
    void noArguments() {
      String result = ",{'role':'tool','tool_call_id':'c','content':'r'}";
      for (String nothing : new String[] {"", " ", "null"}) {
        ResponsesFixtures.SentBody sent =
            inChat("{'role':'user','content':'a'}," + CALL.formatted("c", nothing) + result);
        var input = (Json.Arr) Objects.requireNonNull(sent.get("input"));
        assertThat(((Json.Obj) input.get(1)).text("arguments")).isEqualTo("{}");
      }
    }

    @Proves("translation.request.tool-error")
    @Test
    @DisplayName("tool errors as their text, which is reported as a change, and empty results")
    void results() {
      ResponsesFixtures.SentBody sent =
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
    @DisplayName("shorter ids in place of those that are too long, the same for call and result")
    void longIds() {
      String id = "c".repeat(65);
      ResponsesFixtures.SentBody sent =
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
  @DisplayName("has reasoning")
  class Thoughts {
    private static final Part SUMMARY =
        thought(Kind.SUMMARY, "s", null, ResponsesReasoningItem.FORMAT);
    private static final Part ENCRYPTED =
        thought(Kind.ENCRYPTED, "e", null, ResponsesReasoningItem.FORMAT);

    private static Part thought(
        Kind kind, String text, Json.@Nullable Str signature, String format) {
      return new Part.Thinking(kind, Json.of(text), signature, format, "rs", Json.Obj.EMPTY, null);
    }

    private static ResponsesFixtures.SentBody sentWith(Part... parts) {
      var request =
          chat(
              "{'messages':[{'role':'user','content':'a'},{'role':'assistant','content':'b'},"
                  + "{'role':'user','content':'c'}]}");
      var changed = new ArrayList<>(request.messages());
      changed.set(1, changed.get(1).withParts(List.of(parts)));
      return sent(request.toBuilder().messages(changed).build());
    }

    @Test
    @DisplayName("Case 6: as its original items, before the text that follows it")
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
      ResponsesFixtures.SentBody sent = sentWith(SUMMARY, ENCRYPTED, other, new Part.Text("b"));
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
    @DisplayName("without its id if it is incomplete, since nothing is stored")
    void idOnly() {
      var input =
          (Json.Arr) Objects.requireNonNull(sentWith(SUMMARY, new Part.Text("b")).get("input"));
      assertThat(input.get(1))
          .isEqualTo(value("{'type':'reasoning','summary':[{'type':'summary_text','text':'s'}]}"));
    }

    @Test
    @DisplayName("only of the same vendor, and only if something follows it")
    void dropped() {
      ResponsesFixtures.SentBody foreign =
          sentWith(
              thought(Kind.TEXT, "t", Json.of("sig"), "anthropic-claude-v1"), new Part.Text("b"));
      assertThat(foreign.text()).doesNotContain("reasoning");
      assertThat(foreign.lost()).containsExactly("reasoning DROPPED");
      ResponsesFixtures.SentBody last = sentWith(new Part.Text("b"), ENCRYPTED);
      assertThat(last.text()).doesNotContain("reasoning");
      assertThat(last.lost()).containsExactly("reasoning DROPPED");
    }
  }
}
