package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static io.strowger.providers.gemini.GeminiTestRequest.messages;
import static io.strowger.providers.gemini.GeminiTestRequest.responses;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Tools in the gemini dialect")
class FunctionDeclarationWriterTest {
  private static final String USER = "{'role':'user','content':'hi'}";
  private static final String TWO_TOOLS =
      "'tools':[{'type':'function','function':{'name':'f','description':'does','parameters':"
          + "{'type':'object','properties':{'a':{'type':'string'}}}}},"
          + "{'type':'function','function':{'name':'9g'}}]";
  private static final String DECLARED =
      "[{'functionDeclarations':[{'name':'f','description':'does','parameters':{'type':'OBJECT',"
          + "'properties':{'a':{'type':'STRING'}}}},{'name':'_x39g'}]}]";

  @Proves({"translation.request.tool", "translation.request.no-parameters"})
  @Test
  @DisplayName("are one list of functions, without parameters for a function that has none")
  void declared() {
    assertThat(chat(USER, TWO_TOOLS).member("tools")).isEqualTo(DECLARED);
    assertThat(chat(USER, TWO_TOOLS).written().has("toolConfig")).isFalse();
    assertThat(
            messages(
                    USER, "'tools':[{'name':'f','input_schema':{'type':'object','properties':{}}}]")
                .member("tools"))
        .isEqualTo("[{'functionDeclarations':[{'name':'f'}]}]");
    assertThat(
            responses(
                    USER,
                    "'tools':[{'type':'function','name':'f','parameters':null,'strict':null}]")
                .member("tools"))
        .isEqualTo("[{'functionDeclarations':[{'name':'f'}]}]");
  }

  @Proves("translation.request.tool_choice")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'none'                                            | {'mode':'NONE'}
          'auto'                                            | {'mode':'AUTO'}
          'required'                                        | {'mode':'ANY'}
          {'type':'function','function':{'name':'9g'}}      | {'mode':'ANY','allowedFunctionNames':['_x39g']}
          """)
  @DisplayName("are called as the caller's tool choice says")
  void choices(String choice, String mode) {
    assertThat(chat(USER, TWO_TOOLS, "'tool_choice':" + choice).member("toolConfig"))
        .isEqualTo("{'functionCallingConfig':" + mode + "}");
  }

  @Test
  @DisplayName("stay declared when none may be called, whatever the caller chose")
  void mayNotCall() {
    var request =
        chat(USER, TWO_TOOLS, "'tool_choice':'required'").request().toBuilder()
            .mayCallTools(false)
            .build();
    GeminiTestRequest last =
        GeminiTestRequest.of(request).endpoint(e -> e.parameters(Parameter.TOOLS.bit()));
    assertThat(last.member("toolConfig")).isEqualTo("{'functionCallingConfig':{'mode':'NONE'}}");
    assertThat(last.member("tools")).isEqualTo(DECLARED);
  }

  @Test
  @DisplayName("that the gateway runs are not sent, nor is a choice among them")
  void gateway() {
    GeminiTestRequest only =
        chat(USER, "'tools':[{'type':'router:datetime'}]", "'tool_choice':'auto'");
    assertThat(only.written().has("tools")).isFalse();
    assertThat(only.written().has("toolConfig")).isFalse();
    assertThat(only.losses()).isEmpty();
  }

  @Test
  @DisplayName("are dropped if the endpoint supports none, like a choice if it supports no choice")
  void unsupported() {
    GeminiTestRequest none = chat(USER, TWO_TOOLS).endpoint(e -> e.parameters(0));
    assertThat(none.written().has("tools")).isFalse();
    assertThat(none.losses()).containsExactly("DROPPED tools");
    GeminiTestRequest noChoice =
        chat(USER, TWO_TOOLS, "'tool_choice':'required'")
            .endpoint(e -> e.parameters(Parameter.TOOLS.bit()));
    assertThat(noChoice.written().has("toolConfig")).isFalse();
    assertThat(noChoice.losses()).containsExactly("DROPPED tool_choice");
  }

  @Test
  @DisplayName("lose strict, which is reported as a loss when it was true")
  void strict() {
    String strict = TWO_TOOLS.replace("'name':'f',", "'name':'f','strict':true,");
    assertThat(chat(USER, strict).losses()).containsExactly("DROPPED strict");
    assertThat(
            responses(
                    USER,
                    "'tools':[{'type':'function','name':'f','parameters':null,'strict':true}]")
                .losses())
        .containsExactly("DROPPED strict");
  }
}
