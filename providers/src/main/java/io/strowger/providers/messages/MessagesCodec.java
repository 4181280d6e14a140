package io.strowger.providers.messages;

import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.TokenCounting;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The anthropic-messages dialect. A request in this dialect keeps its bytes, except for members
 * that must change or be dropped; any other request is translated.
 *
 * <p>Contract: translation fact sheet, sections 1 to 5 and 8. Contract test: {@code
 * AnthropicMessagesContractTest}.
 */
final class MessagesCodec implements UpstreamCodec {
  static final String PROTOCOL = "anthropic-messages";

  /** The format of the signatures and encrypted reasoning that this dialect accepts and sends. */
  static final String FORMAT = "anthropic-claude-v1";

  private static final String VERSION = "2023-06-01";

  private final URI uri;
  private final ContentBlockWriter blocks;
  private final TokenCounting tokenCounting;

  /**
   * @param base the base URI of the upstream's API
   * @param codec parses tool arguments given as text, since this dialect has them as JSON
   */
  MessagesCodec(URI base, JsonCodec codec) {
    this.uri = UpstreamCodec.resolve(base, "messages");
    this.blocks = new ContentBlockWriter(codec);
    this.tokenCounting =
        new CountTokens(UpstreamCodec.resolve(base, "messages/count_tokens"), this::document);
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
    var headers = new HashMap<String, String>();
    headers.put("anthropic-version", VERSION);
    if (!call.credential().isEmpty()) {
      headers.put("x-api-key", call.credential().reveal());
    }
    List<String> features = call.request().upstreamFeatures();
    if (!features.isEmpty()) {
      headers.put("anthropic-beta", String.join(",", features));
    }
    return headers;
  }

  @Override
  public JsonOutput body(Call call) {
    return UpstreamCodec.toOutput(call, document(call));
  }

  private Json.Obj document(Call call) {
    boolean passesThrough = call.request().dialect() == Dialect.MESSAGES;
    return passesThrough
        ? MessagesPassThroughBody.of(call, blocks)
        : TranslatedMessagesBody.of(call, blocks);
  }

  @Override
  public TokenCounting tokenCounting() {
    return tokenCounting;
  }

  /**
   * {@code POST .../messages/count_tokens}: accepts the members that make up the prompt and refuses
   * those about the answer. Messages fact sheet, section 1. Test: {@code MessagesCountingTest}.
   *
   * @param document writes the body of a messages request
   */
  private record CountTokens(URI address, Function<Call, Json.Obj> document)
      implements TokenCounting {
    /** The members to send; in {@code output_config} the schema is part of the prompt. */
    private static final Set<String> PROMPT_MEMBERS =
        Set.of("model", "messages", "system", "tools", "tool_choice", "thinking", "output_config");

    @Override
    public URI uri(Call call) {
      return address;
    }

    @Override
    public JsonOutput body(Call call) {
      return UpstreamCodec.toOutput(
          call, TokenCounting.selectMembers(document.apply(call), PROMPT_MEMBERS));
    }

    @Override
    public long tokens(Json.Obj document) throws UpstreamException {
      return TokenCounting.requireCount(document, "input_tokens");
    }
  }

  /** Returns the error; a document with content is an error only if it also has {@code error}. */
  @Override
  public @Nullable ErrorBody error(Json.Obj document) {
    boolean isAnswer = document.list("content") != null && !document.has("error");
    return isAnswer ? null : UpstreamCodec.super.error(document);
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamException {
    Answer answer = new MessagesAnswerReader(AnswerMapping.forCall(call)).of(document);
    if (answer == null) {
      throw TransportErrorClassifier.protocolException(
          "the upstream sent an answer without content");
    }
    return answer;
  }

  @Override
  public EventReader events(Call call) {
    return new MessagesEventReader(AnswerMapping.forCall(call), call.credential());
  }
}
