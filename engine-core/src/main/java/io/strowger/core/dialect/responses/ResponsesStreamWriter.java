package io.strowger.core.dialect.responses;

import io.strowger.core.dialect.EventWriter;
import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as a stream of this dialect: the bodies sent to upstreams if the caller asked
 * for them, the response as it begins, its items as they arrive, and the ended response as the last
 * event. Responses fact sheet, "Stream". For one thread.
 */
final class ResponsesStreamWriter implements EventWriter {
  private static final Json.Arr NO_LOGPROBS = Json.array();

  private final ResponseObject response;
  private final boolean debug;
  private final ResponsesEventWriter events = new ResponsesEventWriter();
  private final ResponseOutput output;
  private final UpstreamFrames upstream;
  private Event.@Nullable UsageReport usage;
  private boolean hasBegun;

  /**
   * @param debug whether to write the bodies sent to upstreams
   */
  ResponsesStreamWriter(Reply.Answered reply, ResponseObject response, boolean debug) {
    this.response = response;
    this.debug = debug;
    this.output = new ResponseOutput(reply.id(), events);
    this.upstream = new UpstreamFrames(output, events);
  }

  @Override
  public void write(Event event, JsonOutput out) {
    events.setOutput(out);
    switch (event) {
      case Event.UpstreamBodyEcho e -> writeDebug(e);
      case Event.UsageReport e -> usage = e;
      case Event.Finished e -> {
        begin();
        writeEnd(
            ResponseEnding.of(e.reason(), output.hasRefusal()), response(UpstreamFrames.frame(e)));
      }
      case Event.Failed e -> {
        begin();
        writeEnd(ResponseEnding.of(e), null);
      }
      case Event.CompleteAnswer e -> {
        begin();
        writeWhole(e.answer());
      }
      case Event.Started e -> writeContent(e);
      case Event.TextDelta e -> writeContent(e);
      case Event.ReasoningDelta e -> writeContent(e);
      case Event.BlockStart e -> writeContent(e);
      case Event.BlockStop e -> writeContent(e);
      case Event.ReasoningSignature e -> writeContent(e);
      case Event.EncryptedReasoning e -> writeContent(e);
      case Event.RefusalDelta e -> writeContent(e);
      case Event.Logprobs e -> writeContent(e);
      case Event.ServerToolRun e -> writeContent(e);
      case Event.ToolCallDelta e -> writeContent(e);
      case Event.Annotation e -> writeContent(e);
      case Event.OtherContent e -> writeContent(e);
      case Event.AudioDelta e -> {} // only speech has it
    }
  }

  private void writeDebug(Event.UpstreamBodyEcho event) {
    if (debug) {
      Json.Obj body = Json.object().put("echo_upstream_body", event.upstreamBody()).build();
      events.onEvent("response.debug", Json.object().put("debug", body).build());
    }
  }

  private void begin() {
    if (!hasBegun) {
      hasBegun = true;
      Json.Obj body = Json.object().put("response", response.initialBody()).build();
      events.onEvent("response.created", body);
      events.onEvent("response.in_progress", body);
    }
  }

  private void writeContent(Event event) {
    begin();
    if (!upstream.passOn(event)) {
      writeTranslated(event);
    }
  }

  /** Writes to the output an event that has no frame of this dialect. */
  private void writeTranslated(Event event) {
    switch (event) {
      case Event.TextDelta e -> output.addText(e.text(), logprobs(e.template()));
      case Event.ReasoningDelta e -> output.addReasoning(e.text(), e.summary(), e.id());
      case Event.RefusalDelta e -> output.addRefusal(e.text());
      case Event.ReasoningSignature e -> output.addSignature(e.signature(), e.format(), null);
      case Event.EncryptedReasoning e -> output.addEncrypted(e.data(), e.format(), e.id());
      case Event.BlockStart e -> output.beginBlock(e.kind());
      case Event.BlockStop e -> output.completeLastCall();
      case Event.ToolCallDelta e -> output.addCall(e.index(), e.id(), e.name(), e.arguments());
      case Event.Annotation e -> output.addCitation(e.body());
      case Event.Logprobs e -> output.addLogprobs(e.content());
      case Event.ServerToolRun e -> output.addToolRun(e.run());
      case Event.Started e -> {}
      case Event.OtherContent e -> {} // of another dialect
      case Event.UsageReport e -> {}
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {} // only speech has it
      case Event.Finished e -> {}
      case Event.CompleteAnswer e -> {}
      case Event.Failed e -> {}
    }
  }

  /** Returns the logprobs of the text in a chat chunk; empty for other templates. */
  private static Json.Arr logprobs(@Nullable FrameTemplate template) {
    Json.Arr choices =
        template == null || template.dialect() != Dialect.CHAT
            ? null
            : template.firstFrame().list("choices");
    Json.Obj logprobs =
        choices != null && !choices.isEmpty() && choices.get(0) instanceof Json.Obj choice
            ? choice.object("logprobs")
            : null;
    Json.Arr content = logprobs == null ? null : logprobs.list("content");
    return content == null ? NO_LOGPROBS : content;
  }

  private void writeWhole(Answer answer) {
    new AnswerPartWriter(output, events).write(answer);
    Json.Obj source = answer.dialect() == Dialect.RESPONSES ? answer.source() : null;
    if (answer.usage() != null) {
      usage = new Event.UsageReport(answer.usage(), null);
    }
    writeEnd(ResponseEnding.of(answer.stopReason(), output.hasRefusal()), source);
  }

  /** Returns the response in a frame; null when it has none. */
  private static Json.@Nullable Obj response(Json.@Nullable Obj frame) {
    return frame == null ? null : frame.object("response");
  }

  private void writeEnd(ResponseEnding ending, Json.@Nullable Obj source) {
    output.end(ending);
    Usage reported = usage == null ? null : usage.usage();
    Json.Obj body = response.finalBody(ending, output.documents(), withUsage(source), reported);
    events.onEvent("response." + ending.status(), Json.object().put("response", body).build());
  }

  /**
   * Returns the response with the reported usage added, for upstreams that send the usage in a
   * separate frame.
   */
  private Json.@Nullable Obj withUsage(Json.@Nullable Obj source) {
    Json.Obj usageFrame = usage == null ? null : UpstreamFrames.frame(usage);
    Json.Obj reportedResponse = usageFrame == null ? null : response(usageFrame);
    Json.Obj reportedUsage = reportedResponse == null ? null : reportedResponse.object("usage");
    return reportedUsage == null || source == null || source.object("usage") != null
        ? source
        : source.with("usage", reportedUsage);
  }
}
