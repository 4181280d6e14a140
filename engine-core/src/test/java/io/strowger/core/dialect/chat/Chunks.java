package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerFormat.Options;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EncodedAnswers;
import io.strowger.core.inference.Reply;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.StopReason;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Helpers for the tests of the chat writers. */
final class Chunks {
  /** The beginning of every chunk of an answer of {@link io.strowger.core.inference.Replies}. */
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

  static final String ROLE = delta("'role':'assistant','content':''");
  static final String USAGE_CHUNK = HEAD + ",'choices':[]," + USAGE + "}";
  static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private Chunks() {}

  static String delta(String members) {
    return HEAD + ",'choices':[{'index':0,'delta':{" + members + "},'finish_reason':null}]}";
  }

  static String end(String reason, String nativeReason) {
    return HEAD
        + ",'choices':[{'index':0,'delta':{},'finish_reason':'"
        + reason
        + "','native_finish_reason':"
        + nativeReason
        + "}]}";
  }

  static FrameTemplate template(String frame) {
    return EncodedAnswers.template(Dialect.CHAT, frame);
  }

  /** Returns the events that a stream writes, without {@code data:} and in single quotes. */
  static List<String> stream(Reply.Answered reply, boolean metadata, boolean debug) {
    String written =
        EncodedAnswers.stream(reply, new ChatWriter(reply, new Options(metadata, debug)));
    return List.of(written.split("\n\n")).stream().map(Chunks::data).toList();
  }

  private static String data(String event) {
    if (!event.startsWith("data: ") || event.indexOf('\n') >= 0 || event.indexOf('\r') >= 0) {
      throw new AssertionError("not one data line: " + event);
    }
    return event.substring(6);
  }

  static List<String> stream(Reply.Answered reply) {
    return stream(reply, false, false);
  }

  /** Returns the answer as one document, in single quotes. */
  static String document(Reply.Answered reply, boolean metadata) {
    CollectedAnswer collectedAnswer = CollectedAnswer.from(reply.answer());
    return new String(
            ChatAnswerWriter.write(reply, collectedAnswer, metadata).toByteArray(),
            StandardCharsets.UTF_8)
        .replace('"', '\'');
  }
}
