package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.Counting;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.Faults;
import io.strowger.providers.upstream.Refusals;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamFailure;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * The openai-responses dialect. Requests of the same dialect leave with their own bytes, others are
 * written anew; nothing is ever stored at the upstream.
 *
 * <p>Contract: responses fact sheet; translation fact sheet, sections 1 to 5 and 8. Contract test:
 * {@code OpenAiResponsesContractTest}.
 */
final class ResponsesCodec implements UpstreamCodec {
  static final String PROTOCOL = "openai-responses";

  private final URI uri;
  private final Counting counting;

  /**
   * @param base where the upstream's API begins
   */
  ResponsesCodec(URI base) {
    this.uri = UpstreamCodec.under(base, "responses");
    this.counting = new InputTokens(UpstreamCodec.under(base, "responses/input_tokens"));
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
    return call.credential().isEmpty()
        ? Map.of()
        : Map.of("Authorization", "Bearer " + call.credential().reveal());
  }

  @Override
  public JsonOutput body(Call call) {
    return written(call, document(call));
  }

  private static Json.Obj document(Call call) {
    var losses = new Losses(call.losses());
    return call.request().dialect() == Dialect.RESPONSES
        ? PassThroughBody.of(call, losses)
        : TranslatedBody.of(call, losses);
  }

  private static JsonOutput written(Call call, Json.Obj body) {
    var out = UpstreamCodec.bodyFor(call);
    body.writeTo(out);
    return out;
  }

  @Override
  public Counting counting() {
    return counting;
  }

  /** {@code POST .../responses/input_tokens}: takes what the prompt is made of. */
  private record InputTokens(URI address) implements Counting {
    private static final Set<String> COUNTED =
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
      return written(call, Counting.only(document(call), COUNTED));
    }

    @Override
    public long tokens(Json.Obj document) throws UpstreamFailure {
      return Counting.number(document, "input_tokens");
    }
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamFailure {
    switch (document.text("status")) {
      case "failed", "cancelled" ->
          throw new UpstreamFailure(Refusals.reported(ErrorBody.NONE, call.credential()));
      case "in_progress", "queued" ->
          throw new UpstreamFailure(Faults.protocol("an answer that is not complete yet"));
      case null, default -> {
        Answer answer = ResponsesAnswerReader.of(document, ToolNames.of(call.request()));
        if (answer == null) {
          throw new UpstreamFailure(Faults.protocol("an answer without output"));
        }
        return answer;
      }
    }
  }

  @Override
  public EventReader events(Call call) {
    boolean framed = call.request().dialect() == Dialect.RESPONSES;
    return new ResponsesEventReader(call.credential(), ToolNames.of(call.request()), framed);
  }
}
