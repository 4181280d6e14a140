package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.TokenCounting;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * The openai-responses dialect. Requests in this dialect keep the bytes of unchanged values; others
 * are translated. Nothing is ever stored at the upstream.
 *
 * <p>Contract: responses fact sheet; translation fact sheet, sections 1 to 5 and 8. Contract test:
 * {@code OpenAiResponsesContractTest}.
 */
final class ResponsesCodec implements UpstreamCodec {
  static final String PROTOCOL = "openai-responses";

  private final URI uri;
  private final TokenCounting tokenCounting;

  /**
   * @param base the base URI of the upstream's API
   */
  ResponsesCodec(URI base) {
    this.uri = UpstreamCodec.resolve(base, "responses");
    this.tokenCounting = new InputTokens(UpstreamCodec.resolve(base, "responses/input_tokens"));
  }

  @Override
  public String protocol() {
    return PROTOCOL;
  }

  @Override
  public URI uri(Call call) {
    return uri;
  }

  @Override
  public Map<String, String> headers(Call call) {
    return UpstreamCodec.bearerHeader(call.credential());
  }

  @Override
  public JsonOutput body(Call call) {
    return UpstreamCodec.toOutput(call, document(call));
  }

  private static Json.Obj document(Call call) {
    var losses = new Losses(call.losses());
    return call.request().dialect() == Dialect.RESPONSES
        ? ResponsesPassThroughBody.of(call, losses)
        : TranslatedResponsesBody.of(call, losses);
  }

  @Override
  public TokenCounting tokenCounting() {
    return tokenCounting;
  }

  /** {@code POST .../responses/input_tokens}: sends the members that make up the prompt. */
  private record InputTokens(URI address) implements TokenCounting {
    private static final Set<String> PROMPT_MEMBERS =
        Set.of(
            "model",
            "input",
            "instructions",
            "tools",
            "tool_choice",
            "parallel_tool_calls",
            "reasoning",
            "text");

    @Override
    public URI uri(Call call) {
      return address;
    }

    @Override
    public JsonOutput body(Call call) {
      return UpstreamCodec.toOutput(
          call, TokenCounting.selectMembers(document(call), PROMPT_MEMBERS));
    }

    @Override
    public long tokens(Json.Obj document) throws UpstreamException {
      return TokenCounting.requireCount(document, "input_tokens");
    }
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamException {
    switch (document.text("status")) {
      case "failed", "cancelled" ->
          throw new UpstreamException(
              UpstreamErrorClassifier.failureInAnswer(ErrorBody.NONE, call.credential()));
      case "in_progress", "queued" ->
          throw TransportErrorClassifier.protocolException(
              "the upstream sent an answer that is not complete yet");
      case null, default -> {
        Answer answer =
            ResponsesAnswerReader.of(
                document, SafeNames.ofTools(call.request(), Dialect.RESPONSES));
        if (answer == null) {
          throw TransportErrorClassifier.protocolException(
              "the upstream sent an answer without output");
        }
        return answer;
      }
    }
  }

  @Override
  public EventReader events(Call call) {
    boolean readsFrames = call.request().dialect() == Dialect.RESPONSES;
    return new ResponsesEventReader(
        call.credential(), SafeNames.ofTools(call.request(), Dialect.RESPONSES), readsFrames);
  }
}
