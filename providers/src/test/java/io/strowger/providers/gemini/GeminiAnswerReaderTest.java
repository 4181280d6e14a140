package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.chat;
import static io.strowger.providers.gemini.GeminiTestRequest.jsonOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.conformance.Proves;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A complete answer of the gemini dialect")
class GeminiAnswerReaderTest {
  private static final GeminiCodec CODEC =
      new GeminiCodec(URI.create("https://host/v1beta"), GeminiTestRequest.CODEC);

  private static Answer answer(String document) throws UpstreamException {
    GeminiTestRequest request =
        chat(
            "{'role':'user','content':'hi'}",
            "'tools':[{'type':'function','function':{'name':'9b'}}]");
    return CODEC.answer(jsonOf(document), request.call());
  }

  private static Answer of(String parts, String more) throws UpstreamException {
    return answer(GeminiFrames.frame(parts, more));
  }

  private static List<String> parts(Answer answer) {
    return answer.parts().stream().map(GeminiFrames::describe).toList();
  }

  @Test
  @DisplayName("has thoughts, text, calls and media in order, each signature before what it signs")
  void everything() throws UpstreamException {
    Answer answer =
        of(
            "{'text':'hm','thought':true},{'text':'so','thoughtSignature':'YQ=='},"
                + "{'functionCall':{'name':'_x39b','args':{'q':1}},'thoughtSignature':'Yg=='},"
                + "{'functionCall':{'name':'g','args':{}}},"
                + "{'inlineData':{'mimeType':'image/png','data':'AAAA'}},"
                + "{'inlineData':{'mimeType':'audio/L16;rate=24000','data':'BBBB'}},"
                + "{'executableCode':{'code':'1'}}",
            ",'finishReason':'STOP'");
    assertThat(parts(answer))
        .containsExactly(
            "TEXT hm google-gemini-v1 null",
            "ENCRYPTED YQ== google-gemini-v1 null",
            "text so",
            "ENCRYPTED Yg== google-gemini-v1 call_r1_0",
            "call call_r1_0 9b {\"q\":1}",
            "call call_r1_1 g {}",
            "image data:image/png;base64,AAAA",
            "audio pcm16 BBBB",
            "unknown executableCode");
    assertThat(answer.stopReason()).isEqualTo(StopReason.TOOL_CALLS);
    assertThat(answer.nativeReason()).isEqualTo("STOP");
    assertThat(answer.dialect()).isEqualTo(Dialect.GEMINI);
    assertThat(answer.source()).isNotNull();
  }

  @Test
  @DisplayName("joins adjacent pieces of a text or of a thought")
  void neighbours() throws UpstreamException {
    Answer answer =
        of(
            "{'text':'h','thought':true},{'text':'m','thought':true,'thoughtSignature':'YQ=='},"
                + "{'text':'again','thought':true},{'text':'a'},{'text':'b'},"
                + "{'text':'c','thoughtSignature':'Yg=='},{'text':'d'},"
                + "{'functionCall':{'name':'f'}},{'text':'e'}",
            ",'finishReason':'STOP'");
    assertThat(parts(answer))
        .containsExactly(
            "TEXT hm signature YQ== google-gemini-v1 null",
            "TEXT again google-gemini-v1 null",
            "text ab",
            "ENCRYPTED Yg== google-gemini-v1 null",
            "text cd",
            "call call_r1_0 f {}",
            "text e");
  }

  @Test
  @DisplayName("gives a call an id by the length of the conversation if the answer has no id")
  void idWithoutAnswerId() throws UpstreamException {
    Answer answer =
        answer("{'candidates':[{'content':{'parts':[{'functionCall':{'name':'f'}}]}}]}");
    assertThat(parts(answer)).containsExactly("call call_1_0 f {}");
  }

  @Test
  @DisplayName("has a citation for each source, with its position in characters of the text")
  void citations() throws UpstreamException {
    Answer answer =
        of(
            "{'text':'Größe: '},{'text':'zwei.'}",
            ",'finishReason':'STOP','groundingMetadata':{'webSearchQueries':['a','b'],"
                + "'groundingChunks':[{'web':{'uri':'https://a/','title':'A'}},"
                + "{'retrievedContext':{'uri':'x'}},{'web':{'uri':'https://b/'}}],"
                + "'groundingSupports':[{'segment':{'endIndex':7},'groundingChunkIndices':[0,1,7]},"
                + "{'segment':{'partIndex':1,'startIndex':0,'endIndex':5,'text':'zwei.'},"
                + "'groundingChunkIndices':[2,2]}]},"
                + "'citationMetadata':{'citations':[{'startIndex':3,'endIndex':5,'uri':'https://c/'}]}");
    String cited = "citation {'type':'url_citation','url_citation':{'url':'https://";
    assertThat(parts(answer))
        .containsExactly(
            "text Größe: zwei.",
            cited + "a/','title':'A','start_index':0,'end_index':5}}",
            cited + "b/','title':'https://b/','start_index':7,'end_index':12}}",
            cited + "c/','title':'https://c/','start_index':3,'end_index':4}}");
  }

  @Test
  @DisplayName("allocates little, however many segments of its text are cited")
  void manySegments() {
    String text = "é".repeat(100_000);
    var supports = new StringJoiner(",");
    for (int i = 0; i < 1_000; i++) {
      supports.add(
          "{'segment':{'startIndex':%d,'endIndex':%d},'groundingChunkIndices':[0]}"
              .formatted(200 * i, 200 * i + 100));
    }
    Json.Obj candidate =
        jsonOf(
            "{'groundingMetadata':{'groundingChunks':[{'web':{'uri':'https://a/'}}],"
                + "'groundingSupports':["
                + supports
                + "]}}");
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    List<Part.Citation> citations = GroundingReader.citations(candidate, text);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000_000);
    assertThat(citations).hasSize(1_000);
    assertThat(GeminiTestRequest.text(citations.getLast().body()))
        .contains("'start_index':99900,'end_index':99950");
  }

  @Test
  @DisplayName("has its logprobs in the form of the chat dialect")
  void likelihoods() throws UpstreamException {
    Answer answer =
        of(
            "{'text':'é'}",
            ",'logprobsResult':{'chosenCandidates':[{'token':'é','logProbability':-0.5}],"
                + "'topCandidates':[{'candidates':[{'token':'e','logProbability':-1.5}]}]}");
    assertThat(parts(answer))
        .containsExactly(
            "text é",
            "logprobs [{'token':'é','logprob':-0.5,'bytes':[195,169],'top_logprobs':"
                + "[{'token':'e','logprob':-1.5,'bytes':[101]}]}]");
  }

  @Nested
  @DisplayName("has a stop reason")
  class Reasons {
    @Proves("translation.stop.CONTENT_FILTER")
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
      "STOP, END",
      "MAX_TOKENS, LENGTH",
      "SAFETY, CONTENT_FILTER",
      "RECITATION, CONTENT_FILTER",
      "LANGUAGE, CONTENT_FILTER",
      "BLOCKLIST, CONTENT_FILTER",
      "PROHIBITED_CONTENT, CONTENT_FILTER",
      "SPII, CONTENT_FILTER",
      "IMAGE_SAFETY, CONTENT_FILTER",
      "IMAGE_PROHIBITED_CONTENT, CONTENT_FILTER",
      "IMAGE_RECITATION, CONTENT_FILTER",
      "SOMETHING_NEW, END"
    })
    @DisplayName("for each finish reason")
    void table(String finishReason, StopReason reason) throws UpstreamException {
      Answer answer = of("{'text':'a'}", ",'finishReason':'" + finishReason + "'");
      assertThat(answer.stopReason()).isEqualTo(reason);
      assertThat(answer.nativeReason()).isEqualTo(finishReason);
    }

    @Proves("translation.stop.TOOL_CALLS")
    @Test
    @DisplayName("of tool calls only if the finish reason is STOP or absent")
    void calls() throws UpstreamException {
      String call = "{'functionCall':{'name':'f'}}";
      assertThat(of(call, ",'finishReason':'STOP'").stopReason()).isEqualTo(StopReason.TOOL_CALLS);
      assertThat(of(call, "").stopReason()).isEqualTo(StopReason.TOOL_CALLS);
      assertThat(of(call, ",'finishReason':'MAX_TOKENS'").stopReason())
          .isEqualTo(StopReason.LENGTH);
    }

    @Proves("translation.stop.ERROR")
    @ParameterizedTest
    @CsvSource({
      "OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
      "IMAGE_OTHER", "NO_IMAGE", "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE"
    })
    @DisplayName("unless the finish reason is a failure of the upstream, whose message is kept")
    void failures(String finishReason) {
      String more = ",'finishReason':'" + finishReason + "','finishMessage':'too bad'";
      assertThatThrownBy(() -> of("{'text':'a'}", more))
          .isInstanceOfSatisfying(
              UpstreamException.class,
              failed -> {
                assertThat(failed.kind()).isEqualTo(FailureKind.UNAVAILABLE);
                assertThat(failed.failure().message()).contains(finishReason).contains("too bad");
              });
    }

    @Test
    @DisplayName("also when the prompt was blocked and it has no parts")
    void blocked() throws UpstreamException {
      Answer answer =
          answer(
              "{'promptFeedback':{'blockReason':'PROHIBITED_CONTENT'},"
                  + "'usageMetadata':{'promptTokenCount':9,'totalTokenCount':9}}");
      assertThat(answer.parts()).isEmpty();
      assertThat(answer.stopReason()).isEqualTo(StopReason.CONTENT_FILTER);
      assertThat(answer.nativeReason()).isEqualTo("PROHIBITED_CONTENT");
      assertThat(Objects.requireNonNull(answer.usage()).promptTokens()).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = "{}\n{\"candidates\":[]}\n{\"candidates\":[1]}\n")
    @DisplayName("or fails when it has no candidate")
    void nothing(String document) {
      assertThatThrownBy(() -> answer(document))
          .isInstanceOfSatisfying(
              UpstreamException.class,
              failed -> assertThat(failed.kind()).isEqualTo(FailureKind.PROTOCOL));
    }
  }
}
