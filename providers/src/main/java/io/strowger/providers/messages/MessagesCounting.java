package io.strowger.providers.messages;

import io.strowger.providers.upstream.Counting;
import io.strowger.providers.upstream.Faults;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamFailure;
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
record MessagesCounting(URI uri, Function<Call, Json.Obj> document) implements Counting {
  /** Of {@code output_config} the schema is part of the prompt. */
  private static final Set<String> COUNTED =
      Set.of("model", "messages", "system", "tools", "tool_choice", "thinking", "output_config");

  @Override
  public JsonOutput body(Call call) {
    Json.Obj whole = document.apply(call);
    Json.Obj.Builder body = Json.object();
    for (int i = 0; i < whole.size(); i++) {
      if (COUNTED.contains(whole.name(i))) {
        body.put(whole.name(i), whole.value(i));
      }
    }
    return MessagesWire.written(call, body.build());
  }

  @Override
  public long tokens(Json.Obj document) throws UpstreamFailure {
    if (document.get("input_tokens") instanceof Json.Num count && count.asLong().isPresent()) {
      return count.asLong().getAsLong();
    }
    throw new UpstreamFailure(Faults.protocol("a count without a whole number of tokens"));
  }
}
