package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.CostMembers;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
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
 * Writes an answer as one document, never as a stream. The provider's values keep their original
 * bytes. Embeddings fact sheet.
 */
public enum UnaryFormat implements AnswerFormat {
  /** The answer to {@code POST /embeddings}. Embeddings fact sheet. */
  EMBEDDINGS {
    @Override
    void putBody(AnswerHeader header, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", header.id())
          .put("object", "list")
          .put("model", header.model())
          .put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
    }

    @Override
    void putUsage(Usage billedUsage, Json.Obj source, Json.Obj.Builder usage) {
      usage
          .put("prompt_tokens", billedUsage.promptTokens())
          .put("total_tokens", billedUsage.promptTokens() + billedUsage.completionTokens());
      Json.Obj upstreamUsage = source.object("usage");
      Json.Obj details =
          upstreamUsage == null ? null : upstreamUsage.object("prompt_tokens_details");
      if (details != null && countModalities(details) > 1) {
        usage.put("prompt_tokens_details", details);
      }
    }
  },

  /** The answer to {@code POST /images}, in the OpenAI form. Embeddings fact sheet. */
  IMAGES {
    @Override
    void putBody(AnswerHeader header, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", header.id())
          .put("created", Math.max(0, source.longValue("created", header.createdSeconds())))
          .put("model", header.model());
      for (String name : IMAGE_MEMBERS) {
        if (source.get(name) instanceof Json.Str value) {
          document.put(name, value);
        }
      }
      document.put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
    }

    @Override
    void putUsage(Usage billedUsage, Json.Obj source, Json.Obj.Builder usage) {
      long input = billedUsage.promptTokens();
      Json.Obj upstreamUsage = source.object("usage");
      Json.Obj details =
          upstreamUsage == null ? null : upstreamUsage.object("input_tokens_details");
      usage
          .put("input_tokens", input)
          .put(
              "input_tokens_details",
              details == null
                  ? Json.object().put("text_tokens", input).put("image_tokens", 0).build()
                  : details)
          .put("output_tokens", billedUsage.completionTokens())
          .put("total_tokens", input + billedUsage.completionTokens())
          .put("images", billedUsage.images());
    }
  },

  /** The answer to {@code POST /rerank}. Embeddings fact sheet, {@code /rerank}. */
  RERANK {
    @Override
    void putBody(AnswerHeader header, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", header.id())
          .put("model", header.model())
          .put("provider", header.provider())
          .put("results", Objects.requireNonNullElse(source.list("results"), Json.array()));
    }

    @Override
    void putUsage(Usage billedUsage, Json.Obj source, Json.Obj.Builder usage) {
      putIfPositive("search_units", billedUsage.searchUnits(), usage);
      putIfPositive(
          "total_tokens", billedUsage.promptTokens() + billedUsage.completionTokens(), usage);
    }
  },

  /** The answer to {@code POST /audio/transcriptions}. Embeddings fact sheet. */
  TRANSCRIPTION {
    @Override
    void putBody(AnswerHeader header, Json.Obj source, Json.Obj.Builder document) {
      document.putAll(source);
    }

    @Override
    void putUsage(Usage billedUsage, Json.Obj source, Json.Obj.Builder usage) {
      long input = billedUsage.promptTokens();
      long output = billedUsage.completionTokens();
      usage.put("type", input + output > 0 ? "tokens" : "duration");
      putIfPositive("seconds", billedUsage.seconds(), usage);
      if (input + output > 0) {
        usage
            .put("input_tokens", input)
            .put("output_tokens", output)
            .put("total_tokens", input + output);
      }
    }
  };

  private static final int OWN_MEMBERS_BYTES = 1024;
  private static final List<String> MODALITIES =
      List.of("text_tokens", "image_tokens", "audio_tokens", "video_tokens", "file_tokens");
  private static final List<String> IMAGE_MEMBERS =
      List.of("background", "output_format", "quality", "size");

  /**
   * Puts the members before the usage.
   *
   * @param source the upstream's document, which was already checked
   */
  abstract void putBody(AnswerHeader header, Json.Obj source, Json.Obj.Builder document);

  /**
   * Puts the members of the usage, except its cost.
   *
   * @param source the upstream's document, which was already checked
   */
  abstract void putUsage(Usage billedUsage, Json.Obj source, Json.Obj.Builder usage);

  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    throw new IllegalStateException("the answer is never streamed");
  }

  @Override
  public @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    Json.Obj source = answer.source(Dialect.CHAT);
    if (answer.failure() != null || source == null) {
      return null;
    }
    Bill bill = reply.answer().bill();
    Usage billedUsage = bill != null ? bill.usage() : answer.answer().usage();
    Json.Obj.Builder document = Json.object();
    putBody(AnswerHeader.of(reply), source, document);
    Json.Obj.Builder usage = Json.object();
    putUsage(billedUsage == null ? Usage.NONE : billedUsage, source, usage);
    CostMembers.put(bill, usage);
    document.put("usage", usage.build());
    if (metadata) {
      document.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = JsonOutput.withByteReferences(OWN_MEMBERS_BYTES);
    document.build().writeTo(out);
    return out;
  }

  /** Puts a count that is not 0. */
  private static void putIfPositive(String name, long count, Json.Obj.Builder usage) {
    if (count > 0) {
      usage.put(name, count);
    }
  }

  /**
   * Returns how many kinds of input the upstream counted. For a single kind the details would only
   * repeat the total.
   */
  private static long countModalities(Json.Obj details) {
    return MODALITIES.stream().filter(name -> details.longValue(name, 0) > 0).count();
  }
}
