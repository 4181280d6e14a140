package io.strowger.core.dialect.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.TestRules;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Messages and blocks")
class MessagesBlocksTest {
  private static final Json.Obj NONE = Json.Obj.EMPTY;

  private static Part block(String json) {
    return TestRules.readValid(ContentBlockRules.USER_OR_ASSISTANT, json);
  }

  private static Json json(String text) {
    return TestRules.value(text);
  }

  @Nested
  @DisplayName("A message")
  class Messages {
    @Proves({"operation.messages.body", "messages.block.role"})
    @Test
    @DisplayName(
        "has the role user, assistant or system, a string or blocks, and keeps its other members")
    void message() {
      String given = "{'content':'hi','later':1,'role':'system'}";
      Message message = TestRules.readValid(MessageTurnRules.MESSAGE, given);
      assertThat(message.role()).isEqualTo(Message.Role.SYSTEM);
      assertThat(message.contentForm()).isEqualTo(Message.ContentForm.STRING);
      assertThat(message.parts()).containsExactly(new Part.Text(Json.of("hi"), NONE, null));
      assertThat(message.extras()).isEqualTo(json("{'later':1}"));
      assertThat(message.source()).isEqualTo(json(given));
      assertThat(
              TestRules.readValid(MessageTurnRules.MESSAGE, "{'role':'user','content':[]}")
                  .contentForm())
          .isEqualTo(Message.ContentForm.LIST);
    }

    @Proves("messages.member.system")
    @Test
    @DisplayName("of role system is made from the body's member system")
    void system() {
      Message plain = TestRules.readValid(MessageTurnRules.INSTRUCTIONS, "'be brief'");
      assertThat(plain.role()).isEqualTo(Message.Role.SYSTEM);
      assertThat(plain.contentForm()).isEqualTo(Message.ContentForm.STRING);
      assertThat(plain.source()).isEqualTo(Json.of("be brief"));
      Message listed =
          TestRules.readValid(MessageTurnRules.INSTRUCTIONS, "[{'type':'text','text':'t'}]");
      assertThat(listed.contentForm()).isEqualTo(Message.ContentForm.LIST);
      assertThat(listed.parts()).hasSize(1);
    }

    @Proves({"messages.block.role", "messages.block.tool_addition"})
    @ParameterizedTest(name = "of role system takes {0}")
    @ValueSource(
        strings = {
          "{'type':'text','text':'t'}",
          "{'type':'tool_addition','tool':{'type':'tool_reference','name':'f'}}",
          "{'type':'tool_removal','tool':{'type':'mcp_toolset_reference','server_name':'s'}}",
          "{'type':'never heard of'}"
        })
    void inSystem(String block) {
      assertThat(TestRules.problems(ContentBlockRules.SYSTEM, block)).isEmpty();
    }
  }

  @Proves("messages.block.tool_result")
  @Test
  @DisplayName("A tool_result accepts blocks of unknown types, and only five of the known types")
  void inResult() {
    String result = "{'type':'tool_result','tool_use_id':'i','content':[%s]}";
    assertThat(
            TestRules.problems(
                ContentBlockRules.USER_OR_ASSISTANT,
                result.formatted("{'type':'never heard of','content':7}")))
        .isEmpty();
    assertThat(
            TestRules.problems(
                ContentBlockRules.USER_OR_ASSISTANT, result.formatted("{'type':'tool_use'}")))
        .containsExactly(
            "/content/0/type: must be one of text, image, document, search_result, tool_reference"
                + " in a tool_result, was \"tool_use\"");
  }

  @Nested
  @DisplayName("A part is made from a block of type")
  class Parts {
    @Proves("messages.block.text")
    @Test
    @DisplayName("text, with its cache_control and citations as extras")
    void text() {
      String given =
          "{'type':'text','text':'t','citations':null,'cache_control':{'type':'ephemeral'}}";
      assertThat(block(given))
          .isEqualTo(
              new Part.Text(
                  Json.of("t"),
                  (Json.Obj) json("{'citations':null,'cache_control':{'type':'ephemeral'}}"),
                  json(given)));
    }

    @Proves("messages.block.image")
    @Test
    @DisplayName("image, inline or by URL, with other members of its source under source")
    void image() {
      String inline =
          "{'type':'image','source':{'type':'base64','media_type':'image/png','data':'AA','x':1}}";
      assertThat(block(inline))
          .isEqualTo(
              new Part.Image(
                  new Media.Inline("image/png", Json.of("AA")),
                  (Json.Obj) json("{'source':{'x':1}}"),
                  json(inline)));
      String url = "{'type':'image','source':{'type':'url','url':'https://u'},'y':2}";
      assertThat(block(url))
          .isEqualTo(
              new Part.Image(
                  new Media.Url(Json.of("https://u")), (Json.Obj) json("{'y':2}"), json(url)));
    }

    @Proves("messages.block.document")
    @Test
    @DisplayName("document, if it is a file; a document of text stays an unknown part")
    void document() {
      String file = "{'type':'document','source':{'type':'file','file_id':'f'},'title':null}";
      assertThat(block(file))
          .isEqualTo(
              new Part.File(
                  (Json.Obj) json("{'type':'file','file_id':'f'}"),
                  (Json.Obj) json("{'title':null}"),
                  json(file)));
      for (String source :
          List.of(
              "{'type':'text','media_type':'text/plain','data':'d'}",
              "{'type':'content','content':'c'}")) {
        String text = "{'type':'document','source':" + source + "}";
        assertThat(block(text)).isEqualTo(new Part.Unknown("document", json(text)));
      }
    }

    @Proves("messages.block.tool_use")
    @Test
    @DisplayName("tool_use, with any JSON as its input, or an empty object when there is none")
    void toolUse() {
      String given = "{'type':'tool_use','id':'i','name':'f','input':{'a':1},'caller':{}}";
      assertThat(block(given))
          .isEqualTo(
              new Part.ToolCall(
                  "i",
                  "f",
                  new Arguments.Value(json("{'a':1}")),
                  (Json.Obj) json("{'caller':{}}"),
                  json(given)));
      assertThat(((Part.ToolCall) block("{'type':'tool_use','id':'i','name':'f'}")).arguments())
          .isEqualTo(new Arguments.Value(NONE));
      assertThat(
              ((Part.ToolCall) block("{'type':'tool_use','id':'i','name':'f','input':null}"))
                  .arguments())
          .isEqualTo(new Arguments.Value(Json.NULL));
    }

    @Proves("messages.block.tool_result")
    @Test
    @DisplayName("tool_result, with a string, blocks or no content, and whether the tool failed")
    void toolResult() {
      String given =
          "{'type':'tool_result','tool_use_id':'i','is_error':true,'content':'no','x':1}";
      assertThat(block(given))
          .isEqualTo(
              new Part.ToolResult(
                  "i",
                  List.of(new Part.Text(Json.of("no"), NONE, null)),
                  Message.ContentForm.STRING,
                  true,
                  (Json.Obj) json("{'x':1}"),
                  json(given)));
      var empty = (Part.ToolResult) block("{'type':'tool_result','tool_use_id':'i'}");
      assertThat(empty.form()).isEqualTo(Message.ContentForm.ABSENT);
      assertThat(empty.content()).isEmpty();
      var listed =
          (Part.ToolResult)
              block(
                  "{'type':'tool_result','tool_use_id':'i','is_error':false,'content':["
                      + "{'type':'tool_reference','tool_name':'f'},{'type':'later'}]}");
      assertThat(listed.form()).isEqualTo(Message.ContentForm.LIST);
      assertThat(listed.isError()).isFalse();
      assertThat(listed.extras()).isEqualTo(NONE);
      assertThat(listed.content()).allMatch(part -> part instanceof Part.Unknown).hasSize(2);
    }

    @Proves("messages.block.thinking")
    @Test
    @DisplayName("thinking, also when it is empty but signed")
    void thinking() {
      String given = "{'type':'thinking','thinking':'','signature':'s'}";
      assertThat(block(given))
          .isEqualTo(
              new Part.Thinking(
                  Part.Thinking.Kind.TEXT,
                  Json.of(""),
                  Json.of("s"),
                  "anthropic-claude-v1",
                  null,
                  NONE,
                  json(given)));
    }

    @Test
    @DisplayName("thinking that the gateway marked as another vendor's when it wrote it")
    void markedThinking() {
      assertThat(block("{'type':'redacted_thinking','data':'openai-responses-v1:rs:1:ZGF0YQ=='}"))
          .isInstanceOfSatisfying(
              Part.Thinking.class,
              thought -> {
                assertThat(thought.text().text()).isEqualTo("ZGF0YQ==");
                assertThat(thought.format()).isEqualTo("openai-responses-v1");
                assertThat(thought.id()).isEqualTo("rs:1");
              });
      assertThat(block("{'type':'thinking','thinking':'t','signature':'google-gemini-v1::c2ln'}"))
          .isInstanceOfSatisfying(
              Part.Thinking.class,
              thought -> {
                assertThat(thought.signature()).isEqualTo(Json.of("c2ln"));
                assertThat(thought.format()).isEqualTo("google-gemini-v1");
                assertThat(thought.id()).isNull();
              });
    }

    @Proves("messages.block.redacted_thinking")
    @Test
    @DisplayName("redacted_thinking, which only its vendor can read")
    void redactedThinking() {
      String given = "{'type':'redacted_thinking','data':'d','x':1}";
      assertThat(block(given))
          .isEqualTo(
              new Part.Thinking(
                  Part.Thinking.Kind.ENCRYPTED,
                  Json.of("d"),
                  null,
                  "anthropic-claude-v1",
                  null,
                  (Json.Obj) json("{'x':1}"),
                  json(given)));
    }
  }

  @Proves({
    "messages.block.server_tool_use",
    "messages.block.web_search_tool_result",
    "messages.block.search_result",
    "messages.block.compaction",
    "messages.block.advisor_tool_result",
    "messages.block.router_results"
  })
  @ParameterizedTest(name = "{0} is kept unchanged")
  @ValueSource(
      strings = {
        "{'type':'server_tool_use','id':'i','name':'f','input':{}}",
        "{'type':'web_search_tool_result','tool_use_id':'i','content':[{'type':'web_search_result',"
            + "'url':'https://u','title':'t','encrypted_content':'e','page_age':null}]}",
        "{'type':'web_search_tool_result','tool_use_id':'i','content':"
            + "{'type':'web_search_tool_result_error','error_code':'query_too_long'}}",
        "{'type':'search_result','source':'s','title':'t','content':[],'citations':{}}",
        "{'type':'compaction','content':null}",
        "{'type':'advisor_tool_result','tool_use_id':'i','content':{}}",
        "{'type':'router_shell_tool_result','tool_use_id':'i','content':{}}",
        "{'type':'never heard of','x':[null]}"
      })
  void kept(String given) {
    Json.Obj source = (Json.Obj) json(given);
    assertThat(block(given))
        .isEqualTo(new Part.Unknown(String.valueOf(source.text("type")), source));
  }

  @Nested
  @DisplayName("Tools")
  class Tools {
    private Tool tool(String json) {
      return TestRules.readValid(MessagesTools.TOOLS, "[" + json + "]").getFirst();
    }

    @Proves({"messages.member.tools", "messages.block.tool.custom"})
    @Test
    @DisplayName("without a type, or of type custom, are functions of the caller")
    void custom() {
      String given =
          "{'name':'f','description':'d','input_schema':{'type':'object'},'defer_loading':true}";
      assertThat(tool(given))
          .isEqualTo(
              new Tool.Function(
                  "f",
                  "d",
                  (Json.Obj) json("{'type':'object'}"),
                  (Json.Obj) json("{'defer_loading':true}"),
                  json(given)));
      var typed =
          (Tool.Function) tool("{'type':'custom','name':'f','input_schema':{'type':'object'}}");
      assertThat(typed.description()).isNull();
      assertThat(typed.extras()).isEqualTo(NONE);
    }

    @Proves({
      "messages.member.tools",
      "messages.block.tool.bash",
      "messages.block.tool.router",
      "messages.block.tool.other"
    })
    @Test
    @DisplayName("of vendors, known or not, are kept; those of the gateway become server tools")
    void others() {
      String bash = "{'type':'bash_20250124','name':'bash'}";
      assertThat(tool(bash)).isEqualTo(new Tool.Unknown("bash_20250124", json(bash)));
      String later = "{'type':'computer_20300101','x':1}";
      assertThat(tool(later)).isEqualTo(new Tool.Unknown("computer_20300101", json(later)));
      assertThat(tool("{'type':'router:shell'}"))
          .isEqualTo(new Tool.Server("router:shell", NONE, json("{'type':'router:shell'}")));
      assertThat(TestRules.problems(MessagesTools.TOOLS, "[{'type':'router:apply_patch'}]"))
          .singleElement()
          .asString()
          .startsWith("/0/type: must be one of ");
    }
  }
}
