package io.strowger.providers.messages;

import io.strowger.providers.upstream.TokenCounting;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Set;
import java.util.function.Function;

/**
 * {@code POST .../messages/count_tokens}: takes what the prompt is made of and refuses what only
 * concerns the answer.
 *
 * <p>Messages fact sheet, section 1. Test: {@code MessagesCountingTest}.
 *
 * @param document the body of a messages request
 */
record MessagesCounting(URI address, Function<Call, Json.Obj> document) implements TokenCounting {
  /** Of {@code output_config} the schema is part of the prompt. */
  private static final Set<String> COUNTED =
      Set.of("model", "messages", "system", "tools", "tool_choice", "thinking", "output_config");

  @Override
  public URI uri(Call call) {
    return address;
  }

  @Override
  public JsonOutput body(Call call) {
    return UpstreamCodec.written(call, TokenCounting.only(document.apply(call), COUNTED));
  }

  @Override
  public long tokens(Json.Obj document) throws UpstreamException {
    return TokenCounting.number(document, "input_tokens");
  }
}
