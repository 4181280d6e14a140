package io.strowger.telemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.doubleKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringArrayKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.StopReason;
import java.util.List;

/**
 * The names of attributes and events. Those that begin with {@code gen_ai} are of the GenAI
 * semantic conventions, which are not stable yet: when they change, this file does.
 */
final class SpanNames {
  static final AttributeKey<String> OPERATION = stringKey("gen_ai.operation.name");
  static final AttributeKey<String> PROVIDER = stringKey("gen_ai.provider.name");
  static final AttributeKey<String> REQUEST_MODEL = stringKey("gen_ai.request.model");
  static final AttributeKey<String> RESPONSE_MODEL = stringKey("gen_ai.response.model");
  static final AttributeKey<String> RESPONSE_ID = stringKey("gen_ai.response.id");
  static final AttributeKey<List<String>> FINISH_REASONS =
      stringArrayKey("gen_ai.response.finish_reasons");
  static final AttributeKey<Long> INPUT_TOKENS = longKey("gen_ai.usage.input_tokens");
  static final AttributeKey<Long> OUTPUT_TOKENS = longKey("gen_ai.usage.output_tokens");
  static final AttributeKey<Long> CACHE_READ = longKey("gen_ai.usage.cache_read.input_tokens");
  static final AttributeKey<Long> CACHE_CREATION =
      longKey("gen_ai.usage.cache_creation.input_tokens");
  static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
  static final AttributeKey<Long> STATUS_CODE = longKey("http.response.status_code");

  static final AttributeKey<String> ENDPOINT = stringKey("strowger.endpoint");
  static final AttributeKey<Long> ATTEMPT = longKey("strowger.attempt");
  static final AttributeKey<String> INNER_CALL = stringKey("strowger.inner_call");
  static final AttributeKey<String> CACHE_SOURCE = stringKey("strowger.cache.source");
  static final AttributeKey<Boolean> ESTIMATED = booleanKey("strowger.usage.estimated");
  static final AttributeKey<Double> COST = doubleKey("strowger.cost.usd");
  static final AttributeKey<Long> CANDIDATES = longKey("strowger.candidates");
  static final AttributeKey<String> HOLD_PURPOSE = stringKey("strowger.hold.for");
  static final AttributeKey<Double> HOLD_AMOUNT = doubleKey("strowger.hold.usd");

  static final String PLAN = "strowger.plan";
  static final String HOLD = "strowger.hold";
  static final String FIRST_CONTENT = "strowger.first_content";

  /** The {@link #ERROR_TYPE} of a call or attempt that was cancelled. */
  static final String CANCELLED = "cancelled";

  private SpanNames() {}

  /**
   * Returns {@link #OPERATION} for a kind of request; the conventions define only those of chat and
   * embeddings.
   */
  static String operation(Endpoint.Kind kind) {
    return switch (kind) {
      case CHAT -> "chat";
      case EMBEDDINGS -> "embeddings";
      case SPEECH -> "speech";
      case RERANK -> "rerank";
      case IMAGES -> "generate_images";
      case TRANSCRIPTIONS -> "transcribe";
    };
  }

  /** Returns one of {@link #FINISH_REASONS}, in the word most providers use. */
  static String finishReason(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE -> "stop";
      case LENGTH, CONTEXT_WINDOW -> "length";
      case TOOL_CALLS -> "tool_calls";
      case CONTENT_FILTER -> "content_filter";
      case REFUSAL -> "refusal";
      case PAUSE -> "pause";
      case COMPACTION -> "compaction";
      case ERROR -> "error";
    };
  }
}
