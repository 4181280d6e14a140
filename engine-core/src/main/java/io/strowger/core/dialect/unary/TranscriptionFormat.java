package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;

/** The answer to {@code POST /audio/transcriptions}. Embeddings fact sheet. */
public final class TranscriptionFormat implements UnaryFormat {
  @Override
  public void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
    document.putAll(source);
  }

  @Override
  public void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
    long input = used.promptTokens();
    long output = used.completionTokens();
    usage.put("type", input + output > 0 ? "tokens" : "duration");
    UnaryFormat.putSome("seconds", used.seconds(), usage);
    if (input + output > 0) {
      usage
          .put("input_tokens", input)
          .put("output_tokens", output)
          .put("total_tokens", input + output);
    }
  }
}
