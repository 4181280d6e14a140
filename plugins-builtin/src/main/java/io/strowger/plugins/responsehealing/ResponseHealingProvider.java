package io.strowger.plugins.responsehealing;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * Repairs the syntax of a JSON answer that is not streamed: missing brackets and quotes, fences and
 * words around the JSON, extra or missing commas, names without quotes and the like. Valid JSON is
 * not changed, whatever its schema says, unless {@code "schema":true} asks for it: then an answer
 * that does not fit the schema of the request is sent back to the model once, with all problems.
 * That turn is routed and billed like any other. If the second answer does not fit either, it is
 * returned unchanged, and the trace says so.
 *
 * <p>Contract: "Plugins", {@code response-healing}; plugins fact sheet, section 8.
 */
public final class ResponseHealingProvider implements PluginProvider {
  static final String ID = "response-healing";

  /** Whether answers are checked against the schema of the request. */
  static final Field<Boolean> SCHEMA =
      Fields.bool(
          "schema",
          false,
          "Whether the answer is checked against its JSON Schema, and the model is asked "
              + "once to correct it.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor(ID).order(600).fields(SCHEMA).build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new ResponseHealing(config.get(SCHEMA));
  }

  /**
   * Repairs the answers to requests for JSON that do not stream; passes all others on unchanged.
   *
   * @param checksSchema whether answers are also checked against the schema of the request
   */
  record ResponseHealing(boolean checksSchema) implements Interceptor {
    @Override
    public Scope scope() {
      return Scope.REQUEST;
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      OutputFormat format = request.generationParameters().format();
      AnswerHealer healer = request.streaming() ? null : AnswerHealer.of(format);
      EventStream answer = chain.proceed(request);
      return healer == null
          ? answer
          : new HealingStream(
              answer, healer, repair(request, format, healer, chain), request.dialect(), chain);
    }

    /** Returns the schema repair; null when it is not requested or the request has no schema. */
    private @Nullable SchemaRepair repair(
        InferenceRequest request, @Nullable OutputFormat format, AnswerHealer healer, Chain chain) {
      return checksSchema
              && format instanceof OutputFormat.JsonSchema schemaFormat
              && schemaFormat.schema() != null
          ? new SchemaRepair(request, schemaFormat.schema(), healer, chain)
          : null;
    }
  }
}
