package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.Frames.finish;
import static io.strowger.providers.gemini.Frames.frame;
import static io.strowger.providers.gemini.Frames.read;
import static io.strowger.providers.gemini.Frames.sse;
import static io.strowger.providers.gemini.Frames.text;
import static io.strowger.providers.gemini.Frames.told;
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
  private static final String USED_FIRST =
      "{'candidates':[{'content':{'parts':[{'text':'Grüß'}],'role':'model'},'index':0}],"
          + "'usageMetadata':{'promptTokenCount':7,'candidatesTokenCount':1},'responseId':'r1'}";
  private static final String USED_LAST =
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
  @DisplayName("gives text as it comes, and the last usage once before the end")
  void plain() {
    assertThat(told(read(USED_FIRST, USED_LAST)))
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
  @DisplayName("is the same whatever the bytes of one read")
  void everySplit() {
    byte[] body = sse(USED_FIRST, THOUGHT, CALL, USED_LAST);
    List<String> expected = told(read(body, body.length));
    assertThat(expected).hasSize(10);
    for (int split = 1; split < body.length; split++) {
      assertThat(told(read(body, split))).as("split at " + split).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("cut at any byte it fails, until the finish has come")
  void everyCut() {
    byte[] body = sse(text("a"), finish("STOP"));
    for (int end = 0; end < body.length - 2; end++) {
      List<Event> events = read(Arrays.copyOf(body, end), Integer.MAX_VALUE);
      assertThat(told(events).getLast()).as("cut at " + end).isEqualTo("failed PROTOCOL");
    }
    assertThat(told(read(body, body.length)).getLast()).isEqualTo("finished END STOP");
  }

  @Proves("translation.case.9")
  @Test
  @DisplayName("Case 9: ends with calls though the word for the end comes in a frame without parts")
  void callsAcrossFrames() {
    assertThat(told(read(THOUGHT, CALL, finish("STOP"))))
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
  @DisplayName("Case 10: ends once, however often it was said that it ends, and as the last said")
  void copiedFinish() {
    String stop = ",'finishReason':'STOP'";
    assertThat(
            told(
                read(
                    frame("{'text':'a'}", stop),
                    frame("{'text':'b'}", stop),
                    finish("MAX_TOKENS"))))
        .containsExactly("started", "text a", "text b", "finished LENGTH MAX_TOKENS");
  }

  @Test
  @DisplayName("is not at its end when more comes behind the finish")
  void finishTakenBack() {
    assertThat(told(read(frame("{'text':'a'}", ",'finishReason':'STOP'"), text("b"))))
        .containsExactly("started", "text a", "text b", "failed PROTOCOL");
  }

  @Test
  @DisplayName("fails as a breach of protocol when it has more calls than are remembered")
  void tooManyCalls() {
    var frames = new ArrayList<String>();
    for (int i = 0; i < 10_001; i++) {
      frames.add(frame("{'functionCall':{'id':'id" + i + "','name':'f'}}", ""));
    }
    List<String> events = told(read(frames.toArray(String[]::new)));
    assertThat(events).filteredOn(event -> event.startsWith("call")).hasSize(10_000);
    assertThat(events).endsWith("failed PROTOCOL");
    frames.set(10_000, finish("STOP"));
    assertThat(told(read(frames.toArray(String[]::new)))).endsWith("finished TOOL_CALLS STOP");
  }

  @Test
  @DisplayName("gives two calls of the same function ids of their own")
  void sameFunctionTwice() {
    String once = "{'functionCall':{'id':'x','name':'f'}}";
    assertThat(told(read(frame(once + "," + once, ""), frame(once, ""), finish("STOP"))))
        .contains("call 0 x f {}", "call 1 call_r1_1 f {}", "call 2 call_r1_2 f {}");
  }

  @Test
  @DisplayName("keeps the signature that comes alone behind the text, and that of a thought")
  void signatures() {
    assertThat(
            told(
                read(
                    frame("{'text':'hm','thought':true,'thoughtSignature':'YQ=='}", ""),
                    text("so"),
                    frame("{'text':'','thoughtSignature':'Yg=='}", ""),
                    finish("STOP"))))
        .containsExactly(
            "started",
            "thought hm",
            "signed YQ== google-gemini-v1",
            "text so",
            "encrypted Yg== google-gemini-v1 null",
            "finished END STOP");
  }

  @Test
  @DisplayName("cites at its end, where all text is known")
  void grounding() {
    String grounded =
        ",'groundingMetadata':{'webSearchQueries':['q'],'groundingChunks':["
            + "{'web':{'uri':'https://a/','title':'A'}}],'groundingSupports':[{'segment':{'startIndex':6,'endIndex':12,'text':'"
            + " dich'},'groundingChunkIndices':[0]}]}";
    String last = frame("{'text':' dich'}", grounded + ",'finishReason':'STOP'");
    List<String> told = told(read(text("Grüß"), last, "{'usageMetadata':{'promptTokenCount':2}}"));
    assertThat(told)
        .containsExactly(
            "started",
            "text Grüß",
            "text  dich",
            "usage 2 in, 0 out",
            "cites {'type':'url_citation','url_citation':{'url':'https://a/','title':'A',"
                + "'start_index':4,'end_index':9}}",
            "usage 2 in, 0 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("passes on what nobody models, and pictures, as frames of their own")
  void opaque() {
    String picture = "{'inlineData':{'mimeType':'image/png','data':'AAAA'}}";
    String code = "{'executableCode':{'code':'1'}}";
    assertThat(told(read(frame(picture + "," + code, ""), finish("STOP"))))
        .containsExactly(
            "started",
            "opaque {'candidates':[{'content':{'role':'model','parts':[" + picture + "]}}]}",
            "opaque {'candidates':[{'content':{'role':'model','parts':[" + code + "]}}]}",
            "finished END STOP");
  }

  @Test
  @DisplayName("of a blocked prompt is complete and says nothing")
  void blocked() {
    assertThat(
            told(
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
  @DisplayName("fails, so that another may be asked, when the upstream spoiled its answer")
  void spoiled(String word) {
    List<Event> events = read(finish(word));
    assertThat(told(events)).containsExactly("started", "failed UNAVAILABLE");
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
  @DisplayName("fails as the upstream says when it reports an error in the middle")
  void errors(String frame, String kind) {
    List<Event> events = read(text("a"), frame);
    assertThat(told(events)).containsExactly("started", "text a", "failed " + kind);
    assertThat(events.toString()).doesNotContain("key-1");
  }
}
