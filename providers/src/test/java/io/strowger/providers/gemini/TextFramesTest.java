package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiFrames.describe;
import static io.strowger.providers.gemini.GeminiFrames.finish;
import static io.strowger.providers.gemini.GeminiFrames.read;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Frames that differ only in text and counts")
class TextFramesTest {
  private static String frameWithUsage(String part, int output) {
    return "{'candidates':[{'content':{'parts':["
        + part
        + "],'role':'model'},'index':0}],'usageMetadata':{'promptTokenCount':7,"
        + "'candidatesTokenCount':"
        + output
        + ",'promptTokensDetails':[{'modality':'TEXT','tokenCount':7}]},'responseId':'r1'}";
  }

  private static String text(String text) {
    return "{'text':'" + text + "'}";
  }

  @Test
  @DisplayName("give their own texts, and the counts of the last frame")
  void lastCounts() {
    assertThat(
            describe(
                read(
                    frameWithUsage(text("Gr"), 1),
                    frameWithUsage(text("\\u00fc\\\\"), 20),
                    frameWithUsage(text("ß"), 300),
                    finish("STOP"))))
        .containsExactly(
            "started",
            "usage 7 in, 1 out",
            "text Gr",
            "text ü\\",
            "text ß",
            "usage 7 in, 300 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("are distinguished by thought and signature")
  void thoughts() {
    assertThat(
            describe(
                read(
                    frameWithUsage("{'text':'hm','thought':true}", 1),
                    frameWithUsage("{'text':'so','thought':true}", 2),
                    frameWithUsage(text("a"), 3),
                    frameWithUsage(text("b"), 4),
                    frameWithUsage("{'text':'c','thoughtSignature':'c2ln'}", 5),
                    frameWithUsage("{'text':'d','thoughtSignature':'c2ln'}", 6),
                    finish("STOP"))))
        .containsExactly(
            "started",
            "usage 7 in, 1 out",
            "thought hm",
            "thought so",
            "text a",
            "text b",
            "encrypted c2ln google-gemini-v1 null",
            "text c",
            "encrypted c2ln google-gemini-v1 null",
            "text d",
            "usage 7 in, 6 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("make the stream fail if they follow a finish reason")
  void afterFinish() {
    assertThat(
            describe(
                read(frameWithUsage(text("a"), 1), finish("STOP"), frameWithUsage(text("b"), 2))))
        .endsWith("text b", "failed PROTOCOL");
  }

  @Test
  @DisplayName("may be in lists of one frame")
  void listed() {
    String first = "[" + frameWithUsage(text("a"), 1) + "]";
    String second = "[" + frameWithUsage(text("b"), 2) + "]";
    assertThat(describe(read(first, second, finish("STOP"))))
        .containsExactly(
            "started",
            "usage 7 in, 1 out",
            "text a",
            "text b",
            "usage 7 in, 2 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("are part of the text that citations refer to")
  void cited() {
    String source =
        "{'candidates':[{'finishReason':'STOP','groundingMetadata':{"
            + "'groundingChunks':[{'web':{'uri':'http://x','title':'X'}}],'groundingSupports':["
            + "{'segment':{'startIndex':1,'endIndex':3},'groundingChunkIndices':[0]}]}}]}";
    assertThat(describe(read(frameWithUsage(text("a"), 1), frameWithUsage(text("bc"), 2), source)))
        .filteredOn(event -> event.startsWith("citation"))
        .singleElement()
        .asString()
        .contains("'start_index':1", "'end_index':3");
  }
}
