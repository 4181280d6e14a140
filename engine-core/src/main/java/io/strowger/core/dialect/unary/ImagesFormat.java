package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;

/** The answer to {@code POST /images}, in the OpenAI form. Embeddings fact sheet. */
public final class ImagesFormat implements UnaryFormat {
  private static final String DETAILS = "input_tokens_details";
  private static final List<String> SAID =
      List.of("background", "output_format", "quality", "size");

  @Override
  public void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
    document
        .put("id", head.id())
        .put("created", Math.max(0, source.whole("created", head.createdSeconds())))
        .put("model", head.model());
    for (String name : SAID) {
      if (source.get(name) instanceof Json.Str said) {
        document.put(name, said);
      }
    }
    document.put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
  }

  @Override
  public void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
    long input = used.promptTokens();
    Json.Obj given = source.object("usage");
    Json.Obj details = given == null ? null : given.object(DETAILS);
    usage
        .put("input_tokens", input)
        .put(
            DETAILS,
            details == null
                ? Json.object().put("text_tokens", input).put("image_tokens", 0).build()
                : details)
        .put("output_tokens", used.completionTokens())
        .put("total_tokens", input + used.completionTokens())
        .put("images", used.images());
  }
}
