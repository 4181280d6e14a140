package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.Frames.finish;
import static io.strowger.providers.gemini.Frames.read;
import static io.strowger.providers.gemini.Frames.told;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Frames that differ in text and counts")
class TextFramesTest {
  private static String used(String part, int output) {
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
  @DisplayName("each give their own text, and the counts of the last one count")
  void lastCounts() {
    assertThat(
            told(
                read(
                    used(text("Gr"), 1),
                    used(text("\\u00fc\\\\"), 20),
                    used(text("ß"), 300),
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
  @DisplayName("are told apart: thoughts stay thoughts, and what is signed is signed")
  void thoughts() {
    assertThat(
            told(
                read(
                    used("{'text':'hm','thought':true}", 1),
                    used("{'text':'so','thought':true}", 2),
                    used(text("a"), 3),
                    used(text("b"), 4),
                    used("{'text':'c','thoughtSignature':'c2ln'}", 5),
                    used("{'text':'d','thoughtSignature':'c2ln'}", 6),
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
  @DisplayName("behind a finish take it back")
  void behindFinish() {
    assertThat(told(read(used(text("a"), 1), finish("STOP"), used(text("b"), 2))))
        .endsWith("text b", "failed PROTOCOL");
  }

  @Test
  @DisplayName("count in lists of one frame, too")
  void listed() {
    String first = "[" + used(text("a"), 1) + "]";
    String second = "[" + used(text("b"), 2) + "]";
    assertThat(told(read(first, second, finish("STOP"))))
        .containsExactly(
            "started",
            "usage 7 in, 1 out",
            "text a",
            "text b",
            "usage 7 in, 2 out",
            "finished END STOP");
  }

  @Test
  @DisplayName("are in the text that citations point into")
  void cited() {
    String source =
        "{'candidates':[{'finishReason':'STOP','groundingMetadata':{"
            + "'groundingChunks':[{'web':{'uri':'http://x','title':'X'}}],'groundingSupports':["
            + "{'segment':{'startIndex':1,'endIndex':3},'groundingChunkIndices':[0]}]}}]}";
    assertThat(told(read(used(text("a"), 1), used(text("bc"), 2), source)))
        .filteredOn(event -> event.startsWith("cites"))
        .singleElement()
        .asString()
        .contains("'start_index':1", "'end_index':3");
  }
}
