package io.strowger.spi.observe;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data about one finished call that is exported to an observability destination. What the
 * destination must not see has been removed. Immutable; keeps no body of a request reachable.
 * Contract: "Observability destination"; resources fact sheet, section 5.
 *
 * @param id generation id, {@code gen-...}
 * @param span the place of the call among the caller's spans
 * @param result when and how the call ended
 * @param model the model and the provider that answered
 * @param usage the usage of all attempts together
 * @param cost what the call cost its caller; null when the destination must not see it
 * @param sender what the request says about its sender
 * @param details data that only some destinations receive
 */
public record CallTrace(
    String id,
    Span span,
    Result result,
    Model model,
    Usage usage,
    @Nullable Usd cost,
    Sender sender,
    Details details) {
  public CallTrace {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(span, "span");
    Objects.requireNonNull(result, "result");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(sender, "sender");
    Objects.requireNonNull(details, "details");
  }

  /**
   * The place of the call in a trace. The ids have OpenTelemetry's form and are the same each time
   * the call is sent.
   *
   * @param traceId 32 lower-case hex digits
   * @param spanId 16 lower-case hex digits
   * @param parentSpanId 16 lower-case hex digits; null for a root
   * @param name the name of this span: the request's {@code generation_name}, else the model's id
   * @param traceName {@code trace_name} of the request; null when it has none
   * @param stepName {@code span_name} of the request: the step that made the call; null when it has
   *     none
   * @param metadata the other members of the request's {@code trace}
   */
  public record Span(
      String traceId,
      String spanId,
      @Nullable String parentSpanId,
      String name,
      @Nullable String traceName,
      @Nullable String stepName,
      Json.Obj metadata) {
    public Span {
      Objects.requireNonNull(traceId, "traceId");
      Objects.requireNonNull(spanId, "spanId");
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(metadata, "metadata");
    }
  }

  /**
   * How a call ended.
   *
   * @param arrivedAt when the request arrived
   * @param firstContentNanos nanoseconds from then to the first content; -1 when there was none
   * @param totalNanos nanoseconds from then to the end
   * @param finishReason {@code stop}, {@code length}, {@code tool_calls}, {@code content_filter} or
   *     {@code error}; null when the answer did not end
   * @param errorType type of the caller's error, such as {@code rate_limit_exceeded}; null when all
   *     went well
   * @param status HTTP status of that error; 200 when all went well
   * @param cancelled whether the caller went away
   */
  public record Result(
      Instant arrivedAt,
      long firstContentNanos,
      long totalNanos,
      @Nullable String finishReason,
      @Nullable String errorType,
      int status,
      boolean cancelled) {
    public Result {
      Objects.requireNonNull(arrivedAt, "arrivedAt");
    }

    /** Returns when the call ended. */
    public Instant endedAt() {
      return arrivedAt.plusNanos(totalNanos);
    }

    /** Returns whether the caller received an error. */
    public boolean isFailed() {
      return errorType != null;
    }
  }

  /**
   * The model and the provider that answered.
   *
   * @param requestedModel the model as the caller named it, the first when several; may be empty
   * @param id the model that answered; the requested one when none did
   * @param provider name of the provider; null when none answered
   * @param operation what was asked for: {@code chat}, {@code embeddings}, {@code speech}, ...
   * @param streamed whether the answer was streamed
   */
  public record Model(
      String requestedModel,
      String id,
      @Nullable String provider,
      String operation,
      boolean streamed) {
    public Model {
      Objects.requireNonNull(requestedModel, "requestedModel");
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(operation, "operation");
    }
  }

  /**
   * What the request says of its sender.
   *
   * @param user the caller's own end user, at most 128 characters; null when it names none
   * @param session id of the session that groups requests; null when the request names none
   */
  public record Sender(@Nullable String user, @Nullable String session) {}

  /**
   * The details that a destination receives only when its settings ask for them.
   *
   * @param identity null unless the destination has {@code broadcast_generation_identity}
   * @param context null unless the destination has {@code broadcast_generation_request_context}
   * @param content null in privacy mode
   */
  public record Details(
      @Nullable Identity identity, @Nullable RequestContext context, @Nullable Content content) {
    /** No details. */
    public static final Details NONE = new Details(null, null, null);
  }

  /**
   * The key that a call was made with, and its owner.
   *
   * @param keyName name of the key
   * @param keyHash SHA-256 of the key, in hex digits
   * @param workspace id of its workspace
   * @param keyUser the user the key was made for
   */
  public record Identity(String keyName, String keyHash, String workspace, String keyUser) {
    public Identity {
      Objects.requireNonNull(keyName, "keyName");
      Objects.requireNonNull(keyHash, "keyHash");
      Objects.requireNonNull(workspace, "workspace");
      Objects.requireNonNull(keyUser, "keyUser");
    }
  }

  /**
   * Where a request came from; a part that the request does not state is null.
   *
   * @param referer address of the application
   * @param title name of the application
   * @param userAgent the client software of the caller
   * @param preset id of the preset that was merged under the request
   */
  public record RequestContext(
      @Nullable String referer,
      @Nullable String title,
      @Nullable String userAgent,
      @Nullable String preset) {}

  /**
   * The prompt and the answer. Images, audio, video and documents are left out.
   *
   * @param input messages of the chat dialect: the prompt as it was sent to the model, after
   *     content filters
   * @param output choices of the chat dialect, as the caller got them
   */
  public record Content(Json.Arr input, Json.Arr output) {
    public Content {
      Objects.requireNonNull(input, "input");
      Objects.requireNonNull(output, "output");
    }

    /** Returns the number of messages and choices; their content is private. */
    @Override
    public String toString() {
      return "Content[" + input.size() + " messages, " + output.size() + " choices]";
    }
  }

  /** Returns the same trace with another cost and other details. */
  public CallTrace with(@Nullable Usd newCost, Details newDetails) {
    return new CallTrace(id, span, result, model, usage, newCost, sender, newDetails);
  }

  /** Returns the generation id and the model only: the rest may be private. */
  @Override
  public String toString() {
    return "CallTrace[" + id + ", " + model.id() + "]";
  }
}
