package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;

/** The answer to {@code POST /embeddings}. Embeddings fact sheet. */
public final class EmbeddingsFormat implements UnaryFormat {
  private static final String DETAILS = "prompt_tokens_details";
  private static final List<String> MODALITIES =
      List.of("text_tokens", "image_tokens", "audio_tokens", "video_tokens", "file_tokens");

  @Override
  public void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
    document
        .put("id", head.id())
        .put("object", "list")
        .put("model", head.model())
        .put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
  }

  @Override
  public void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
    usage
        .put("prompt_tokens", used.promptTokens())
        .put("total_tokens", used.promptTokens() + used.completionTokens());
    Json.Obj given = source.object("usage");
    Json.Obj details = given == null ? null : given.object(DETAILS);
    if (details != null && kinds(details) > 1) {
      usage.put(DETAILS, details);
    }
  }

  /** How many kinds of input the upstream counted: of one kind the total says it all. */
  private static long kinds(Json.Obj details) {
    return MODALITIES.stream().filter(name -> details.whole(name, 0) > 0).count();
  }
}
