package io.strowger.providers.gemini;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.OutputFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes {@code generationConfig}. Translation fact sheet, section 1. */
final class GenerationConfigWriter {
  /** The only untyped member of the callers' dialects that this dialect can express. */
  static final String MODALITIES = "modalities";

  private static final int MAX_STOPS = 5;
  private static final int MAX_TOP_LOGPROBS = 20;
  private static final String JSON = "application/json";

  private final GeminiWriteContext context;
  private final GenerationParameters parameters;
  private final Json.Obj.Builder config = Json.object();

  GenerationConfigWriter(GeminiWriteContext context) {
    this.context = context;
    this.parameters = context.call().request().generationParameters();
  }

  /**
   * Returns the {@code generationConfig}; empty when the request sets none of its members.
   *
   * @param resolution the resolution of images; null when none was requested
   */
  Json.Obj json(@Nullable String resolution) {
    long limit = limit(context);
    if (limit > 0) {
      config.put("maxOutputTokens", limit);
    }
    parameters.values().forEach(this::writeValue);
    writeStop();
    writeFormat();
    writeModalities(parameters.dialectMembers().get(MODALITIES));
    if (resolution != null) {
      config.put("mediaResolution", resolution);
    }
    Json.Obj thinking = new ThinkingConfigWriter(context).json();
    if (thinking != null) {
      config.put("thinkingConfig", thinking);
    }
    return config.build();
  }

  /** Returns the limit of output tokens; 0 when there is none. */
  static int limit(GeminiWriteContext context) {
    int cap = context.call().outputCap();
    return cap > 0 ? cap : context.call().request().maxOutputTokens();
  }

  private void writeValue(Parameter parameter, Json value) {
    if (value instanceof Json.Null) {
      return;
    }
    String name = name(parameter);
    if (name == null) {
      context.losses().dropped(parameter.wireName(), "has no form in this dialect");
    } else if (context.accepts(parameter)) {
      switch (parameter) {
        case SEED -> writeSeed(value);
        case TOP_LOGPROBS -> writeTopLogprobs(value);
        default -> config.put(name, value);
      }
    }
  }

  /** Returns the parameter's name in this dialect; null when it has none. */
  private static @Nullable String name(Parameter parameter) {
    return switch (parameter) {
      case TEMPERATURE -> "temperature";
      case TOP_P -> "topP";
      case TOP_K -> "topK";
      case SEED -> "seed";
      case PRESENCE_PENALTY -> "presencePenalty";
      case FREQUENCY_PENALTY -> "frequencyPenalty";
      case LOGPROBS -> "responseLogprobs";
      case TOP_LOGPROBS -> "logprobs";
      default -> null; // no form here, or typed and written elsewhere
    };
  }

  /** Writes the seed, which must fit in 32 bits in this dialect. */
  private void writeSeed(Json value) {
    long seed =
        value instanceof Json.Num num ? num.asLong().orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
    if (seed < Integer.MIN_VALUE || seed > Integer.MAX_VALUE) {
      context.losses().dropped("seed", "does not fit in 32 bits");
    } else {
      config.put("seed", seed);
    }
  }

  /**
   * Requests the top log probabilities; this dialect needs {@code responseLogprobs} for that as
   * well.
   */
  private void writeTopLogprobs(Json value) {
    long count = value instanceof Json.Num num ? num.asLong().orElse(0) : 0;
    boolean isEnabled = !Json.FALSE.equals(parameters.value(Parameter.LOGPROBS));
    if (count > 0 && isEnabled) {
      config.put("responseLogprobs", true).put("logprobs", Math.min(count, MAX_TOP_LOGPROBS));
    }
  }

  private void writeStop() {
    List<String> stops =
        parameters.stopSequences().stream().filter(text -> !text.isEmpty()).toList();
    if (stops.isEmpty() || !context.accepts(Parameter.STOP)) {
      return;
    }
    if (stops.size() > MAX_STOPS) {
      context.losses().changed("stop", "only the first " + MAX_STOPS + " are sent");
    }
    config.put("stopSequences", Json.array(stops.stream().limit(MAX_STOPS).map(Json::of).toList()));
  }

  private void writeFormat() {
    OutputFormat format = parameters.format();
    switch (format) {
      case null -> {}
      case OutputFormat.Text plain -> {}
      case OutputFormat.JsonObject any -> {
        if (context.accepts(Parameter.RESPONSE_FORMAT)) {
          config.put("responseMimeType", JSON);
        }
      }
      case OutputFormat.JsonSchema schema -> writeSchema(schema.schema());
      case OutputFormat.Other(String type, Json source) ->
          context
              .losses()
              .dropped(
                  "response_format", "a format of type " + type + " has no form in this dialect");
    }
  }

  /** Requests the schema, or just JSON where the endpoint takes no schemas. */
  private void writeSchema(Json.@Nullable Obj schema) {
    boolean isSupported = context.call().endpoint().supports(Parameter.STRUCTURED_OUTPUTS);
    if (!isSupported && !context.accepts(Parameter.RESPONSE_FORMAT)) {
      return;
    }
    config.put("responseMimeType", JSON);
    if (!isSupported) {
      context
          .losses()
          .changed(
              "response_format", "became JSON of any form, since the endpoint accepts no schema");
    } else if (schema != null && schema.size() > 0) {
      config.put("responseSchema", new GeminiSchemaWriter(schema, context.losses()).write());
    }
  }

  private void writeModalities(@Nullable Json value) {
    if (!(value instanceof Json.Arr names)) {
      return;
    }
    var modalities = new ArrayList<Json>();
    for (Json name : names) {
      String modality =
          name instanceof Json.Str text
              ? MODALITY_NAMES.get(text.text().toLowerCase(Locale.ROOT))
              : null;
      if (modality == null) {
        context.losses().dropped(MODALITIES, "one of them has no form in this dialect");
      } else {
        modalities.add(Json.of(modality));
      }
    }
    if (!modalities.isEmpty()) {
      config.put("responseModalities", Json.array(modalities));
    }
  }

  private static final Map<String, String> MODALITY_NAMES =
      Map.of("text", "TEXT", "image", "IMAGE", "audio", "AUDIO");
}
