package io.strowger.core.encode;

import io.strowger.core.flow.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer as a stream of chat chunks. Chat fact sheet, section 8: the pieces as they come, the
 * chunk with the finish reason, one chunk with the usage and no choices, {@code [DONE]}; a failure
 * is one chunk that carries the error, and then the stream is over.
 *
 * <p>Events of the same format keep the upstream's bytes but for the members the gateway owns.
 * Pulled by one thread; {@link #close()} from any.
 */
public final class ChatStream implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChatStream.class);
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);

  private final Reply.Answered reply;
  private final Options options;
  private final ChatFrames frames;
  private final JsonOutput out = new JsonOutput(1024);
  private Event.@Nullable UsageReport usage; // held back until the finish reason was written
  private boolean roleSaid;
  private volatile boolean ended;

  /**
   * What the caller asked to see besides the answer.
   *
   * @param metadata how the request was routed, with the usage
   * @param debug the bodies sent to upstreams, at the start
   */
  public record Options(boolean metadata, boolean debug) {}

  public ChatStream(Reply.Answered reply, Options options) {
    this.reply = reply;
    this.options = options;
    this.frames = new ChatFrames(ChatHead.of(reply));
  }

  /**
   * Writes what the next event comes to; waits for it.
   *
   * @return false when the stream is over and nothing was written
   */
  public boolean writeNext(OutputStream to) throws IOException {
    out.reset();
    while (out.length() == 0) {
      if (ended) {
        return false;
      }
      step();
    }
    out.writeTo(to);
    return true;
  }

  /** True when {@link #writeNext} would not wait. */
  public boolean ready() {
    return ended || reply.answer().events().ready();
  }

  @Override
  public void close() {
    ended = true;
    reply.answer().close();
  }

  private void step() {
    try {
      Event event = reply.answer().events().next();
      if (event != null) {
        write(event);
      } else if (!ended) { // not closed by whoever reads: the gateway gave the answer up
        failed(GatewayError.of(ErrorCode.UNAVAILABLE), null);
      }
    } catch (RuntimeException bug) {
      log.error("the answer {} broke off", reply.id(), bug);
      out.reset(); // half a chunk is none
      failed(GatewayError.of(ErrorCode.INTERNAL), null);
    }
  }

  private void write(Event event) {
    switch (event) {
      case Event.Started e -> started(chat(e.frame()));
      case Event.TextDelta e -> {
        sayRole(e.shape() != null && e.shape().dialect() == Dialect.CHAT);
        frames.text(e.text(), e.shape(), out);
      }
      case Event.ReasoningDelta e -> {
        sayRole(e.shape() != null && e.shape().dialect() == Dialect.CHAT);
        frames.reasoning(e.text(), e.shape(), out);
      }
      case Event.ToolCallDelta e -> piece(chat(e.frame()), toolCall(e));
      case Event.Annotation e ->
          piece(chat(e.frame()), Json.object().put("annotations", Json.array(e.body())).build());
      case Event.Opaque e -> {
        Json.Obj frame = chat(e.frame());
        if (frame != null) {
          roleSaid = true;
          frames.frame(frame, out);
        }
      }
      case Event.RefusalDelta e -> {}
      case Event.Signature e -> {}
      case Event.Encrypted e -> {}
      case Event.Logprobs e -> {}
      case Event.ServerToolRun e -> {}
      case Event.BlockStart e -> {}
      case Event.BlockStop e -> {}
      case Event.UsageReport e -> usage = e;
      case Event.Debug e -> debug(e);
      case Event.Finished e -> finished(e);
      case Event.Whole e -> whole(e.answer());
      case Event.Failed e -> failed(e.error(), e.cause());
    }
  }

  /** The frame when it is a chat chunk with choices; frames of other formats are not passed on. */
  private static Json.@Nullable Obj chat(Json.@Nullable Obj frame) {
    return frame == null || frame.list("choices") == null ? null : frame;
  }

  private void started(Json.@Nullable Obj frame) {
    if (frame == null) {
      sayRole(false);
    } else {
      roleSaid = true;
      frames.frame(frame, out);
    }
  }

  /** Begins the stream with a chunk that says who speaks, unless an upstream's chunk does. */
  private void sayRole(boolean upstreamSays) {
    if (!roleSaid && !upstreamSays) {
      frames.delta(Json.object().put("role", "assistant").put("content", "").build(), out);
    }
    roleSaid = true;
  }

  private void piece(Json.@Nullable Obj frame, Json.Obj delta) {
    sayRole(frame != null);
    if (frame == null) {
      frames.delta(delta, out);
    } else {
      frames.frame(frame, out);
    }
  }

  private static Json.Obj toolCall(Event.ToolCallDelta event) {
    Json.Obj.Builder call = Json.object().put("index", event.index());
    Json.Obj.Builder function = Json.object();
    if (event.id() != null) {
      call.put("id", event.id()).put("type", "function");
    }
    if (event.name() != null) {
      function.put("name", event.name());
    }
    call.put("function", function.put("arguments", event.arguments()).build());
    return Json.object().put("tool_calls", Json.array(call.build())).build();
  }

  private void debug(Event.Debug event) {
    if (options.debug()) {
      Json.Obj body = Json.object().put("echo_upstream_body", event.upstreamBody()).build();
      frames.own(
          Json.object().put("choices", Json.array()).put("debug", body.detached()).build(), out);
    }
  }

  private void finished(Event.Finished event) {
    Json.Obj frame = chat(event.frame());
    Json.Arr choices = frame == null ? null : frame.list("choices");
    if (frame == null || choices == null || choices.isEmpty()) {
      sayRole(false);
      frames.frame(
          Json.object()
              .put("choices", Json.array(ChatChoices.end(0, event.reason(), event.nativeReason())))
              .build(),
          out);
    } else {
      frames.frame(
          frame.with("choices", ChatChoices.ended(choices, event.reason(), event.nativeReason())),
          out);
    }
    done();
  }

  /** A provider that does not stream answered a caller who does: everything in few chunks. */
  private void whole(Answer answer) {
    ChatPieces.of(answer).forEach(chunk -> frames.frame(chunk, out));
    if (answer.usage() != null) {
      Json.Obj source = answer.dialect() == Dialect.CHAT ? answer.source() : null;
      usage = new Event.UsageReport(answer.usage(), source);
    }
    done();
  }

  private void done() {
    usageChunk();
    out.bytes(DONE);
    ended = true;
  }

  private void usageChunk() {
    Bill bill = reply.answer().bill();
    Usage used = bill != null ? bill.usage() : usage != null ? usage.usage() : null;
    if (used == null && !options.metadata()) {
      return;
    }
    Json.Obj.Builder chunk = Json.object().put("choices", Json.array());
    if (used != null) {
      chunk.put("usage", ChatUsage.of(used, bill, upstreamUsage()));
    }
    if (options.metadata()) {
      chunk.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    frames.own(chunk.build(), out);
  }

  /** Detached, so that no white space of the upstream's cuts the data line. */
  private Json.@Nullable Obj upstreamUsage() {
    Json.Obj frame = usage == null ? null : usage.frame();
    Json.Obj given = frame == null ? null : frame.object("usage");
    return given == null || !given.has("prompt_tokens") ? null : given.detached();
  }

  private void failed(GatewayError error, @Nullable Failure cause) {
    ended = true;
    Json.Obj choice =
        Json.object()
            .put("index", 0)
            .put("delta", Json.object().put("content", "").build())
            .put("finish_reason", ChatChoices.finishReason(StopReason.ERROR))
            .build();
    frames.own(
        Json.object()
            .put("error", ErrorBodies.inBand(error, cause))
            .put("choices", Json.array(choice))
            .build(),
        out);
  }
}
