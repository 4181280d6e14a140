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
    void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", head.id())
          .put("object", "list")
          .put("model", head.model())
          .put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
    }

    @Override
    void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
      usage
          .put("prompt_tokens", used.promptTokens())
          .put("total_tokens", used.promptTokens() + used.completionTokens());
      Json.Obj given = source.object("usage");
      Json.Obj details = given == null ? null : given.object("prompt_tokens_details");
      if (details != null && kinds(details) > 1) {
        usage.put("prompt_tokens_details", details);
      }
    }
  },

  /** The answer to {@code POST /images}, in the OpenAI form. Embeddings fact sheet. */
  IMAGES {
    @Override
    void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", head.id())
          .put("created", Math.max(0, source.whole("created", head.createdSeconds())))
          .put("model", head.model());
      for (String name : SAID_OF_IMAGES) {
        if (source.get(name) instanceof Json.Str said) {
          document.put(name, said);
        }
      }
      document.put("data", Objects.requireNonNullElse(source.list("data"), Json.array()));
    }

    @Override
    void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
      long input = used.promptTokens();
      Json.Obj given = source.object("usage");
      Json.Obj details = given == null ? null : given.object("input_tokens_details");
      usage
          .put("input_tokens", input)
          .put(
              "input_tokens_details",
              details == null
                  ? Json.object().put("text_tokens", input).put("image_tokens", 0).build()
                  : details)
          .put("output_tokens", used.completionTokens())
          .put("total_tokens", input + used.completionTokens())
          .put("images", used.images());
    }
  },

  /** The answer to {@code POST /rerank}. Embeddings fact sheet, {@code /rerank}. */
  RERANK {
    @Override
    void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
      document
          .put("id", head.id())
          .put("model", head.model())
          .put("provider", head.provider())
          .put("results", Objects.requireNonNullElse(source.list("results"), Json.array()));
    }

    @Override
    void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
      putIfPositive("search_units", used.searchUnits(), usage);
      putIfPositive("total_tokens", used.promptTokens() + used.completionTokens(), usage);
    }
  },

  /** The answer to {@code POST /audio/transcriptions}. Embeddings fact sheet. */
  TRANSCRIPTION {
    @Override
    void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document) {
      document.putAll(source);
    }

    @Override
    void usage(Usage used, Json.Obj source, Json.Obj.Builder usage) {
      long input = used.promptTokens();
      long output = used.completionTokens();
      usage.put("type", input + output > 0 ? "tokens" : "duration");
      putIfPositive("seconds", used.seconds(), usage);
      if (input + output > 0) {
        usage
            .put("input_tokens", input)
            .put("output_tokens", output)
            .put("total_tokens", input + output);
      }
    }
  };

  private static final int ROOM_FOR_OURS = 1024;
  private static final List<String> MODALITIES =
      List.of("text_tokens", "image_tokens", "audio_tokens", "video_tokens", "file_tokens");
  private static final List<String> SAID_OF_IMAGES =
      List.of("background", "output_format", "quality", "size");

  /**
   * Puts the members before the usage.
   *
   * @param source what was judged to be the answer
   */
  abstract void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document);

  /**
   * Puts the members of the usage, except its cost.
   *
   * @param source what was judged to be the answer
   */
  abstract void usage(Usage used, Json.Obj source, Json.Obj.Builder usage);

  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    throw new IllegalStateException("the answer is never streamed");
  }

  @Override
  public @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    Json.Obj source = answer.source(Dialect.CHAT);
    if (answer.failed() != null || source == null) {
      return null;
    }
    Bill bill = reply.answer().bill();
    Usage used = bill != null ? bill.usage() : answer.answer().usage();
    Json.Obj.Builder document = Json.object();
    body(AnswerHeader.of(reply), source, document);
    Json.Obj.Builder usage = Json.object();
    usage(used == null ? Usage.NONE : used, source, usage);
    CostMembers.put(bill, usage);
    document.put("usage", usage.build());
    if (metadata) {
      document.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = JsonOutput.splicing(ROOM_FOR_OURS);
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
  private static long kinds(Json.Obj details) {
    return MODALITIES.stream().filter(name -> details.whole(name, 0) > 0).count();
  }
}
