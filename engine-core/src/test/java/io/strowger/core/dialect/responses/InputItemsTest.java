package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.ResponsesRequestBodies.body;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.decode;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.each;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.item;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.of;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.TestJson;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The input items of a responses body")
class InputItemsTest {
  @Proves("responses.member.input")
  @TestFactory
  @DisplayName("are refused when there are none, or when something is not an item")
  Stream<DynamicTest> input() {
    return each(ItemMutations.input());
  }

  @Proves("responses.member.items")
  @TestFactory
  @DisplayName("that are messages are refused when they break a rule")
  Stream<DynamicTest> messages() {
    return each(ItemMutations.messages());
  }

  @Proves("responses.member.items")
  @TestFactory
  @DisplayName("are refused when their parts break a rule")
  Stream<DynamicTest> parts() {
    return each(ItemMutations.parts());
  }

  @Proves("responses.member.items")
  @TestFactory
  @DisplayName("that are calls or their outputs are refused when they break a rule")
  Stream<DynamicTest> calls() {
    return each(ItemMutations.calls());
  }

  @Proves("responses.member.items")
  @TestFactory
  @DisplayName("that are sent back from an earlier answer are refused when they break a rule")
  Stream<DynamicTest> replayed() {
    return each(ItemMutations.replayed());
  }

  @Proves("responses.member.input")
  @Test
  @DisplayName("may be a string instead, which is read as a user's message")
  void prompt() {
    Message message = decode(body("")).messages().get(0);
    assertThat(message.role()).isEqualTo(Message.Role.USER);
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.STRING);
    assertThat(message.parts()).containsExactly(new Part.Text(Json.of("hi"), Json.Obj.EMPTY, null));
  }

  @Test
  @DisplayName(
      "that are messages keep their role, the form of their content and unmodelled members")
  void message() {
    Message message =
        item(
            "{'type':'message','id':'i','role':'developer','phase':null,'content':["
                + "{'type':'input_text','text':'a'},{'type':'input_text','text':'b','x':1}]}");
    assertThat(message.role()).isEqualTo(Message.Role.DEVELOPER);
    assertThat(message.contentForm()).isEqualTo(Message.ContentForm.LIST);
    assertThat(message.extras()).isEqualTo(TestJson.of("{'type':'message','id':'i','phase':null}"));
    assertThat(message.parts()).hasSize(2);
    assertThat(message.parts().get(1))
        .isInstanceOfSatisfying(
            Part.Text.class,
            text -> {
              assertThat(text.text()).isEqualTo(Json.of("b"));
              assertThat(text.extras()).isEqualTo(TestJson.of("{'type':'input_text','x':1}"));
            });
  }

  @Test
  @DisplayName("of an assistant need an id only when they have output parts")
  void assistant() {
    String output = "[{'type':'output_text','text':''},{'type':'refusal','refusal':'no'}]";
    Message message = item("{'role':'assistant','id':'i','content':" + output + "}");
    assertThat(message.parts().get(1))
        .isEqualTo(
            new Part.Refusal(Json.of("no"), TestJson.of("{'type':'refusal','refusal':'no'}")));
    assertThat(problems(of("{'role':'assistant','content':'text'}"))).isEmpty();
    assertThat(problems(of("{'content':[{'type':'input_text','text':''}],'role':'assistant'}")))
        .isEmpty();
  }

  @Test
  @DisplayName("may have images by URL or by file id")
  void image() {
    assertThat(
            item("{'role':'user','content':[{'type':'input_image','image_url':'https://u',"
                    + "'detail':'low'},{'type':'input_image','file_id':'f'}]}")
                .parts())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isInstanceOfSatisfying(
                        Part.Image.class,
                        image -> {
                          assertThat(image.media()).isEqualTo(new Media.Url(Json.of("https://u")));
                          assertThat(image.extras()).isEqualTo(TestJson.of("{'detail':'low'}"));
                        }),
            second ->
                assertThat(second)
                    .isInstanceOfSatisfying(
                        Part.Image.class,
                        image -> assertThat(image.media()).isEqualTo(new Media.FileId("f"))));
  }

  @Proves("responses.member.items")
  @Test
  @DisplayName("that are a call and its output are linked by call_id, not by id")
  void linked() {
    Message call =
        item("{'type':'function_call','id':'fc_1','call_id':'c1','name':'f','arguments':'{'}");
    assertThat(call.role()).isEqualTo(Message.Role.ASSISTANT);
    assertThat(call.contentForm()).isEqualTo(Message.ContentForm.ABSENT);
    assertThat(call.parts().get(0))
        .isInstanceOfSatisfying(
            Part.ToolCall.class,
            part -> {
              assertThat(part.id()).isEqualTo("c1");
              assertThat(part.name()).isEqualTo("f");
              assertThat(part.arguments().text()).isEqualTo("{");
              assertThat(part.extras()).isEqualTo(TestJson.of("{'id':'fc_1'}"));
            });
    Message output =
        item(
            "{'type':'function_call_output','call_id':'c1','status':'completed',"
                + "'output':[{'type':'input_image','file_id':'f'}]}");
    assertThat(output.role()).isEqualTo(Message.Role.TOOL);
    assertThat(output.parts().get(0))
        .isInstanceOfSatisfying(
            Part.ToolResult.class,
            part -> {
              assertThat(part.callId()).isEqualTo("c1");
              assertThat(part.isString()).isFalse();
              assertThat(part.content()).hasOnlyElementsOfType(Part.Image.class);
              assertThat(part.extras()).isEqualTo(TestJson.of("{'status':'completed'}"));
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'reasoning','id':'r','summary':[],'content':null,'status':null}",
        "{'type':'tomorrow','role':7}",
        "{'type':'router:tomorrow','x':[null]}",
        "{'type':'item_reference','id':'i'}",
        "{'type':'custom_tool_call','call_id':'c','name':null,'input':null}",
        "{'type':'apply_patch_call','call_id':'c','operation':null}",
        "{'type':'shell_call','call_id':'c','action':null,'id':null,'status':null}",
        "{'type':'local_shell_call','call_id':null,'action':null}",
        "{'type':'local_shell_call_output','call_id':null}",
        "{'type':'web_search_call','action':null}",
        "{'type':'file_search_call','queries':null,'results':null}",
        "{'type':'code_interpreter_call','container_id':null,'code':null,'outputs':null}",
        "{'type':'computer_call','call_id':null,'action':null}",
        "{'type':'mcp_list_tools','server_label':null,'tools':null}",
        "{'type':'mcp_approval_response','approval_request_id':null,'approve':null}",
        "{'type':'mcp_call','server_label':null,'name':null,'arguments':null,'error':null}",
        "{'type':'agent_message','author':null,'recipient':null}"
      })
  @DisplayName("of other types are kept unchanged")
  void unchanged(String item) {
    Message message = item(item);
    assertThat(message.role()).isEqualTo(Message.Role.ASSISTANT);
    assertThat(message.parts())
        .singleElement()
        .isInstanceOfSatisfying(
            Part.Unknown.class,
            part -> {
              assertThat(part.source()).isEqualTo(TestJson.of(item));
              assertThat(part.type()).isEqualTo(((Json.Obj) part.source()).text("type"));
            });
  }

  @Test
  @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("with a file of the largest allowed number of members are read in linear time")
  void manyMembers() {
    var file = Json.object().put("type", "input_file").put("file_id", "f");
    for (int i = 0; i < 99_998; i++) {
      file.put("unknown" + (100_000 + i), 1);
    }
    Json message =
        Json.object().put("role", "user").put("content", Json.array(file.build())).build();
    Json.Obj body = Json.object().put("input", Json.array(message)).build();
    assertThat(decode(body).messages().get(0).parts())
        .singleElement()
        .isInstanceOfSatisfying(
            Part.File.class,
            part -> {
              assertThat(part.file()).isEqualTo(TestJson.of("{'file_id':'f'}"));
              assertThat(part.extras().size()).isEqualTo(99_998);
            });
  }
}
