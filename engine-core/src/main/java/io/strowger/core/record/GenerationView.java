package io.strowger.core.record;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.record.GenerationRow.AttemptCost;
import io.strowger.core.record.GenerationRow.Counts;
import io.strowger.core.record.GenerationRow.Ending;
import io.strowger.core.record.GenerationRow.Finish;
import io.strowger.core.record.GenerationRow.Identity;
import io.strowger.core.record.GenerationRow.Money;
import io.strowger.core.record.GenerationRow.Response;
import io.strowger.core.record.GenerationRow.Route;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.store.GenerationStore.Generation;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Shows a stored generation as {@code GET /generation} does. Times are whole milliseconds, money US
 * dollars; unknown values are null. The engine has no token counts but the upstream's, so native
 * tokens equal tokens. Resources fact sheet, section 7.
 */
public final class GenerationView {
  private static final String WORKSPACE = "workspace_id";

  private static final int MAX_DEPTH = 1_000;
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** Reads practically without limits, because the JSON was written here within narrower limits. */
  private static final JacksonCodec CODEC =
      new JacksonCodec(
          new JsonLimits(MAX_DEPTH, UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED));

  private GenerationView() {}

  /**
   * Returns the workspace of a generation; null when its row names none.
   *
   * @throws UnreadableRowException as {@link GenerationRow#of}
   */
  public static @Nullable String workspace(Generation generation) {
    return isJson(generation.row())
        ? parse(generation.row()).text(WORKSPACE)
        : GenerationRow.of(generation.row()).identity().workspace();
  }

  /**
   * Returns the generation as JSON, without its content.
   *
   * @throws UnreadableRowException as {@link GenerationRow#of}
   */
  public static Json.Obj of(Generation generation) {
    return isJson(generation.row())
        ? parse(generation.row())
        : of(generation, GenerationRow.of(generation.row()));
  }

  /**
   * Returns the content of a generation; null when it was not kept.
   *
   * @throws UnreadableRowException when the content is damaged
   */
  public static Json.@Nullable Obj content(Generation generation) {
    byte[] content = generation.content();
    return content == null ? null : parse(content);
  }

  /** Returns whether a row is JSON, as earlier versions wrote it. */
  private static boolean isJson(byte[] row) {
    return row.length > 0 && row[0] == '{';
  }

  private static Json.Obj parse(byte[] json) {
    try {
      if (CODEC.parse(json) instanceof Json.Obj object) {
        return object;
      }
    } catch (MalformedJsonException damaged) {
      throw new UnreadableRowException("the stored JSON is damaged: " + damaged.getMessage());
    }
    throw new UnreadableRowException("the stored JSON is damaged: it is not an object");
  }

  private static Json.Obj of(Generation generation, GenerationRow row) {
    Json.Obj.Builder out = Json.object();
    identity(out, generation.id(), row.identity());
    route(out, row.route());
    out.put("created_at", Timestamps.format(generation.at()));
    ending(out, row.ending(), row.route());
    counts(out, row.counts());
    money(out, row.money());
    sender(out, row.sender());
    return out.build();
  }

  private static void identity(Json.Obj.Builder out, String id, Identity identity) {
    out.put("id", id)
        .put("request_id", id)
        .putOrNull("upstream_id", identity.upstream())
        .putOrNull("session_id", identity.session())
        .putOrNull("preset_id", identity.preset())
        .put(WORKSPACE, identity.workspace())
        .put("app_id", Json.NULL);
  }

  private static void route(Json.Obj.Builder out, Route route) {
    out.putOrNull("model", route.model())
        .putOrNull("router", route.router())
        .putOrNull("provider_name", route.provider())
        .put(
            "provider_responses",
            Json.array(route.responses().stream().<Json>map(GenerationView::response).toList()));
  }

  private static Json.Obj response(Response response) {
    var out = Json.object();
    out.putOrNull("id", response.id())
        .put("endpoint_id", response.endpoint())
        .putOrNull("provider_name", response.provider())
        .putOrNull("model_permaslug", response.model())
        .put("status", response.status())
        .put("latency", response.latencyMillis())
        .put("is_byok", response.usedByokKey())
        .putOrNull("routed_service_tier", response.serviceTier());
    AttemptCost attemptCost = response.attemptCost();
    if (attemptCost != null) {
      out.put("cost", attemptCost.cost().json());
      if (attemptCost.innerCall() != null) {
        out.put("inner_call", attemptCost.innerCall());
      }
    }
    return out.build();
  }

  private static void ending(Json.Obj.Builder out, Ending ending, Route route) {
    Finish finish = ending.finish();
    String region = route.region();
    out.put("streamed", ending.streamed())
        .put("cancelled", ending.cancelled())
        .putOrNull("finish_reason", finish == null ? null : finish.wireName())
        .putOrNull("native_finish_reason", ending.nativeFinish())
        .put("api_type", apiType(ending.kind()))
        .put("data_region", region == null ? "global" : region)
        .putOrNull("service_tier", route.serviceTier())
        .put("is_byok", ending.usedByokKey())
        .put("latency", millis(ending.latencyMillis()))
        .put("moderation_latency", Json.NULL)
        .put("generation_time", millis(ending.generationMillis()));
  }

  private static String apiType(Endpoint.Kind kind) {
    return switch (kind) {
      case CHAT -> "completions";
      case EMBEDDINGS -> "embeddings";
      case SPEECH -> "tts";
      case RERANK -> "rerank";
      case IMAGES -> "image";
      case TRANSCRIPTIONS -> "stt";
    };
  }

  private static Json millis(long millis) {
    return millis < 0 ? Json.NULL : Json.of(millis);
  }

  private static void counts(Json.Obj.Builder out, Counts counts) {
    boolean searched = counts.citedPages() >= 0;
    out.put("tokens_prompt", counts.prompt())
        .put("tokens_completion", counts.completion())
        .put("native_tokens_prompt", counts.prompt())
        .put("native_tokens_completion", counts.completion())
        .put("native_tokens_reasoning", counts.reasoning())
        .put("native_tokens_cached", counts.cacheRead())
        .put("native_tokens_completion_images", Json.NULL)
        .put("num_media_prompt", counts.media())
        .put("num_media_completion", counts.images())
        .put("num_input_audio_prompt", counts.audio())
        .put("num_search_results", searched ? Json.of(counts.citedPages()) : Json.NULL)
        .put("num_fetches", Json.NULL)
        .putOrNull("web_search_engine", searched ? "native" : null);
  }

  private static void money(Json.Obj.Builder out, Money money) {
    Json cost = money.total().json();
    Usd discount = money.cacheDiscount();
    out.put("total_cost", cost)
        .put("usage", cost)
        .put("upstream_inference_cost", money.upstream().json())
        .put("cache_discount", discount == null ? Json.NULL : discount.json())
        .putOrNull("response_cache_source_id", money.cachedGeneration());
  }

  private static void sender(Json.Obj.Builder out, GenerationRow.Sender sender) {
    RequestOrigin origin = sender.origin();
    out.put("origin", site(origin.referer()))
        .putOrNull("http_referer", origin.referer())
        .putOrNull("app_title", origin.title())
        .put(
            "app_categories", Json.array(origin.categories().stream().<Json>map(Json::of).toList()))
        .putOrNull("user_agent", origin.userAgent())
        .putOrNull("external_user", sender.user());
  }

  /** Returns the scheme and the authority of an address; empty when it lacks one of them. */
  private static String site(@Nullable String referer) {
    if (referer == null) {
      return "";
    }
    try {
      URI uri = new URI(referer);
      return uri.getScheme() == null || uri.getRawAuthority() == null
          ? ""
          : uri.getScheme() + "://" + uri.getRawAuthority();
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
