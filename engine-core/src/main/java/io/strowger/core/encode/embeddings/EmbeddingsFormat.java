package io.strowger.core.encode.embeddings;

import io.strowger.core.encode.AnswerFormat;
import io.strowger.core.encode.Collected;
import io.strowger.core.encode.Cost;
import io.strowger.core.encode.EventWriter;
import io.strowger.core.encode.Head;
import io.strowger.core.encode.RouterMetadata;
import io.strowger.core.flow.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Embeddings as one document; there is no stream of them. Each embedding keeps the bytes it came
 * as. Embeddings fact sheet.
 */
public final class EmbeddingsFormat implements AnswerFormat {
  private static final int ROOM_FOR_OURS = 1024;
  private static final String DETAILS = "prompt_tokens_details";
  private static final List<String> MODALITIES =
      List.of("text_tokens", "image_tokens", "audio_tokens", "video_tokens", "file_tokens");

  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    throw new IllegalStateException("embeddings are never streamed");
  }

  @Override
  public @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, Collected answer, boolean metadata) {
    Json.Obj source = answer.source(Dialect.CHAT);
    if (answer.failed() != null || source == null) {
      return null;
    }
    Bill bill = reply.answer().bill();
    Usage used = bill != null ? bill.usage() : answer.answer().usage();
    Json.Obj.Builder document =
        Json.object()
            .put("id", reply.id())
            .put("object", "list")
            .put("model", Head.of(reply).model())
            .put("data", Objects.requireNonNullElse(source.list("data"), Json.array()))
            .put("usage", usage(used == null ? Usage.NONE : used, bill, source.object("usage")));
    if (metadata) {
      document.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = JsonOutput.splicing(ROOM_FOR_OURS);
    document.build().writeTo(out);
    return out;
  }

  private static Json.Obj usage(Usage usage, @Nullable Bill bill, Json.@Nullable Obj given) {
    Json.Obj.Builder body =
        Json.object()
            .put("prompt_tokens", usage.promptTokens())
            .put("total_tokens", usage.promptTokens() + usage.completionTokens());
    Json.Obj details = given == null ? null : given.object(DETAILS);
    if (details != null && kinds(details) > 1) {
      body.put(DETAILS, details);
    }
    Cost.put(bill, body);
    return body.build();
  }

  /** How many kinds of input the upstream counted: of one kind the total says it all. */
  private static long kinds(Json.Obj details) {
    return MODALITIES.stream().filter(name -> details.whole(name, 0) > 0).count();
  }
}
