package io.strowger.core.dialect.responses;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Writes streams and documents of the responses dialect for tests. */
final class WrittenResponses {
  static final long COMPLETED = Replies.CREATED + 2;

  private static final AnswerFormat FORMAT =
      new ResponsesFormat(() -> Instant.ofEpochSecond(COMPLETED));

  private WrittenResponses() {}

  /** Parses an object that is written with single quotes instead of double ones. */
  static Json.Obj json(String text) {
    return parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static Json.Obj parse(byte[] document) {
    try {
      return (Json.Obj) new JacksonCodec().parse(document);
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(new String(document, StandardCharsets.UTF_8), wrong);
    }
  }

  /**
   * Returns the template of a frame in which the string {@code TEXT} stands for the text of an
   * event.
   */
  static FrameTemplate template(String frame) {
    String written = frame.replace('\'', '"');
    int at = written.indexOf("\"TEXT\"");
    return new FrameTemplate(
        Dialect.RESPONSES,
        json(frame),
        written.substring(0, at).getBytes(StandardCharsets.UTF_8),
        written.substring(at + 6).getBytes(StandardCharsets.UTF_8));
  }

  static InferenceRequest request(String body) {
    return InferenceRequest.builder(Dialect.RESPONSES, json(body)).build();
  }

  /** Returns the events that a stream writes, without {@code data:} and in single quotes. */
  static List<String> lines(Reply.Answered reply, InferenceRequest request, boolean debug) {
    var options = new AnswerFormat.Options(false, debug);
    return lines(new AnswerStream(reply, FORMAT.writer(reply, request, options)));
  }

  private static List<String> lines(AnswerStream stream) {
    var out = new ByteArrayOutputStream();
    try (stream) {
      while (stream.writeNext(out)) {
        // until everything is written
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return List.of(out.toString(StandardCharsets.UTF_8).split("\n\n")).stream()
        .map(WrittenResponses::data)
        .toList();
  }

  private static String data(String event) {
    if (!event.startsWith("data: ") || event.indexOf('\n') >= 0 || event.indexOf('\r') >= 0) {
      throw new AssertionError("not one data line: " + event);
    }
    return event.substring(6).replace('"', '\'');
  }

  static List<String> lines(Event... events) {
    return lines(Replies.answered(events), request("{'input':'hi'}"), false);
  }

  /** Returns all events but the two that begin the stream and the one that ends it. */
  static List<String> items(Event... events) {
    List<String> lines = lines(events);
    return lines.subList(2, lines.size() - 1);
  }

  /** Returns the response in the last event of a stream. */
  static Json.Obj last(Event... events) {
    List<String> lines = lines(events);
    return Objects.requireNonNull(json(lines.get(lines.size() - 1)).object("response"));
  }

  static List<Json.Obj> events(Event... events) {
    return lines(events).stream().map(WrittenResponses::json).toList();
  }

  static Json.Obj document(Reply.Answered reply, String body, boolean metadata) {
    return parse(write(reply, body, metadata));
  }

  static String text(Reply.Answered reply, String body, boolean metadata) {
    return new String(write(reply, body, metadata), StandardCharsets.UTF_8).replace('"', '\'');
  }

  private static byte[] write(Reply.Answered reply, String body, boolean metadata) {
    CollectedAnswer collectedAnswer = CollectedAnswer.from(reply.answer());
    return Objects.requireNonNull(FORMAT.document(reply, request(body), collectedAnswer, metadata))
        .toByteArray();
  }

  static Json.Obj document(Event... events) {
    return document(Replies.answered(events), "{'input':'hi'}", false);
  }

  /** Returns the type of an event without {@code response.}. */
  static String type(Json.Obj event) {
    return Objects.requireNonNull(event.text("type")).substring("response.".length());
  }

  static String type(String line) {
    return type(json(line));
  }

  static Json.Obj object(Json.Obj document, String name) {
    return Objects.requireNonNull(document.object(name), name);
  }

  /** Returns the items of an array, which must be objects. */
  static List<Json.Obj> list(Json.Obj document, String name) {
    Json.Arr items = Objects.requireNonNull(document.list(name), name);
    return IntStream.range(0, items.size()).mapToObj(i -> (Json.Obj) items.get(i)).toList();
  }

  /** Returns the JSON of a member, in single quotes. */
  static String member(Json.Obj document, String name) {
    Json value = Objects.requireNonNull(document.get(name), name);
    return new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }
}
