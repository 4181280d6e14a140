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
  private static final int MAX_LIKELY = 20;
  private static final String JSON = "application/json";

  private final GeminiWriteContext geminiWriteContext;
  private final GenerationParameters settings;
  private final Json.Obj.Builder config = Json.object();

  GenerationConfigWriter(GeminiWriteContext geminiWriteContext) {
    this.geminiWriteContext = geminiWriteContext;
    this.settings = geminiWriteContext.call().request().generationParameters();
  }

  /**
   * @param resolution the resolution of images; null when none was requested
   */
  Json.Obj json(@Nullable String resolution) {
    long limit = limit(geminiWriteContext);
    if (limit > 0) {
      config.put("maxOutputTokens", limit);
    }
    settings.values().forEach(this::value);
    stop();
    format();
    modalities(settings.dialectMembers().get(MODALITIES));
    if (resolution != null) {
      config.put("mediaResolution", resolution);
    }
    Json.Obj thinking = new ThinkingConfig(geminiWriteContext).json();
    if (thinking != null) {
      config.put("thinkingConfig", thinking);
    }
    return config.build();
  }

  /** Returns the limit of output tokens; 0 when there is none. */
  static int limit(GeminiWriteContext geminiWriteContext) {
    int cap = geminiWriteContext.call().outputCap();
    return cap > 0 ? cap : geminiWriteContext.call().request().maxOutputTokens();
  }

  private void value(Parameter parameter, Json value) {
    if (value instanceof Json.Null) {
      return;
    }
    String name = name(parameter);
    if (name == null) {
      geminiWriteContext.losses().dropped(parameter.wireName(), "this dialect has none");
    } else if (geminiWriteContext.takes(parameter)) {
      switch (parameter) {
        case SEED -> seed(value);
        case TOP_LOGPROBS -> likely(value);
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
  private void seed(Json value) {
    long seed =
        value instanceof Json.Num num ? num.asLong().orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
    if (seed < Integer.MIN_VALUE || seed > Integer.MAX_VALUE) {
      geminiWriteContext.losses().dropped("seed", "must be of 32 bits");
    } else {
      config.put("seed", seed);
    }
  }

  /**
   * Requests the top log probabilities; this dialect needs {@code responseLogprobs} for that as
   * well.
   */
  private void likely(Json value) {
    long count = value instanceof Json.Num num ? num.asLong().orElse(0) : 0;
    boolean wanted = !Json.FALSE.equals(settings.value(Parameter.LOGPROBS));
    if (count > 0 && wanted) {
      config.put("responseLogprobs", true).put("logprobs", Math.min(count, MAX_LIKELY));
    }
  }

  private void stop() {
    List<String> given = settings.stop().stream().filter(text -> !text.isEmpty()).toList();
    if (given.isEmpty() || !geminiWriteContext.takes(Parameter.STOP)) {
      return;
    }
    if (given.size() > MAX_STOPS) {
      geminiWriteContext.losses().changed("stop", "only the first " + MAX_STOPS + " are taken");
    }
    config.put("stopSequences", Json.array(given.stream().limit(MAX_STOPS).map(Json::of).toList()));
  }

  private void format() {
    OutputFormat format = settings.format();
    switch (format) {
      case null -> {}
      case OutputFormat.Text plain -> {}
      case OutputFormat.JsonObject any -> {
        if (geminiWriteContext.takes(Parameter.RESPONSE_FORMAT)) {
          config.put("responseMimeType", JSON);
        }
      }
      case OutputFormat.JsonSchema schema -> schema(schema.schema());
      case OutputFormat.Other(String type, Json source) ->
          geminiWriteContext
              .losses()
              .dropped("response_format", "a format of type " + type + " has no form");
    }
  }

  /** Requests the schema, or just JSON where the endpoint takes no schemas. */
  private void schema(Json.@Nullable Obj schema) {
    boolean held = geminiWriteContext.call().endpoint().supports(Parameter.STRUCTURED_OUTPUTS);
    if (!held && !geminiWriteContext.takes(Parameter.RESPONSE_FORMAT)) {
      return;
    }
    config.put("responseMimeType", JSON);
    if (!held) {
      geminiWriteContext
          .losses()
          .changed("response_format", "JSON of any form: the endpoint takes no schema");
    } else if (schema != null && schema.size() > 0) {
      config.put(
          "responseSchema", new GeminiSchemaWriter(schema, geminiWriteContext.losses()).write());
    }
  }

  private void modalities(@Nullable Json given) {
    if (!(given instanceof Json.Arr names)) {
      return;
    }
    var known = new ArrayList<Json>();
    for (Json name : names) {
      String word =
          name instanceof Json.Str text ? MODALITY.get(text.text().toLowerCase(Locale.ROOT)) : null;
      if (word == null) {
        geminiWriteContext.losses().dropped(MODALITIES, "one this dialect does not know");
      } else {
        known.add(Json.of(word));
      }
    }
    if (!known.isEmpty()) {
      config.put("responseModalities", Json.array(known));
    }
  }

  private static final Map<String, String> MODALITY =
      Map.of("text", "TEXT", "image", "IMAGE", "audio", "AUDIO");
}
