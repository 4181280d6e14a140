package io.strowger.providers.chat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The openai-chat dialect. A request in this dialect is passed on, except for members that must
 * change or be dropped; any other request is translated.
 *
 * <p>Contract: translation fact sheet, sections 2, 3, 5 and 8. Contract test: {@code
 * OpenAiChatContractTest}.
 */
final class ChatCodec implements UpstreamCodec {
  static final String PROTOCOL = "openai-chat";

  private final URI uri;

  /**
   * @param base the base URI of the upstream's API
   */
  ChatCodec(URI base) {
    this.uri = UpstreamCodec.resolve(base, "chat/completions");
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
    return ChatRequestWriter.of(call);
  }

  /**
   * Returns the error of a document; null for an answer. A document with choices is an error only
   * if it also has {@code error}.
   */
  @Override
  public @Nullable ErrorBody error(Json.Obj document) {
    boolean isAnswer = document.has("choices") && !document.has("error");
    return isAnswer ? null : UpstreamCodec.super.error(document);
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamException {
    Answer answer = ChatAnswerReader.of(document, SafeNames.ofTools(call.request(), Dialect.CHAT));
    if (answer == null) {
      throw TransportErrorClassifier.protocolException(
          "the upstream sent an answer without choices");
    }
    if (answer.stopReason() == StopReason.ERROR) {
      throw new UpstreamException(
          UpstreamErrorClassifier.failureInAnswer(errorInChoice(document), call.credential()));
    }
    return answer;
  }

  /** Returns the error that the first choice reports for an interrupted answer. */
  private static ErrorBody errorInChoice(Json.Obj completion) {
    Json.Arr choices = completion.list("choices");
    ErrorBody error = choices == null ? null : ErrorBody.of(choices.get(0));
    return error == null ? ErrorBody.NONE : error;
  }

  @Override
  public EventReader events(Call call) {
    return new ChatEventReader(call.credential(), SafeNames.ofTools(call.request(), Dialect.CHAT));
  }
}
