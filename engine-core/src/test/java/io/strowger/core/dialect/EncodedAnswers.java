package io.strowger.core.dialect;

import io.strowger.core.inference.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes answers with the encoders of all dialects, for tests. */
public final class EncodedAnswers {
  private EncodedAnswers() {}

  /** Parses an object that is written with single quotes instead of double ones. */
  public static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /**
   * Returns the template of a frame in which the string {@code TEXT} stands for the text of an
   * event.
   */
  public static FrameTemplate template(Dialect dialect, String frame) {
    String written = frame.replace('\'', '"');
    int at = written.indexOf("\"TEXT\"");
    return new FrameTemplate(
        dialect,
        json(frame),
        written.substring(0, at).getBytes(StandardCharsets.UTF_8),
        written.substring(at + 6).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns everything that a stream writes, with single quotes instead of double ones. */
  public static String stream(Reply.Answered reply, EventWriter writer) {
    var out = new ByteArrayOutputStream();
    try (var stream = new AnswerStream(reply, writer)) {
      while (stream.writeNext(out)) {
        // until everything is written
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8).replace('"', '\'');
  }
}
