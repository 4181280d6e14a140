package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatOf;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A chat message")
class ChatMessageRulesTest {
  private static Message message(String text) {
    return decode(chatOf(text)).messages().get(0);
  }

  @Proves({
    "chat.messages",
    "chat.message.system",
    "chat.message.user",
    "chat.message.assistant",
    "chat.message.call"
  })
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role':'system','content':'x'}",
        "{'role':'developer','content':[{'type':'text','text':'x'}],'name':'n'}",
        "{'role':'user','content':''}",
        "{'role':'user','content':[]}",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://u','detail':'low'}}]}",
        "{'role':'user','content':[{'type':'input_audio','input_audio':{'data':'','format':'wav'}}]}",
        "{'role':'user','content':[{'type':'video_url','video_url':{'url':'https://u'}}]}",
        "{'role':'user','content':[{'type':'input_video','video_url':{'url':'https://u'}}]}",
        "{'role':'user','content':[{'type':'file','file':{'filename':'f','file_data':'d'}}]}",
        "{'role':'user','content':[{'type':'text','text':'x','cache_control':{'type':'ephemeral'},"
            + "'prompt_cache_breakpoint':{'mode':'explicit'}}]}",
        "{'role':'assistant'}",
        "{'role':'assistant','content':null,'refusal':null,'reasoning':null,'model':'m'}",
        "{'role':'assistant','content':'x','reasoning_details':[],'images':[],'unknown':1}",
        "{'role':'assistant','tool_calls':[]}",
        "{'role':'assistant','tool_calls':[{'id':'1','type':'function','function':{'name':'f',"
            + "'arguments':'not json'}}]}",
        "{'role':'tool','tool_call_id':'1','content':'x'}",
        "{'role':'tool','tool_call_id':'1','content':[{'type':'text','text':'x'}]}",
      })
  @DisplayName("may be")
  void accepted(String message) {
    assertThat(problems(chatOf(message))).isEmpty();
  }

  @Proves({
    "chat.messages",
    "chat.message.system",
    "chat.message.user",
    "chat.message.tool",
    "chat.answer.400"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1 | /messages/0: must be an object, was 1",
        "{'content':'x'} | /messages/0/role: is required",
        "{'role':'robot','content':'x'} | /messages/0/role: must be one of system, user,"
            + " developer, assistant, tool, was \"robot\"",
        "{'role':1,'content':'x'} | /messages/0/role: must be one of system, user, developer,"
            + " assistant, tool, was 1",
        "{'role':'user'} | /messages/0/content: is required",
        "{'role':'system'} | /messages/0/content: is required",
        "{'role':'tool','tool_call_id':'1'} | /messages/0/content: is required",
        "{'role':'user','content':null} | /messages/0/content: must be a string or an array of"
            + " content parts, was null",
        "{'role':'user','content':7} | /messages/0/content: must be a string or an array of"
            + " content parts, was 7",
        "{'role':'user','content':['x']} | /messages/0/content/0: must be an object, was \"x\"",
        "{'role':'user','content':[{}]} | /messages/0/content/0/type: is required",
        "{'role':'user','content':[{'type':'x'}]} | /messages/0/content/0/type: must be one of"
            + " text, image_url, input_audio, video_url, input_video, file, was \"x\"",
        "{'role':'system','content':[{'type':'image_url','image_url':{'url':'https://u'}}]} |"
            + " /messages/0/content/0/type: must be text, the only type allowed here, was"
            + " \"image_url\"",
        "{'role':'user','content':[{'type':'text'}]} | /messages/0/content/0/text: is required",
        "{'role':'user','content':[{'type':'text','text':1}]} | /messages/0/content/0/text: must"
            + " be a string, was 1",
        "{'role':'user','content':[{'type':'image_url'}]} | /messages/0/content/0/image_url: is"
            + " required",
        "{'role':'user','content':[{'type':'image_url','image_url':{}}]} |"
            + " /messages/0/content/0/image_url/url: is required",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://u','detail':'x'}}]}"
            + " | /messages/0/content/0/image_url/detail: must be one of auto, low, high, original,"
            + " was \"x\"",
        "{'role':'user','content':[{'type':'input_audio','input_audio':{'data':'x'}}]} |"
            + " /messages/0/content/0/input_audio/format: is required",
        "{'role':'user','content':[{'type':'file','file':{'file_id':1}}]} |"
            + " /messages/0/content/0/file/file_id: must be a string, was 1",
        "{'role':'user','content':[{'type':'text','text':'x','cache_control':{'type':'x'}}]} |"
            + " /messages/0/content/0/cache_control/type: must be ephemeral, was \"x\"",
        "{'role':'user','content':'x','name':1} | /messages/0/name: must be a string, was 1",
        "{'role':'assistant','reasoning':1} | /messages/0/reasoning: must be a string, was 1",
        "{'role':'tool','content':'x'} | /messages/0/tool_call_id: is required",
        "{'role':'tool','content':'x','tool_call_id':1} | /messages/0/tool_call_id: must be a"
            + " string, was 1",
        "{'role':'assistant','tool_calls':{}} | /messages/0/tool_calls: must be an array, was an"
            + " object",
        "{'role':'assistant','tool_calls':[1]} | /messages/0/tool_calls/0: must be an object, was"
            + " 1",
      })
  @DisplayName("may not be")
  void refused(String message, String problem) {
    assertThat(problems(chatOf(message))).containsExactly(problem);
  }

  @Proves("chat.message.call")
  @Test
  @DisplayName("is refused with everything that one of its tool calls lacks")
  void toolCallLacks() {
    assertThat(problems(chatOf("{'role':'assistant','tool_calls':[{}]}")))
        .containsExactly(
            "/messages/0/tool_calls/0/id: is required",
            "/messages/0/tool_calls/0/type: is required",
            "/messages/0/tool_calls/0/function: is required");
    assertThat(
            problems(
                chatOf(
                    "{'role':'assistant','tool_calls':[{'id':'1','type':'x','function':"
                        + "{'arguments':{}}}]}")))
        .containsExactly(
            "/messages/0/tool_calls/0/type: must be function, was \"x\"",
            "/messages/0/tool_calls/0/function/arguments: must be a string, was an object",
            "/messages/0/tool_calls/0/function/name: is required");
  }

  @Test
  @DisplayName("keeps the form of its content")
  void forms() {
    assertThat(message("{'role':'user','content':'x'}").contentForm())
        .isEqualTo(ContentForm.STRING);
    assertThat(message("{'role':'user','content':[]}").contentForm()).isEqualTo(ContentForm.LIST);
    assertThat(message("{'role':'assistant','content':null}").contentForm())
        .isEqualTo(ContentForm.NULL);
    assertThat(message("{'role':'assistant'}").contentForm()).isEqualTo(ContentForm.ABSENT);
  }

  @Test
  @DisplayName("holds its parts in order, tool calls last, each with its source")
  void parts() {
    Message message =
        message(
            "{'role':'assistant','tool_calls':[{'id':'c1','type':'function','function':"
                + "{'name':'f','arguments':'{}'}}],'content':[{'type':'text','text':'a'}]}");
    assertThat(message.role()).isEqualTo(Role.ASSISTANT);
    assertThat(message.parts()).hasSize(2);
    var text = (Part.Text) message.parts().get(0);
    assertThat(text.text().text()).isEqualTo("a");
    assertThat(text.source()).isNotNull();
    var call = (Part.ToolCall) message.parts().get(1);
    assertThat(call.id() + call.name() + call.arguments().text()).isEqualTo("c1f{}");
    assertThat(call.extras()).isEqualTo(Json.Obj.EMPTY);
  }

  @Proves("chat.message.tool")
  @Test
  @DisplayName("holds the result of a tool with the id of its call")
  void toolResult() {
    var result =
        (Part.ToolResult)
            message("{'role':'tool','tool_call_id':'c1','content':'42'}").parts().get(0);
    assertThat(result.callId()).isEqualTo("c1");
    assertThat(result.isString()).isTrue();
    assertThat(((Part.Text) result.content().get(0)).text().text()).isEqualTo("42");
    var listed =
        (Part.ToolResult)
            message("{'role':'tool','tool_call_id':'c1','content':[{'type':'text','text':'x'}]}")
                .parts()
                .get(0);
    assertThat(listed.isString()).isFalse();
  }

  @Test
  @DisplayName("keeps unmodelled members, those of inner objects under the names of the objects")
  void extras() {
    assertThat(message("{'role':'user','content':'x','name':'n','y':1}").extras())
        .isEqualTo(json("{'name':'n','y':1}"));
    assertThat(message("{'role':'tool','tool_call_id':'1','content':'x','n':2}").extras())
        .isEqualTo(json("{'n':2}"));
    assertThat(message("{'role':'user','tool_calls':[],'content':'x'}").extras())
        .isEqualTo(json("{'tool_calls':[]}"));
    var image =
        (Part.Image)
            message(
                    "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://u',"
                        + "'detail':'high'},'x':1}]}")
                .parts()
                .get(0);
    assertThat(image.extras()).isEqualTo(json("{'image_url':{'detail':'high'},'x':1}"));
    var plain =
        (Part.Image)
            message(
                    "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://u'}}]}")
                .parts()
                .get(0);
    assertThat(plain.extras()).isEqualTo(Json.Obj.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"system", "developer", "user", "assistant"})
  @DisplayName("with only a role and a text is read like one that needs the table of its role")
  void plain(String role) {
    Message plain = message("{'content':'x','role':'" + role + "'}");
    Message byTable = message("{'role':'" + role + "','content':'x','name':'n'}");
    assertThat(plain.role()).isEqualTo(byTable.role());
    assertThat(plain.parts()).isEqualTo(byTable.parts());
    assertThat(plain.contentForm()).isEqualTo(byTable.contentForm());
    assertThat(plain.extras()).isEqualTo(Json.Obj.EMPTY);
    assertThat(plain.source()).isEqualTo(json("{'role':'" + role + "','content':'x'}"));
    assertThat(problems(chatOf("{'role':'tool','content':'x'}")))
        .containsExactly("/messages/0/tool_call_id: is required");
  }
}
