package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.Objects;

/** The answer to {@code POST /rerank}. Embeddings fact sheet, {@code /rerank}. */
public final class RerankFormat implements UnaryFormat {
  @Override
  public void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
    document
        .put("id", head.id())
        .put("model", head.model())
        .put("provider", head.provider())
        .put("results", Objects.requireNonNullElse(source.list("results"), Json.array()));
  }

  @Override
  public void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
    UnaryFormat.putSome("search_units", used.searchUnits(), usage);
    UnaryFormat.putSome("total_tokens", used.promptTokens() + used.completionTokens(), usage);
  }
}
