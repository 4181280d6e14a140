package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.tck.conformance.Proves;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("tool_choice")
class ChatToolChoiceRuleTest {
  @Proves({"chat.tool_choice", "chat.member.tool_choice"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tool_choice':'auto'",
        "'tool_choice':{'type':'function','function':{'name':'f'}}",
        "'tool_choice':'none'",
        "'tool_choice':'required'",
        "'tool_choice':{'type':'router:web_search','x':1}",
        "'tool_choice':{'type':'web_search_preview'}",
      })
  @DisplayName("may be")
  void accepted(String member) {
    assertThat(problems(chatWith(member))).isEmpty();
  }

  @Test
  @DisplayName("may be a tool that a plugin provides")
  void pluginTool() {
    PluginChecks plugins =
        new PluginChecks() {
          @Override
          public void check(PluginEntry entry, JsonPointer at, Problems problems) {}

          @Override
          public Set<String> toolTypes() {
            return Set.of("acme:lookup");
          }
        };
    var problems = new Problems();
    new ChatDecoder(plugins)
        .decode(
            chatWith("'tool_choice':{'type':'acme:lookup'},'tools':[{'type':'acme:lookup'}]"),
            problems);
    assertThat(problems.isEmpty()).isTrue();
    assertThat(problems(chatWith("'tool_choice':{'type':'acme:lookup'}"))).hasSize(1);
  }

  @Proves({"chat.tool_choice", "chat.member.tool_choice", "chat.tool.tool_choice"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'tool_choice':null | /tool_choice: must be none, auto, required or an object that names a"
            + " tool, was null",
        "'tool_choice':'f' | /tool_choice: must be one of none, auto, required, was \"f\"",
        "'tool_choice':{'type':'function'} | /tool_choice/function: is required",
        "'tool_choice':{'type':'router:other'} | /tool_choice/type: must be one of function,"
            + " router:web_search, web_search, web_search_preview, web_search_preview_2025_03_11,"
            + " web_search_2025_08_26, router:web_fetch, router:datetime, router:files,"
            + " router:bash, router:image_generation, router:experimental__search_models,"
            + " router:fusion, router:advisor, router:subagent, was \"router:other\"",
      })
  @DisplayName("may not be")
  void refused(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }

  @Proves({"chat.tool_choice", "chat.tool.tool_choice"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
'tool_choice':1 | /tool_choice: must be none, auto, required or an object that names a tool, was 1
'tool_choice':'Auto' | /tool_choice: must be one of none, auto, required, was "Auto"
'tool_choice':{} | /tool_choice/type: is required
'tool_choice':{'type':'function','function':null} | /tool_choice/function: must be an object, was null
'tool_choice':{'type':'function','function':{}} | /tool_choice/function/name: is required
'tool_choice':{'type':'function','function':{'name':''}} | /tool_choice/function/name: must be 1 to 64 of A-Z a-z 0-9 _ -, was ""
'tool_choice':{'type':'function','name':'f'} | /tool_choice/function: is required
""")
  @DisplayName("may not be either")
  void also(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }
}
