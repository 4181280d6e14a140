package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesFixtures.json;
import static io.strowger.providers.responses.ResponsesFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A complete response")
class ResponsesAnswerReaderTest {
  private static final String CALL =
      "{'type':'function_call','id':'fc','call_id':'c','name':'f','arguments':'{}'}";

  private static Answer answer(String document) {
    return Objects.requireNonNull(ResponsesAnswerReader.of(json(document), new SafeNames()));
  }

  private static List<Part> parts(String output) {
    return answer("{'output':[" + output + "]}").parts();
  }

  private static String message(String part) {
    return "{'type':'message','id':'m','role':'assistant','content':[" + part + "]}";
  }

  @Test
  @DisplayName("has its document as its source, and parts in order")
  void whole() {
    Json.Obj document =
        json(
            "{'status':'completed','output':["
                + message("{'type':'output_text','text':'a'}")
                + ","
                + CALL
                + ",{'type':'image_generation_call','result':'QQ=='}]}");
    Answer answer = Objects.requireNonNull(ResponsesAnswerReader.of(document, new SafeNames()));
    assertThat(answer.source()).isSameAs(document);
    assertThat(answer.dialect()).isEqualTo(Dialect.RESPONSES);
    assertThat(answer.parts())
        .map(part -> part.getClass().getSimpleName())
        .containsExactly("Text", "ToolCall", "Unknown");
    assertThat(answer.parts().get(0).source())
        .isEqualTo(value("{'type':'output_text','text':'a'}"));
  }

  @Test
  @DisplayName("has its citations after their text, nested as in the chat dialect")
  void citations() {
    List<Part> parts =
        parts(
            message(
                "{'type':'output_text','text':'a','annotations':[{'type':'url_citation',"
                    + "'url':'http://x','title':'t','start_index':0,'end_index':1},"
                    + "{'type':'file_path','file_id':'f'}]}"));
    assertThat(parts.get(1))
        .isEqualTo(
            new Part.Citation(
                json(
                    "{'type':'url_citation','url_citation':{'url':'http://x','title':'t',"
                        + "'start_index':0,'end_index':1}}"),
                value(
                    "{'type':'url_citation','url':'http://x','title':'t','start_index':0,"
                        + "'end_index':1}")));
    assertThat(parts.get(2))
        .isEqualTo(new Part.Unknown("annotations", value("{'type':'file_path','file_id':'f'}")));
    assertThat(parts.get(0).source()).as("source of the text").isNull();
  }

  @Test
  @DisplayName("has its logprobs and refusals")
  void logprobsAndRefusals() {
    List<Part> parts =
        parts(
            message(
                "{'type':'output_text','text':'a','logprobs':[{'token':'a','logprob':-1}]},"
                    + "{'type':'refusal','refusal':'no'}"));
    assertThat(parts.get(1))
        .isEqualTo(new Part.Logprobs((Json.Arr) value("[{'token':'a','logprob':-1}]")));
    assertThat(((Part.Refusal) parts.get(2)).text()).isEqualTo(Json.of("no"));
  }

  @Test
  @DisplayName("Case 6: has its reasoning in order, each part with the id of its item")
  void reasoning() {
    assertThat(
            parts(
                "{'type':'reasoning','id':'rs','summary':[{'type':'summary_text','text':'a'},"
                    + "{'type':'summary_text','text':'b'}],'content':[{'type':'reasoning_text',"
                    + "'text':'c'}],'encrypted_content':'e'}"))
        .containsExactly(
            thought(Kind.SUMMARY, "a"),
            thought(Kind.SUMMARY, "b"),
            thought(Kind.TEXT, "c"),
            thought(Kind.ENCRYPTED, "e"));
    assertThat(parts("{'type':'reasoning','id':'rs','summary':[],'encrypted_content':null}"))
        .isEmpty();
  }

  private static Part thought(Kind kind, String text) {
    return new Part.Thinking(
        kind, Json.of(text), null, "openai-responses-v1", "rs", Json.Obj.EMPTY, null);
  }

  @Test
  @DisplayName("Case 19: has an empty object as the arguments of a call without arguments")
  void noArguments() {
    for (String nothing : List.of("", ",'arguments':''", ",'arguments':null", ",'arguments':{}")) {
      var call =
          (Part.ToolCall)
              parts("{'type':'function_call','call_id':'c','name':'f'" + nothing + "}").get(0);
      assertThat(call.arguments().text()).as(nothing).isEqualTo("{}");
      assertThat(call.id()).isEqualTo("c");
    }
  }

  @Test
  @DisplayName("has the caller's names of tools")
  void names() {
    var names = new SafeNames();
    String safe = names.toSafe("a.b");
    Answer answer =
        Objects.requireNonNull(
            ResponsesAnswerReader.of(
                json("{'output':[" + CALL.replace("'f'", "'" + safe + "'") + "]}"), names));
    var call = (Part.ToolCall) answer.parts().get(0);
    assertThat(call.name()).isEqualTo("a.b");
    assertThat(call.source()).as("source of a call with another name").isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "null",
      textBlock =
          """
          'status':'completed','output':[]                       | END | completed
          'output':[]                                            | END | null
          'status':'completed','output':[CALL]                   | TOOL_CALLS | completed
          'status':'completed','output':[REFUSAL]                | REFUSAL | completed
          'status':'incomplete','output':[],'incomplete_details':{'reason':'max_output_tokens'} | LENGTH | max_output_tokens
          'status':'incomplete','output':[CALL],'incomplete_details':{'reason':'max_output_tokens'} | LENGTH | max_output_tokens
          'status':'incomplete','output':[],'incomplete_details':{'reason':'content_filter'} | CONTENT_FILTER | content_filter
          'status':'incomplete','output':[]                      | LENGTH | incomplete
          """)
  @DisplayName("Case 8: has the stop reason of its status, or of its tool calls")
  void stopReasons(String members, StopReason reason, String nativeReason) {
    Answer answer =
        answer(
            "{"
                + members
                    .replace("CALL", CALL)
                    .replace("REFUSAL", message("{'type':'refusal','refusal':'no'}"))
                + "}");
    assertThat(answer.stopReason()).isEqualTo(reason);
    assertThat(answer.nativeReason()).isEqualTo(nativeReason);
  }

  @Proves({"translation.usage.responses", "translation.case.12"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'input_tokens':10,'output_tokens':8,'total_tokens':18  | 10 | 0 | 8 | 0
          'input_tokens':2006,'input_tokens_details':{'cached_tokens':1920},'output_tokens':300,'output_tokens_details':{'reasoning_tokens':256},'total_tokens':2306 | 86 | 1920 | 44 | 256
          'input_tokens':5,'input_tokens_details':{'cached_tokens':9},'output_tokens':3,'output_tokens_details':{'reasoning_tokens':7} | 0 | 5 | 0 | 3
          'input_tokens':-1,'output_tokens':'x','input_tokens_details':null | 0 | 0 | 0 | 0
          """)
  @DisplayName("Case 12: has usage counts that do not overlap and sum up to its totals")
  void usage(String usage, long fresh, long cached, long text, long reasoning) {
    assertThat(answer("{'output':[],'usage':{" + usage + "}}").usage())
        .isEqualTo(
            Usage.builder()
                .freshInput(fresh)
                .cacheRead(cached)
                .outputText(text)
                .reasoning(reasoning)
                .build());
  }

  @Test
  @DisplayName("counts the upstream's searches, and has no usage if the upstream sent none")
  void searches() {
    Usage usage =
        answer(
                "{'output':[{'type':'web_search_call'},{'type':'web_search_call'}],"
                    + "'usage':{'input_tokens':1}}")
            .usage();
    assertThat(Objects.requireNonNull(usage).searches()).isEqualTo(2);
    assertThat(answer("{'output':[],'usage':null}").usage()).isNull();
  }
}
