package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamException;
import java.net.URI;
import java.util.Set;

/**
 * How a dialect asks for the number of tokens of a prompt. The headers are those of any call.
 *
 * <p>Threads: any number at once; it keeps nothing of a call.
 */
public interface TokenCounting {
  /** Where the question goes. */
  URI uri(Call call);

  /** What is sent: the prompt as it would be sent for an answer, and nothing about the answer. */
  JsonOutput body(Call call);

  /**
   * The count in a document with status 200, in tokens; whatever number it says.
   *
   * @throws UpstreamException PROTOCOL when it says none
   */
  long tokens(Json.Obj document) throws UpstreamException;

  /** The members of a body that are named, in their order. */
  static Json.Obj only(Json.Obj whole, Set<String> names) {
    Json.Obj.Builder body = Json.object();
    for (int i = 0; i < whole.size(); i++) {
      if (names.contains(whole.name(i))) {
        body.put(whole.name(i), whole.value(i));
      }
    }
    return body.build();
  }

  /**
   * The whole number in a member of a document.
   *
   * @throws UpstreamException PROTOCOL when there is none
   */
  static long number(Json.Obj document, String name) throws UpstreamException {
    if (document.get(name) instanceof Json.Num count && count.asLong().isPresent()) {
      return count.asLong().getAsLong();
    }
    throw new UpstreamException(
        TransportErrorClassifier.protocol("a count without a whole number of tokens"));
  }
}
