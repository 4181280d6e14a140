package io.strowger.core.flow;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.flow.GenerationFacts.Try;
import io.strowger.core.meter.Bill;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Origin;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.Candidate;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A generation as {@code GET /generation} shows it. Holds no word of prompt or answer. Times are
 * whole milliseconds, money US dollars; what is not known is null. The upstream's own counts are
 * the only ones there are, so native tokens are the tokens. Resources fact sheet, section 7.
 */
final class GenerationRecord {
  /** The member that says in which workspace a request was made. */
  static final String WORKSPACE = "workspace_id";

  private static final String ROUTERS = "router/";
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MOST_CHARS = 256;

  private final GenerationFacts facts;
  private final InferenceRequest request;
  private final CallRecord call;
  private final List<Try> tries;
  private final @Nullable Candidate by;
  private final @Nullable Endpoint endpoint; // of who answers, otherwise who was tried last
  private final Json.Obj.Builder out = Json.object();

  private GenerationRecord(GenerationFacts facts) {
    this.facts = facts;
    this.request = facts.received().request();
    this.call = facts.record();
    this.tries = facts.tries();
    this.by = facts.by();
    Endpoint tried = tries.isEmpty() ? facts.replayed() : tries.getLast().endpoint();
    this.endpoint = by != null ? by.endpoint() : tried;
  }

  static Json.Obj of(GenerationFacts facts) {
    var record = new GenerationRecord(facts);
    record.identity();
    record.route();
    record.ending();
    record.counts();
    record.money();
    record.origin();
    return record.out.build();
  }

  private void identity() {
    String id = facts.received().id();
    Turn last = facts.delivering();
    out.put("id", id)
        .put("request_id", id)
        .putOrNull("upstream_id", last == null ? null : cut(last.witness().upstreamId()))
        .putOrNull("session_id", request.sessionId())
        .putOrNull("preset_id", request.origin().preset())
        .put(WORKSPACE, facts.received().caller().workspace())
        .put("app_id", Json.NULL);
  }

  private void route() {
    String requested = call.requested();
    out.putOrNull("model", endpoint == null ? null : endpoint.model())
        .putOrNull("router", requested.startsWith(ROUTERS) ? requested : null)
        .putOrNull("provider_name", endpoint == null ? null : endpoint.provider().name())
        .put("provider_responses", Json.array(tries.stream().<Json>map(this::response).toList()))
        .put("created_at", Timestamps.text(facts.received().at()))
        .put("streamed", request.streaming());
  }

  private Json.Obj response(Try one) {
    boolean delivered = one.attempted().failure() == null;
    Endpoint where = one.endpoint();
    return Json.object()
        .putOrNull("id", delivered ? cut(one.turn().witness().upstreamId()) : null)
        .put("endpoint_id", one.attempted().endpoint())
        .putOrNull("provider_name", where == null ? null : where.provider().name())
        .putOrNull("model_permaslug", where == null ? null : where.model())
        .put("status", one.attempted().status())
        .put("latency", one.attempted().nanos() / NANOS_PER_MILLI)
        .put("is_byok", one.attempted().byokKey() != null)
        .putOrNull("routed_service_tier", where == null ? null : where.serviceTier())
        .build();
  }

  private void ending() {
    Turn last = facts.delivering();
    StopReason reason = call.stopReason();
    String region = endpoint == null ? null : endpoint.provider().region();
    out.put("cancelled", call.outcome() == CallRecord.Outcome.CANCELLED)
        .putOrNull("finish_reason", finishReason(reason))
        .putOrNull("native_finish_reason", last == null ? null : cut(last.witness().nativeReason()))
        .put("api_type", "completions")
        .put("data_region", region == null ? "global" : region)
        .putOrNull("service_tier", endpoint == null ? null : endpoint.serviceTier())
        .put("is_byok", by != null && by.byokKey() != null)
        .put("latency", millis(call.firstContentNanos()))
        .put("moderation_latency", Json.NULL)
        .put("generation_time", millis(generationNanos()));
  }

  private @Nullable String finishReason(@Nullable StopReason reason) {
    return switch (reason) {
      case null -> call.outcome() == CallRecord.Outcome.ERROR ? "error" : null;
      case END, STOP_SEQUENCE, PAUSE, COMPACTION -> "stop";
      case LENGTH, CONTEXT_WINDOW -> "length";
      case TOOL_CALLS -> "tool_calls";
      case CONTENT_FILTER, REFUSAL -> "content_filter";
      case ERROR -> "error";
    };
  }

  /** From dispatching the first answer to the end of the last; -1 when there was none. */
  private long generationNanos() {
    long from = -1;
    long to = -1;
    for (Turn turn : facts.turns()) {
      AttemptLoop.Outcome.Delivers delivers = turn.delivers();
      MeteredAnswer answer = turn.answer();
      if (delivers != null && answer != null) {
        from = from < 0 ? delivers.dispatchedNanos() : from;
        to = answer.endedNanos();
      }
    }
    return from < 0 ? -1 : to - from;
  }

  private static Json millis(long nanos) {
    return nanos < 0 ? Json.NULL : Json.of(nanos / NANOS_PER_MILLI);
  }

  private void counts() {
    Usage usage = Usage.NONE;
    for (CallRecord.Line line : call.lines()) {
      usage = usage.plus(line.usage());
    }
    var media = new Media();
    request.messages().forEach(media::count);
    out.put("tokens_prompt", usage.promptTokens())
        .put("tokens_completion", usage.completionTokens())
        .put("native_tokens_prompt", usage.promptTokens())
        .put("native_tokens_completion", usage.completionTokens())
        .put("native_tokens_reasoning", usage.reasoning())
        .put("native_tokens_cached", usage.cacheRead())
        .put("native_tokens_completion_images", Json.NULL)
        .put("num_media_prompt", media.seen)
        .put("num_media_completion", usage.images())
        .put("num_input_audio_prompt", media.heard)
        .put("num_search_results", usage.searches() == 0 ? Json.NULL : Json.of(pages()))
        .put("num_fetches", Json.NULL)
        .putOrNull("web_search_engine", usage.searches() == 0 ? null : "native");
  }

  /** Of the results of a provider's own searches those are known that its answers name. */
  private long pages() {
    return facts.turns().stream().mapToLong(turn -> turn.witness().pages()).sum();
  }

  /** Counts what is no text in a prompt. */
  private static final class Media {
    private long seen;
    private long heard;

    void count(Message message) {
      message.parts().forEach(this::count);
    }

    private void count(Part part) {
      switch (part) {
        case Part.Image p -> seen++;
        case Part.Video p -> seen++;
        case Part.File p -> seen++;
        case Part.Audio p -> heard++;
        case Part.ToolResult result -> result.content().forEach(this::count);
        case Part.Text p -> {}
        case Part.ToolCall p -> {}
        case Part.Thinking p -> {}
        case Part.Refusal p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.ServerToolRun p -> {}
        case Part.Unknown p -> {}
      }
    }
  }

  private void money() {
    Usd upstream = Usd.ZERO;
    long saved = 0;
    boolean cached = false;
    for (Turn turn : facts.turns()) {
      Bill bill = turn.bill();
      AttemptLoop.Outcome.Delivers delivers = turn.delivers();
      if (bill != null && delivers != null) {
        upstream = upstream.plus(bill.prompt()).plus(bill.completion());
        Usage usage = bill.usage();
        cached |= usage.cacheRead() + usage.cacheWrite5m() + usage.cacheWrite1h() > 0;
        saved += saved(usage, delivers.candidate().endpoint());
      }
    }
    Json cost = Json.of(call.cost().dollars());
    out.put("total_cost", cost)
        .put("usage", cost)
        .put("upstream_inference_cost", Json.of(upstream.dollars()))
        .put("cache_discount", cached ? dollars(saved) : Json.NULL)
        .putOrNull("response_cache_source_id", call.cacheSource());
  }

  /** What caching saved against fresh input, in picodollars; below zero when writing cost more. */
  private long saved(Usage usage, Endpoint where) {
    Pricing pricing = where.pricing().effective(usage.promptTokens(), facts.received().at());
    long fresh = pricing.picos(Price.PROMPT);
    return usage.cacheRead() * (fresh - pricing.picos(Price.INPUT_CACHE_READ))
        + usage.cacheWrite5m() * (fresh - pricing.picos(Price.INPUT_CACHE_WRITE))
        + usage.cacheWrite1h() * (fresh - pricing.picos(Price.INPUT_CACHE_WRITE_1H));
  }

  private static Json dollars(long picos) {
    return Json.of(Usd.ofPicos(picos).dollars());
  }

  private void origin() {
    Origin origin = request.origin();
    out.put("origin", site(origin.referer()))
        .putOrNull("http_referer", origin.referer())
        .putOrNull("app_title", origin.title())
        .put(
            "app_categories", Json.array(origin.categories().stream().<Json>map(Json::of).toList()))
        .putOrNull("user_agent", origin.userAgent())
        .putOrNull("external_user", cut(request.user()));
  }

  /** Thousands of records are kept, and a caller or an upstream may say megabytes. */
  private static @Nullable String cut(@Nullable String said) {
    return said == null || said.length() <= MOST_CHARS ? said : said.substring(0, MOST_CHARS);
  }

  /** Scheme and host of an address; empty when it has none. */
  private static String site(@Nullable String referer) {
    if (referer == null) {
      return "";
    }
    try {
      URI uri = new URI(referer);
      return uri.getScheme() == null || uri.getRawAuthority() == null
          ? ""
          : uri.getScheme() + "://" + uri.getRawAuthority();
    } catch (URISyntaxException notOne) {
      return "";
    }
  }
}
