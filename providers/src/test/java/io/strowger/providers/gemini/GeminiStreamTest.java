package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiFrames.describe;
import static io.strowger.providers.gemini.GeminiFrames.finish;
import static io.strowger.providers.gemini.GeminiFrames.frame;
import static io.strowger.providers.gemini.GeminiFrames.read;
import static io.strowger.providers.gemini.GeminiFrames.sse;
import static io.strowger.providers.gemini.GeminiFrames.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A stream of the gemini dialect")
class GeminiStreamTest {
  private static final String FIRST_WITH_USAGE =
      "{'candidates':[{'content':{'parts':[{'text':'Grüß'}],'role':'model'},'index':0}],"
          + "'usageMetadata':{'promptTokenCount':7,'candidatesTokenCount':1},'responseId':'r1'}";
  private static final String LAST_WITH_USAGE =
      "{'candidates':[{'content':{'parts':[{'text':' dich ☃🦊'}],'role':'model'},"
          + "'finishReason':'STOP'}],'usageMetadata':{'promptTokenCount':7,"
          + "'candidatesTokenCount':5,'thoughtsTokenCount':3,'totalTokenCount':15}}";
  private static final String THOUGHT = frame("{'text':'hm','thought':true}", "");
  private static final String CALL =
      frame(
          "{'functionCall':{'name':'f','args':{'x':1}},'thoughtSignature':'c2ln'},"
              + "{'functionCall':{'id':'own','name':'g'}}",
          "");

  @Test
  @DisplayName("gives text as it arrives, and the last usage once before the end")
  void plain() {
    assertThat(describe(read(FIRST_WITH_USAGE, LAST_WITH_USAGE)))
        .containsExactly(
            "started",
            "usage 7 in, 1 out",
            "text Grüß",
            "text  dich ☃🦊",
            "usage 7 in, 8 out",
            "finished END STOP");
  }

  @Tag("full")
  @Test
  @DisplayName("gives the same events wherever a read ends")
  void everySplit() {
    byte[] body = sse(FIRST_WITH_USAGE, THOUGHT, CALL, LAST_WITH_USAGE);
    List<String> expected = describe(read(body, body.length));
    assertThat(expected).hasSize(10);
    for (int split = 1; split < body.length; split++) {
      assertThat(describe(read(body, split))).as("split at " + split).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("fails when it is cut at any byte before its finish frame is complete")
  void everyCut() {
    byte[] body = sse(text("a"), finish("STOP"));
    for (int end = 0; end < body.length - 2; end++) {
      List<Event> events = read(Arrays.copyOf(body, end), Integer.MAX_VALUE);
      assertThat(describe(events).getLast()).as("cut at " + end).isEqualTo("failed PROTOCOL");
    }
    assertThat(describe(read(body, body.length)).getLast()).isEqualTo("finished END STOP");
  }

  @Proves("translation.case.9")
  @Test
  @DisplayName("Case 9: ends with tool calls even if the finish reason is in a frame without parts")
  void callsAcrossFrames() {
    assertThat(describe(read(THOUGHT, CALL, finish("STOP"))))
        .containsExactly(
            "started",
            "thought hm",
            "encrypted c2ln google-gemini-v1 call_r1_0",
            "call 0 call_r1_0 f {\"x\":1}",
            "call 1 own g {}",
            "finished TOOL_CALLS STOP");
  }

  @Proves("translation.case.10")
  @Test
  @DisplayName("Case 10: ends once, with the last finish reason, however many frames have one")
  void copiedFinish() {
    String stop = ",'finishReason':'STOP'";
    assertThat(
            describe(
                read(
                    frame("{'text':'a'}", stop),
                    frame("{'text':'b'}", stop),
                    finish("MAX_TOKENS"))))
        .containsExactly("started", "text a", "text b", "finished LENGTH MAX_TOKENS");
  }

  @Test
  @DisplayName("fails when it ends after content that follows the finish reason")
  void contentAfterFinish() {
    assertThat(describe(read(frame("{'text':'a'}", ",'finishReason':'STOP'"), text("b"))))
        .containsExactly("started", "text a", "text b", "failed PROTOCOL");
  }

  @Test
  @DisplayName("fails as a protocol error when it has too many calls")
  void tooManyCalls() {
    var frames = new ArrayList<String>();
    for (int i = 0; i < 10_001; i++) {
      frames.add(frame("{'functionCall':{'id':'id" + i + "','name':'f'}}", ""));
    }
    List<String> events = describe(read(frames.toArray(String[]::new)));
    assertThat(events).filteredOn(event -> event.startsWith("call")).hasSize(10_000);
    assertThat(events).endsWith("failed PROTOCOL");
    frames.set(10_000, finish("STOP"));
    assertThat(describe(read(frames.toArray(String[]::new)))).endsWith("finished TOOL_CALLS STOP");
  }

  @Test
  @DisplayName("gives calls with the same id different ids")
  void sameFunctionTwice() {
    String once = "{'functionCall':{'id':'x','name':'f'}}";
    assertThat(describe(read(frame(once + "," + once, ""), frame(once, ""), finish("STOP"))))
        .contains("call 0 x f {}", "call 1 call_r1_1 f {}", "call 2 call_r1_2 f {}");
  }

  @Test
  @DisplayName("keeps the signature of a thought, and one that follows the text alone")
  void signatures() {
    assertThat(
            describe(
                read(
                    frame("{'text':'hm','thought':true,'thoughtSignature':'YQ=='}", ""),
                    text("so"),
                    frame("{'text':'','thoughtSignature':'Yg=='}", ""),
                    finish("STOP"))))
        .containsExactly(
            "started",
            "thought hm",
            "signature YQ== google-gemini-v1",
            "text so",
            "encrypted Yg== google-gemini-v1 null",
            "finished END STOP");
  }

  @Test
  @DisplayName("gives citations at its end, when all of its text is known")
  void grounding() {
    String grounded =
        ",'groundingMetadata':{'webSearchQueries':['q'],'groundingChunks':["
            + "{'web':{'uri':'https://a/','title':'A'}}],'groundingSupports':[{'segment':{'startIndex':6,'endIndex':12,'text':'"
            + " dich'},'groundingChunkIndices':[0]}]}";
    String last = frame("{'text':' dich'}", grounded + ",'finishReason':'STOP'");
    List<String> described =
        describe(read(text("Grüß"), last, "{'usageMetadata':{'promptTokenCount':2}}"));
    assertThat(described)
        .containsExactly(
            "started",
            "text Grüß",
            "text  dich",
            "usage 2 in, 0 out",
            "citation {'type':'url_citation','url_citation':{'url':'https://a/','title':'A',"
                + "'start_index':4,'end_index':9}}",
            "usage 2 in, 0 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("passes images and unknown parts on, each in a frame of its own")
  void unchanged() {
    String image = "{'inlineData':{'mimeType':'image/png','data':'AAAA'}}";
    String code = "{'executableCode':{'code':'1'}}";
    assertThat(describe(read(frame(image + "," + code, ""), finish("STOP"))))
        .containsExactly(
            "started",
            "unmodelled {'candidates':[{'content':{'role':'model','parts':[" + image + "]}}]}",
            "unmodelled {'candidates':[{'content':{'role':'model','parts':[" + code + "]}}]}",
            "finished END STOP");
  }

  @Test
  @DisplayName("of a blocked prompt is complete without content")
  void blocked() {
    assertThat(
            describe(
                read(
                    "{'promptFeedback':{'blockReason':'SAFETY'},"
                        + "'usageMetadata':{'promptTokenCount':4}}")))
        .containsExactly(
            "started", "usage 4 in, 0 out", "usage 4 in, 0 out", "finished CONTENT_FILTER SAFETY");
  }

  @ParameterizedTest
  @CsvSource({
    "MALFORMED_FUNCTION_CALL",
    "OTHER",
    "UNEXPECTED_TOOL_CALL",
    "MALFORMED_RESPONSE",
    "NO_IMAGE"
  })
  @DisplayName("fails without content when the upstream could not finish its answer")
  void failures(String finishReason) {
    List<Event> events = read(finish(finishReason));
    assertThat(describe(events)).containsExactly("started", "failed UNAVAILABLE");
    assertThat(events).noneMatch(Event::isContent);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'error':{'code':503,'message':'busy','status':'UNAVAILABLE'}}          | OVERLOADED
          [{'error':{'code':503,'message':'busy','status':'UNAVAILABLE'}}]        | OVERLOADED
          {'error':{'code':429,'message':'x','status':'RESOURCE_EXHAUSTED'}}      | RATE_LIMITED
          {'error':{'code':500,'message':'x','status':'INTERNAL'}}                | UNAVAILABLE
          {'error':{'code':400,'message':'x','status':'INVALID_ARGUMENT'}}        | INVALID_REQUEST
          {'error':{'code':504,'message':'x','status':'DEADLINE_EXCEEDED'}}       | TIMEOUT
          {'error':{'code':403,'message':'key-1','status':'PERMISSION_DENIED'}}   | CREDENTIAL
          {'candidates':[{'conte                                                  | PROTOCOL
          [1,2]                                                                   | PROTOCOL
          'x'                                                                     | PROTOCOL
          """)
  @DisplayName("fails with the kind of an error that the upstream reports in the middle")
  void errors(String frame, String kind) {
    List<Event> events = read(text("a"), frame);
    assertThat(describe(events)).containsExactly("started", "text a", "failed " + kind);
    assertThat(events.toString()).doesNotContain("key-1");
  }
}
