package io.strowger.plugins.responsehealing;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * Repairs the answers to requests that want JSON and want it at once; lets all others pass.
 *
 * @param schema answers are also checked against the schema of the request
 */
record ResponseHealing(boolean schema) implements Interceptor {
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

  /** Null when nobody asked for it, or the request has no schema. */
  private @Nullable SchemaRepair repair(
      InferenceRequest request, @Nullable OutputFormat format, AnswerHealer healer, Chain chain) {
    return schema && format instanceof OutputFormat.JsonSchema wanted && wanted.schema() != null
        ? new SchemaRepair(request, wanted.schema(), healer, chain)
        : null;
  }
}
