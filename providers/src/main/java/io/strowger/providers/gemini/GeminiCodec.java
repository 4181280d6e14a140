package io.strowger.providers.gemini;

import com.google.common.escape.Escaper;
import com.google.common.net.PercentEscaper;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.TokenCounting;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The gemini dialect. The URI names the model and says whether the answer is to be streamed.
 *
 * <p>Contract: translation fact sheet. Contract test: {@code GeminiContractTest}.
 */
final class GeminiCodec implements UpstreamCodec {
  static final String PROTOCOL = "gemini";

  /** The format of the signatures that these upstreams send and accept. */
  static final String FORMAT = "google-gemini-v1";

  private static final List<String> COLLECTIONS =
      List.of("models/", "tunedModels/", "publishers/", "projects/");

  /** Escapes all but plain characters, since a colon in the name would separate path and method. */
  private static final Escaper NAME_ESCAPER = new PercentEscaper("-._~", false);

  private static final Escaper PATH_ESCAPER = new PercentEscaper("-._~/", false);

  private final URI base;
  private final JsonCodec codec;
  private final TokenCounting tokenCounting;

  /**
   * @param base the base URI of the upstream's API, including the version
   * @param codec parses tool arguments and results that are given as text
   */
  GeminiCodec(URI base, JsonCodec codec) {
    this.base = base;
    this.codec = codec;
    this.tokenCounting = new CountTokens(base, codec);
  }

  @Override
  public String protocol() {
    return PROTOCOL;
  }

  @Override
  public URI uri(Call call) {
    String method =
        call.request().streaming() ? ":streamGenerateContent?alt=sse" : ":generateContent";
    return UpstreamCodec.resolve(base, modelPath(call.endpoint().upstreamModel()) + method);
  }

  @Override
  public Map<String, String> headers(Call call) {
    return call.credential().isEmpty()
        ? Map.of()
        : Map.of("x-goog-api-key", call.credential().reveal());
  }

  @Override
  public JsonOutput body(Call call) {
    return GeminiRequestWriter.of(call, codec);
  }

  @Override
  public TokenCounting tokenCounting() {
    return tokenCounting;
  }

  /**
   * {@code POST .../MODEL:countTokens}: sends the whole request and its model. For a model of a
   * project or publisher, only the members that make up the prompt are sent.
   */
  private record CountTokens(URI base, JsonCodec codec) implements TokenCounting {
    private static final Set<String> PROMPT_MEMBERS =
        Set.of("contents", "systemInstruction", "tools", "generationConfig");

    @Override
    public URI uri(Call call) {
      return UpstreamCodec.resolve(
          base, modelPath(call.endpoint().upstreamModel()) + ":countTokens");
    }

    @Override
    public JsonOutput body(Call call) {
      Json.Obj generateRequest = GeminiRequestWriter.document(call, codec);
      String model = modelPath(call.endpoint().upstreamModel());
      boolean isProjectModel = model.startsWith("projects/") || model.startsWith("publishers/");
      Json.Obj body =
          isProjectModel
              ? TokenCounting.selectMembers(generateRequest, PROMPT_MEMBERS)
              : Json.object()
                  .put("generateContentRequest", generateRequest.with("model", Json.of(model)))
                  .build();
      return UpstreamCodec.toOutput(call, body);
    }

    @Override
    public long tokens(Json.Obj document) throws UpstreamException {
      return TokenCounting.requireCount(document, "totalTokens");
    }
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamException {
    Answer answer = GeminiAnswerReader.of(document, partReader(call));
    if (answer == null) {
      throw TransportErrorClassifier.protocolException(
          "the upstream sent an answer without candidates");
    }
    if (answer.stopReason() == StopReason.ERROR) {
      throw new UpstreamException(GeminiFinish.of(document).failure());
    }
    return answer;
  }

  @Override
  public EventReader events(Call call) {
    return new GeminiEventReader(partReader(call), call.credential(), codec);
  }

  /**
   * Returns the reader of an answer; calls without an id get an id that is unique in the
   * conversation.
   */
  private static GeminiPartReader partReader(Call call) {
    return new GeminiPartReader(names(call), Integer.toString(call.request().messages().size()));
  }

  /** Returns the mapping of tool names, which is the same for the body and its answer. */
  static SafeNames names(Call call) {
    return SafeNames.beginningWithLetter().withTools(call.request().tools());
  }

  /**
   * Returns the path of a model: {@code models/NAME}, or the name itself if it already begins with
   * a collection.
   */
  static String modelPath(String model) {
    boolean hasCollection = COLLECTIONS.stream().anyMatch(model::startsWith);
    return hasCollection ? PATH_ESCAPER.escape(model) : "models/" + NAME_ESCAPER.escape(model);
  }
}
