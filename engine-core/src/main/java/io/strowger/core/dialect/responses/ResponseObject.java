package io.strowger.core.dialect.responses;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the response object: the gateway's members, the members repeated from the request, and the
 * other members of the response of an upstream of this dialect. Responses fact sheet, "Response".
 */
final class ResponseObject {
  /** The members that the gateway sets itself, so those of an upstream are dropped. */
  private static final Set<String> GATEWAY_MEMBERS = gatewayMembers();

  private final Reply.Answered reply;
  private final InferenceRequest request;
  private final boolean metadata;
  private final Supplier<Instant> clock;
  private final AnswerHeader header;

  /**
   * @param metadata whether {@code router_metadata} is included
   * @param clock the source of the completion time
   */
  ResponseObject(
      Reply.Answered reply, InferenceRequest request, boolean metadata, Supplier<Instant> clock) {
    this.reply = reply;
    this.request = request;
    this.metadata = metadata;
    this.clock = clock;
    this.header = AnswerHeader.of(reply);
  }

  private static Set<String> gatewayMembers() {
    var names = new HashSet<>(RequestEcho.NAMES);
    names.addAll(
        Set.of(
            "id",
            "object",
            "created_at",
            "completed_at",
            "status",
            "error",
            "incomplete_details",
            "model",
            "provider",
            "output",
            "output_text",
            "service_tier",
            "usage",
            "error_type",
            "router_metadata"));
    return Set.copyOf(names);
  }

  /** Returns the object of a response in progress, without output. */
  Json.Obj initialBody() {
    Json.Obj.Builder response = beginBody("in_progress", Json.NULL, Json.NULL, Json.NULL);
    response.put("output", Json.array());
    return addEcho(response, null).put("usage", Json.NULL).build();
  }

  /**
   * Returns the object of a response that has ended.
   *
   * @param output the items of its output
   * @param upstream the upstream's response; null when it is of another dialect
   * @param reportedUsage the usage, used only if there is no bill; null when unknown
   */
  Json.Obj finalBody(
      ResponseEnding ending,
      Json.Arr output,
      Json.@Nullable Obj upstream,
      @Nullable Usage reportedUsage) {
    Json completedAt = ending.isComplete() ? Json.of(clock.get().getEpochSecond()) : Json.NULL;
    Json.Obj.Builder response =
        beginBody(
            ending.status(), completedAt, ending.errorBody(), incompleteDetails(ending, upstream));
    response.put("output", output).put("output_text", joinedText(output));
    addEcho(response, upstream);
    Bill bill = reply.answer().bill();
    Usage usage = bill == null ? reportedUsage : bill.usage();
    Json.Obj upstreamUsage = upstream == null ? null : upstream.object("usage");
    response.put(
        "usage", usage == null ? Json.NULL : ResponsesUsageWriter.of(usage, bill, upstreamUsage));
    for (int i = 0; upstream != null && i < upstream.size(); i++) {
      if (!GATEWAY_MEMBERS.contains(upstream.name(i))) {
        response.put(upstream.name(i), upstream.value(i));
      }
    }
    if (ending.error() != null) {
      response.put("error_type", ending.error().code().type());
    }
    if (metadata) {
      response.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    Json.Obj body = response.build();
    return ending.endedByGateway() ? body.without("provider") : body;
  }

  private Json.Obj.Builder beginBody(String status, Json completedAt, Json error, Json details) {
    Json.Obj.Builder response =
        Json.object()
            .put("id", header.id())
            .put("object", "response")
            .put("created_at", header.createdSeconds())
            .put("completed_at", completedAt)
            .put("status", status)
            .put("error", error)
            .put("incomplete_details", details)
            .put("model", header.model());
    return header.provider().isEmpty() ? response : response.put("provider", header.provider());
  }

  private static Json incompleteDetails(ResponseEnding ending, Json.@Nullable Obj upstream) {
    Json.Obj upstreamDetails = upstream == null ? null : upstream.object("incomplete_details");
    return ending.reason() != null && upstreamDetails != null
        ? upstreamDetails
        : ending.incompleteDetails();
  }

  private Json.Obj.Builder addEcho(Json.Obj.Builder response, Json.@Nullable Obj upstream) {
    RequestEcho.put(request.members(), upstream, response);
    String upstreamTier = upstream == null ? null : upstream.text("service_tier");
    String tier = upstreamTier == null ? header.serviceTier() : upstreamTier;
    return response.put("service_tier", tier == null ? "default" : tier);
  }

  /** Returns the texts of all messages, concatenated. */
  private static Json.Str joinedText(Json.Arr output) {
    var texts = new ArrayList<Json.Str>();
    for (int i = 0; i < output.size(); i++) {
      Json.Arr parts =
          output.get(i) instanceof Json.Obj item && "message".equals(item.text("type"))
              ? item.list("content")
              : null;
      for (int j = 0; parts != null && j < parts.size(); j++) {
        if (parts.get(j) instanceof Json.Obj part
            && "output_text".equals(part.text("type"))
            && part.get("text") instanceof Json.Str text) {
          texts.add(text);
        }
      }
    }
    return texts.size() == 1 // not copied, since it may be long
        ? texts.get(0)
        : Json.of(texts.stream().map(Json.Str::text).collect(Collectors.joining()));
  }
}
