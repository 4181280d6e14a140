package io.strowger.core.encode;

import io.strowger.core.flow.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Shape;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Words for the tests of encoders. */
final class Encoded {
  /** How every chunk of {@link io.strowger.core.flow.Replies} begins. */
  static final String HEAD =
      "{'id':'gen-1700000000-abc','object':'chat.completion.chunk','created':1700000000,"
          + "'model':'acme/large','provider':'alpha'";

  static final String USAGE =
      "'usage':{'prompt_tokens':10,'completion_tokens':5,'total_tokens':15,"
          + "'prompt_tokens_details':{'cached_tokens':2,'cache_write_tokens':0,'audio_tokens':0},"
          + "'completion_tokens_details':{'reasoning_tokens':1,'audio_tokens':0},"
          + "'cost':0.000021,'is_byok':false,'cost_details':{'upstream_inference_cost':0.00002,"
          + "'upstream_inference_prompt_cost':0.00001,"
          + "'upstream_inference_completions_cost':0.00001}}";

  private Encoded() {}

  /** JSON with single quotes for double ones. */
  static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** A frame of which one string, written as TEXT here, is the text of its events. */
  static Shape shape(String frame) {
    String written = frame.replace('\'', '"');
    int at = written.indexOf("\"TEXT\"");
    return new Shape(
        Dialect.CHAT,
        json(frame),
        written.substring(0, at).getBytes(StandardCharsets.UTF_8),
        written.substring(at + 6).getBytes(StandardCharsets.UTF_8));
  }

  /** What a stream wrote, one item per event of it, without {@code data:}, in single quotes. */
  static List<String> stream(Reply.Answered reply, boolean metadata, boolean debug) {
    var out = new ByteArrayOutputStream();
    try (var stream = new ChatStream(reply, new ChatStream.Options(metadata, debug))) {
      while (stream.writeNext(out)) {
        // until it is over
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return List.of(out.toString(StandardCharsets.UTF_8).split("\n\n")).stream()
        .map(Encoded::data)
        .toList();
  }

  private static String data(String event) {
    if (!event.startsWith("data: ") || event.indexOf('\n') >= 0 || event.indexOf('\r') >= 0) {
      throw new AssertionError("not one data line: " + event);
    }
    return event.substring(6).replace('"', '\'');
  }

  static List<String> stream(Reply.Answered reply) {
    return stream(reply, false, false);
  }

  /** A whole answer in single quotes. */
  static String document(Reply.Answered reply, boolean metadata) {
    return switch (ChatAnswer.read(reply, metadata)) {
      case ChatAnswer.Document document ->
          new String(document.body(), StandardCharsets.UTF_8).replace('"', '\'');
      case ChatAnswer.Nothing nothing -> "nothing: " + nothing.error();
    };
  }
}
