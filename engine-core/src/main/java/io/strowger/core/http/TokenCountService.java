package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.inference.TokenCounts;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;

/**
 * {@code POST /messages/count_tokens}: counts the tokens of the prompt of a messages request, like
 * the path of the same name in the vendor's API. The body is that of {@code /messages}, under the
 * same rules. Counting is free. When no provider counted, {@code estimate} is true; an exact count
 * has no such member. Safe on any thread.
 */
record TokenCountService(InferenceBodyReader requestReader, TokenCounts counts) {
  WireResponse count(Caller caller, WireRequest wire, ResponseFactory responseFactory) {
    RequestReader.Result readResult = requestReader.read(caller, wire);
    TokenCounts.Count count =
        counts.count(caller, readResult.request(), readResult.decoding(), wire.cancellation());
    Json.Obj.Builder answer = Json.object().put("input_tokens", count.tokens());
    if (!count.exact()) {
      answer.put("estimate", true);
    }
    return responseFactory.ok(answer.build().toBytes());
  }
}
