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
  private static final Json.Arr NONE = Json.array();

  private final ResponseObject response;
  private final boolean debug;
  private final ResponsesEventWriter responsesEventWriter = new ResponsesEventWriter();
  private final ResponseOutput output;
  private final UpstreamFrames upstream;
  private Event.@Nullable UsageReport usage;
  private boolean begun;

  /**
   * @param debug whether to write the bodies sent to upstreams
   */
  ResponsesStreamWriter(Reply.Answered reply, ResponseObject response, boolean debug) {
    this.response = response;
    this.debug = debug;
    this.output = new ResponseOutput(reply.id(), responsesEventWriter);
    this.upstream = new UpstreamFrames(output, responsesEventWriter);
  }

  @Override
  public void write(Event event, JsonOutput out) {
    responsesEventWriter.to(out);
    switch (event) {
      case Event.UpstreamBodyEcho e -> debug(e);
      case Event.UsageReport e -> usage = e;
      case Event.Finished e -> {
        begin();
        ended(ResponseEnding.of(e.reason(), output.refused()), response(UpstreamFrames.frame(e)));
      }
      case Event.Failed e -> {
        begin();
        ended(ResponseEnding.of(e), null);
      }
      case Event.CompleteAnswer e -> {
        begin();
        whole(e.answer());
      }
      case Event.Started e -> piece(e);
      case Event.TextDelta e -> piece(e);
      case Event.ReasoningDelta e -> piece(e);
      case Event.BlockStart e -> piece(e);
      case Event.BlockStop e -> piece(e);
      case Event.ReasoningSignature e -> piece(e);
      case Event.EncryptedReasoning e -> piece(e);
      case Event.RefusalDelta e -> piece(e);
      case Event.Logprobs e -> piece(e);
      case Event.ServerToolRun e -> piece(e);
      case Event.ToolCallDelta e -> piece(e);
      case Event.Annotation e -> piece(e);
      case Event.UnmodelledContent e -> piece(e);
      case Event.AudioDelta e -> {} // only speech has it
    }
  }

  private void debug(Event.UpstreamBodyEcho event) {
    if (debug) {
      Json.Obj body = Json.object().put("echo_upstream_body", event.upstreamBody()).build();
      responsesEventWriter.onEvent("response.debug", Json.object().put("debug", body).build());
    }
  }

  private void begin() {
    if (!begun) {
      begun = true;
      Json.Obj body = Json.object().put("response", response.begun()).build();
      responsesEventWriter.onEvent("response.created", body);
      responsesEventWriter.onEvent("response.in_progress", body);
    }
  }

  private void piece(Event event) {
    begin();
    if (!upstream.take(event)) {
      made(event);
    }
  }

  /** Writes an event that has no frame of this dialect to the output. */
  private void made(Event event) {
    switch (event) {
      case Event.TextDelta e -> output.text(e.text(), logprobs(e.template()));
      case Event.ReasoningDelta e -> output.thought(e.text(), e.summary(), e.id());
      case Event.RefusalDelta e -> output.refusal(e.text());
      case Event.ReasoningSignature e -> output.signature(e.signature(), e.format(), null);
      case Event.EncryptedReasoning e -> output.encrypted(e.data(), e.format(), e.id());
      case Event.BlockStart e -> output.beginBlock(e.kind());
      case Event.BlockStop e -> output.complete();
      case Event.ToolCallDelta e -> output.call(e.index(), e.id(), e.name(), e.arguments());
      case Event.Annotation e -> output.citation(e.body());
      case Event.Logprobs e -> output.logprobs(e.content());
      case Event.ServerToolRun e -> output.run(e.run());
      case Event.Started e -> {}
      case Event.UnmodelledContent e -> {} // of another dialect
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
            : template.example().list("choices");
    Json.Obj given =
        choices != null && !choices.isEmpty() && choices.get(0) instanceof Json.Obj choice
            ? choice.object("logprobs")
            : null;
    Json.Arr content = given == null ? null : given.list("content");
    return content == null ? NONE : content;
  }

  private void whole(Answer answer) {
    new AnswerPartWriter(output, responsesEventWriter).write(answer);
    Json.Obj source = answer.dialect() == Dialect.RESPONSES ? answer.source() : null;
    if (answer.usage() != null) {
      usage = new Event.UsageReport(answer.usage(), null);
    }
    ended(ResponseEnding.of(answer.stopReason(), output.refused()), source);
  }

  /** Returns the response in a frame; null when it has none. */
  private static Json.@Nullable Obj response(Json.@Nullable Obj frame) {
    return frame == null ? null : frame.object("response");
  }

  private void ended(ResponseEnding responseEnding, Json.@Nullable Obj source) {
    output.end(responseEnding);
    Usage reported = usage == null ? null : usage.usage();
    Json.Obj body = response.ended(responseEnding, output.items(), withUsage(source), reported);
    responsesEventWriter.onEvent(
        "response." + responseEnding.status(), Json.object().put("response", body).build());
  }

  /**
   * Returns the response with the reported usage added, for upstreams that send the usage in a
   * separate frame.
   */
  private Json.@Nullable Obj withUsage(Json.@Nullable Obj source) {
    Json.Obj report = usage == null ? null : UpstreamFrames.frame(usage);
    Json.Obj holder = report == null ? null : response(report);
    Json.Obj given = holder == null ? null : holder.object("usage");
    return given == null || source == null || source.object("usage") != null
        ? source
        : source.with("usage", given);
  }
}
