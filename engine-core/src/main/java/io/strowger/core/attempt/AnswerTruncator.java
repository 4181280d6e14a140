package io.strowger.core.attempt;

import io.strowger.core.meter.DeliveredOutput;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Shortens a complete answer to what its hold covers. */
final class AnswerTruncator {
  private long textLeft;
  private long mediaLeft;

  private AnswerTruncator(long cap) {
    this.textLeft = DeliveredOutput.maxTextBytes(cap);
    this.mediaLeft = DeliveredOutput.maxFrameBytes(cap);
  }

  /**
   * Returns the beginning of an answer: the parts before the first one that does not fit, and the
   * beginning of that one if it is text. The stop reason is {@link StopReason#LENGTH}; the source
   * is null, since it would contain the rest.
   *
   * @param cap the most output tokens to keep; positive
   */
  static Answer of(Answer answer, long cap) {
    return new Answer(
        new AnswerTruncator(cap).truncate(answer.parts()),
        StopReason.LENGTH,
        null,
        answer.usage(),
        answer.dialect(),
        null);
  }

  private List<Part> truncate(List<Part> parts) {
    var result = new ArrayList<Part>();
    for (Part part : parts) {
      long before = textLeft;
      deduct(part);
      if (textLeft < 0 && part instanceof Part.Text text) {
        result.add(text.withText(truncate(text.text(), before)));
      }
      if (textLeft < 0 || mediaLeft < 0) {
        return result;
      }
      result.add(part);
    }
    return result;
  }

  private void deduct(Part part) {
    switch (part) {
      case Part.Text p -> textLeft -= p.text().utf8Bound();
      case Part.Refusal p -> textLeft -= p.text().utf8Bound();
      case Part.ToolCall p -> textLeft -= p.arguments().utf8Bound();
      case Part.Thinking p -> textLeft -= p.text().utf8Bound();
      case Part.Image p -> mediaLeft -= p.media().asUrl().utf8Bound();
      case Part.Audio p -> mediaLeft -= p.data().utf8Bound();
      case Part.Video p -> mediaLeft -= p.url().utf8Bound();
      case Part.File p -> mediaLeft -= p.file().writtenLength();
      case Part.Unknown p -> mediaLeft -= p.source().writtenLength();
      case Part.Citation p -> mediaLeft -= p.body().writtenLength();
      case Part.Logprobs p -> mediaLeft -= p.content().writtenLength();
      case Part.ToolResult p -> {}
      case Part.ServerToolRun p -> {}
    }
  }

  /** Returns as many complete characters of a text as fit into this many bytes. */
  private static String truncate(Json.Str text, long maxBytes) {
    byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
    int length = (int) Math.min(maxBytes, bytes.length);
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.IGNORE)
            .onUnmappableCharacter(CodingErrorAction.IGNORE);
    CharBuffer out = CharBuffer.allocate(length);
    decoder.decode(ByteBuffer.wrap(bytes, 0, length), out, false); // leaves out a cut character
    return out.flip().toString();
  }
}
