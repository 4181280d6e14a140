package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static io.strowger.core.dialect.chat.ChatRequestBodies.refusals;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A tool in a chat body")
class ChatToolRulesTest {
  @Proves({"chat.tools", "chat.member.tools", "chat.tool.function"})
  @Test
  @DisplayName("is a function with a name, a description, a schema and its other members")
  void function() {
    var tool =
        (Tool.Function)
            decode(
                    chatWith(
                        "'tools':[{'type':'function','function':{'name':'f','description':'d',"
                            + "'parameters':{'type':'object'},'strict':true},"
                            + "'cache_control':{'type':'ephemeral'}}]"))
                .tools()
                .get(0);
    assertThat(tool.name()).isEqualTo("f");
    assertThat(tool.description()).isEqualTo("d");
    assertThat(tool.parameters()).isEqualTo(json("{'type':'object'}"));
    assertThat(tool.extras())
        .isEqualTo(json("{'function':{'strict':true},'cache_control':{'type':'ephemeral'}}"));
    assertThat(tool.source()).isNotNull();
  }

  @Proves({"chat.tools", "chat.tool.function"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1 | /tools/0: must be an object, was 1",
        "{} | /tools/0/type: is required",
        "{'type':'function'} | /tools/0/function: is required",
        "{'type':'function','function':{}} | /tools/0/function/name: is required",
        "{'type':'function','function':{'name':'a b'}} | /tools/0/function/name: must be 1 to 64 of"
            + " A-Z a-z 0-9 _ -, was \"a b\"",
        "{'type':'function','function':{'name':'f','parameters':[]}} |"
            + " /tools/0/function/parameters: must be an object, was an array of 0",
        "{'type':'function','function':{'name':'f','strict':'x'}} | /tools/0/function/strict: must"
            + " be true or false, was \"x\"",
      })
  @DisplayName("may not be")
  void refused(String tool, String problem) {
    assertThat(problems(chatWith("'tools':[" + tool + "]"))).containsExactly(problem);
  }

  @Proves({"plugins.loop.declared", "chat.tool.shorthand"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "router:web_search",
        "router:datetime",
        "web_search",
        "web_search_preview",
        "web_search_preview_2025_03_11",
        "web_search_2025_08_26"
      })
  @DisplayName("of the gateway is read, and refused by its type if no plugin runs it")
  void serverTools(String type) {
    Json.Obj body = chatWith("'tools':[{'type':'" + type + "'}]");
    assertThat(decode(body).tools()).singleElement().isInstanceOf(Tool.Server.class);
    assertThat(refusals(body))
        .containsExactly(
            "/tools/0/type: is a tool of the gateway that no registered plugin runs, was \""
                + type
                + "\"");
  }

  @Proves("chat.member.tools")
  @ParameterizedTest
  @ValueSource(strings = {"x", "router:anything", "Function"})
  @DisplayName("may not be of any other type")
  void otherTypes(String type) {
    assertThat(refusals(chatWith("'tools':[{'type':'" + type + "'}]")))
        .containsExactly(
            "/tools/0/type: must be one of function, router:web_search, web_search,"
                + " web_search_preview, web_search_preview_2025_03_11, web_search_2025_08_26,"
                + " router:web_fetch, router:datetime, router:files, router:bash,"
                + " router:image_generation, router:experimental__search_models, router:fusion,"
                + " router:advisor, router:subagent, was \""
                + type
                + "\"");
  }

  @Proves("chat.tool.function")
  @Test
  @DisplayName("has a name of at most 64 characters")
  void nameLength() {
    String tool = "'tools':[{'type':'function','function':{'name':'%s'}}]";
    assertThat(problems(chatWith(tool.formatted("n".repeat(64))))).isEmpty();
    assertThat(problems(chatWith(tool.formatted("n".repeat(65))))).hasSize(1);
    assertThat(problems(chatWith(tool.formatted("")))).hasSize(1);
  }
}
